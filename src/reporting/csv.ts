import type { Report, ReportRow } from '../analytics/report.ts';

/**
 * A report as CSV (RFC 4180): a header line, then one line a row, each ended by CRLF. A text that a
 * spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@` or a tab) gets a single
 * quote before it; numbers stay as they are.
 */
export function csvOf({ columns, rows }: Report): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column] ?? '')).join(','));
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

function cellOf(value: ReportRow[string]): string {
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
