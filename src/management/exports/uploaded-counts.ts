import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Finding } from '../../configuration/finding.ts';
import { isDate, type Span } from './dates.ts';

/** Metrics that a partner may bring figures of. */
export const COUNTED = ['impressions', 'clicks', 'wins', 'revenue'] as const;
export type Counted = (typeof COUNTED)[number];

/** Somebody's own figures of a day; money in millionths of a dollar CPM, as `Sums` has it. */
export interface TheirDay {
  readonly date: string;
  readonly counts: ReadonlyMap<Counted, bigint>;
}

export type ReadCounts =
  | {
      readonly ok: true;
      readonly metrics: readonly Counted[];
      readonly days: ReadonlyMap<string, TheirDay>;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Other names that columns go by. */
const NAMES: Readonly<Record<string, 'date' | Counted>> = {
  date: 'date',
  day: 'date',
  impressions: 'impressions',
  imps: 'impressions',
  clicks: 'clicks',
  wins: 'wins',
  revenue: 'revenue',
  gross_revenue: 'revenue',
  spend: 'revenue',
  cost: 'revenue',
  payout: 'revenue',
};

const FINDINGS_MAX = 20;
/** Read in parts, between which other requests have their turn. */
const PART_BYTES = 64 * 1024;
const CELL_LENGTH_MAX = 200;

/**
 * Reads figures by day from a CSV (RFC 4180; commas, semicolons or tabs). Columns come in any order,
 * those of other names are not looked at, and several lines of a day are added up. Everything that is
 * wrong is told with its line.
 *
 * @param span the days that figures may be of.
 */
export async function readCounts(text: string, span: Span): Promise<ReadCounts> {
  const reader = new CountsReader(span);
  const parser = Readable.from(slicesOf(Buffer.from(text))).pipe(
    parse({
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 100_000,
    }),
  );
  try {
    for await (const each of parser) {
      const { record, info } = Object(each);
      reader.take(record, info.lines);
      if (reader.findings.length >= FINDINGS_MAX) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    reader.add(Number(error['lines'] ?? 0), 'is no CSV as RFC 4180 has it: see its quotes');
  }
  return reader.result();
}

class CountsReader {
  readonly findings: Finding[] = [];
  readonly #span: Span;
  readonly #days = new Map<string, { date: string; counts: Map<Counted, bigint> }>();
  /** Null before the header. */
  #columns: readonly ('date' | Counted | null)[] | null = null;

  constructor(span: Span) {
    this.#span = span;
  }

  take(record: readonly string[], line: number): void {
    if (this.#columns === null) this.#takeHeader(record, line);
    else this.#takeRow(record, this.#columns, line);
  }

  add(line: number, message: string): void {
    this.findings.push({ path: [], message: `line ${line} ${message}` });
  }

  result(): ReadCounts {
    const columns = this.#columns;
    if (columns === null && this.findings.length === 0) {
      this.add(1, `is missing: begin with a header such as date,impressions,revenue`);
    }
    if (this.findings.length > 0 || columns === null) return { ok: false, findings: this.findings };
    return {
      ok: true,
      metrics: COUNTED.filter((name) => columns.includes(name)),
      days: this.#days,
    };
  }

  #takeHeader(record: readonly string[], line: number): void {
    const columns = record.map((name) => {
      const key = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
      return Object.hasOwn(NAMES, key) ? (NAMES[key] ?? null) : null;
    });
    this.#columns = columns;
    const known = columns.filter((column) => column !== null);
    const twice = known.find((column, index) => known.indexOf(column) !== index);
    if (twice !== undefined) this.add(line, `names ${twice} twice`);
    if (!known.includes('date') || known.length < 2) {
      this.add(line, `must name the columns: date, and some of ${COUNTED.join(', ')}`);
    }
  }

  #takeRow(
    record: readonly string[],
    columns: readonly ('date' | Counted | null)[],
    line: number,
  ): void {
    if (record.length !== columns.length) {
      this.add(line, `has ${record.length} cells, and the header ${columns.length}`);
      return;
    }
    const date = record[columns.indexOf('date')] ?? '';
    const { first, last } = this.#span;
    if (!isDate(date) || date < first || date > last) {
      this.add(line, `has the date ${quoted(date)}; give a UTC day from ${first} to ${last}`);
      return;
    }
    const day = this.#days.get(date) ?? { date, counts: new Map<Counted, bigint>() };
    this.#days.set(date, day);
    for (const [index, column] of columns.entries()) {
      if (column === null || column === 'date') continue;
      const text = record[index] ?? '';
      const value = column === 'revenue' ? readDollars(text) : readCount(text);
      if (value === null) {
        const right = column === 'revenue' ? 'dollars such as 12.5' : 'a whole number such as 1200';
        this.add(line, `has ${column} ${quoted(text)}; give ${right}`);
      } else day.counts.set(column, (day.counts.get(column) ?? 0n) + value);
    }
  }
}

function readCount(text: string): bigint | null {
  return /^\d{1,15}$/.test(text) ? BigInt(text) : null;
}

/** Digits beyond a thousandth of a micro-dollar are cut off. */
function readDollars(text: string): bigint | null {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(`${whole}${part.slice(0, 9).padEnd(9, '0')}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, CELL_LENGTH_MAX));
}

function* slicesOf(bytes: Buffer): Generator<Buffer, void, void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
