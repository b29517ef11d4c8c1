/** What stands in a line, by the names of the columns. */
export type CsvRow = Readonly<Record<string, string | number | boolean>>;

/** The header line of a report as CSV (RFC 4180), ended by CRLF as every line is. */
export function csvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`;
}

/** One line a row. */
export function csvLines(columns: readonly string[], rows: readonly CsvRow[]): string {
  return rows
    .map((row) => `${columns.map((column) => cellOf(row[column] ?? '')).join(',')}\r\n`)
    .join('');
}

/** A whole table. */
export function csvOf(columns: readonly string[], rows: readonly CsvRow[]): string {
  return csvHeader(columns) + csvLines(columns, rows);
}

/**
 * What a spreadsheet takes for a formula: a text that begins with `=`, `+`, `-` or `@`, also in the
 * full width of East Asian keyboards, after whatever white space or invisible characters; or with a
 * tab or the end of a line, after which some begin a cell anew.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** Spreadsheets of some countries separate by semicolons, or by tabs: neither may begin a cell. */
const QUOTED = /[",;\t\r\n]/;

/** A formula gets a single quote before it, which makes it a text; numbers stay as they are. */
function cellOf(value: CsvRow[string]): string {
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
