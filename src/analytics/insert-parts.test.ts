import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnalyticsStoreError, type AnalyticsStore } from '../ports/analytics-store.ts';
import { linesOf } from './batch-lines.ts';
import { insertParts, type InsertPart } from './insert-parts.ts';

const TOO_MANY_PARTITIONS = 252;

function partOf(load: number): InsertPart {
  const records = Buffer.from('{"kind":"auction"}\n');
  const segments = [{ segment: 'money-1.ndjson', start: 0, end: records.length }];
  const manifest = { incarnation: 'a', schema: 1, segments };
  return { load, records, lines: linesOf({ manifest, records }) };
}

/** A store whose INSERTs fail as a whole where this load is in them. */
function storeWithout(bad: number) {
  const inserted: number[] = [];
  const loadsOf = (sql: string): number[] =>
    (/insert_deduplication_token = '([\d ]+)'/.exec(sql)?.[1] ?? '').split(' ').map(Number);
  const store: AnalyticsStore = {
    insert: async (sql) => {
      const loads = loadsOf(sql);
      if (loads.includes(bad)) throw new AnalyticsStoreError('too many', TOO_MANY_PARTITIONS);
      inserted.push(...loads);
    },
    query: async () => inserted.map((load) => ({ load, records: 1 })),
    recover: async () => {},
    command: () => assert.fail('no command is needed'),
    stream: () => assert.fail('nothing is streamed'),
    close: () => assert.fail('it is not closed'),
  };
  return { store, inserted };
}

test('a part on which the engine fails holds up none of the others', async () => {
  const parts = [1, 2, 3, 4].map(partOf);
  const { store, inserted } = storeWithout(2);
  const outcomes = await insertParts(parts, { store, stream: 'money', isOlder: false });
  assert.ok(outcomes !== 'refused');
  assert.deepEqual(inserted, [1, 3, 4]);
  assert.deepEqual(
    parts.map((part) => outcomes.get(part)),
    ['inserted', { reason: 'too many' }, 'inserted', 'inserted'],
  );
});

test('one that comes alone fails after its tries', async () => {
  const part = partOf(2);
  const faults: unknown[] = [];
  const { store } = storeWithout(2);
  const onRetry = (fault: unknown): number => faults.push(fault);
  const outcomes = await insertParts([part], { store, stream: 'money', isOlder: false, onRetry });
  assert.ok(outcomes !== 'refused');
  assert.deepEqual(outcomes.get(part), { reason: 'too many' });
  assert.equal(faults.length, 2);
});
