import type { Report } from '../analytics/report.ts';
import { csvHeader, csvLines } from '../base/csv.ts';

/**
 * A report in one of its formats, piece by piece, as its rows come. The JSON envelope says how many
 * there are when all are there.
 */
export async function* textOf(
  { columns, rows }: Report,
  format: 'json' | 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvHeader(columns);
    for await (const some of rows) yield csvLines(columns, some);
    return;
  }
  yield '{"status":"success","data":[';
  let count = 0;
  for await (const some of rows) {
    const text = some.map((row) => JSON.stringify(row)).join(',');
    yield count === 0 ? text : `,${text}`;
    count += some.length;
  }
  yield `],"result_count":${count}}`;
}
