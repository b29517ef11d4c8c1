import { createHash } from 'node:crypto';

import type { Batch } from '../ports/batch.ts';

/**
 * Names a batch by its ranges and its bytes. ClickHouse drops an INSERT whose token it has seen
 * without looking at its rows, so that no two different batches may ever have the same one.
 */
export function batchToken({ manifest, records, damaged }: Batch): string {
  const { incarnation, schema, segments } = manifest;
  const ranges = segments.map(({ segment, start, end, ...parts }) => [
    [segment, start, end],
    (parts.damaged ?? []).map((each) => [each.start, each.end, each.missing]),
    (parts.loaded ?? []).map((each) => [each.start, each.end]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([incarnation, schema, ranges]))
    .update('\n')
    .update(records)
    .update(damaged ?? '')
    .digest('hex');
}
