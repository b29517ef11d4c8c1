import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { decodeBatch } from '../ports/batch-wire.ts';
import { BATCH_BYTES_MAX, BATCH_SEGMENTS_MAX, type BatchManifest } from '../ports/batch.ts';
import { BatchBuffer, type SegmentFile } from './batch-buffer.ts';
import { SyncFailure } from './durable-file.ts';
import type { WaitingSegment } from './journal-segments.ts';

const NODE = '0123456789abcdef';

let directory: string;
let calls: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-buffer-'));
  calls = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

function header(name: string): string {
  const started_at = '2026-11-20T00:00:00.000Z';
  const said = { schema: 1, stream: 'money', incarnation: NODE, segment: name, pid: 1, started_at };
  return `${JSON.stringify(said)}\n`;
}

/** Writes a segment that waits from `start`, given in bytes behind the header; −1 is the whole. */
function segment(name: string, text: string, start = -1): WaitingSegment {
  const first = header(name);
  writeFileSync(join(directory, name), first + text);
  return {
    name,
    schema: 1,
    headerEnd: first.length,
    start: start < 0 ? 0 : first.length + start,
    bytes: Buffer.byteLength(text) - Math.max(0, start),
    foundNothing: (upTo) => void calls.push(`nothing up to ${upTo - first.length}`),
    refuse: (reason) => void calls.push(reason),
  };
}

function buffer(openSegment?: (path: string) => Promise<SegmentFile>): BatchBuffer {
  const options = { directory, incarnation: NODE, stream: 'money' } as const;
  return new BatchBuffer(openSegment === undefined ? options : { ...options, openSegment });
}

/** The records as control would read them. */
function textOf(filled: BatchBuffer, manifest: BatchManifest): string {
  const batch = decodeBatch(filled.body(manifest));
  assert.deepEqual(batch?.manifest, manifest);
  return Buffer.from(batch.records).toString();
}

describe('gather', () => {
  test('takes the whole lines of every segment, one after the other, without their headers', async () => {
    const filling = buffer();
    const segments = [segment('a.ndjson', '{"n":1}\n{"n":2}\n'), segment('b.ndjson', '{"é":3}\n')];
    const batch = await filling.gather(segments);
    assert.ok(batch !== null);
    assert.equal(textOf(filling, batch.manifest), '{"n":1}\n{"n":2}\n{"é":3}\n');
    assert.deepEqual(batch.manifest, {
      incarnation: NODE,
      schema: 1,
      segments: [
        { segment: 'a.ndjson', start: 0, end: header('a.ndjson').length + 16 },
        { segment: 'b.ndjson', start: 0, end: header('b.ndjson').length + 9 },
      ],
    });
  });

  test('goes on from where the last batch ended, and leaves a torn line', async () => {
    const filling = buffer();
    const waiting = segment('a.ndjson', '{"n":1}\n{"n":2}\n{"n":', 8);
    const batch = await filling.gather([waiting]);
    assert.ok(batch !== null);
    assert.equal(textOf(filling, batch.manifest), '{"n":2}\n');
    const at = waiting.headerEnd;
    assert.deepEqual(batch.manifest.segments, [
      { segment: 'a.ndjson', start: at + 8, end: at + 16 },
    ]);
  });

  test('says of a segment up to where it has no whole line', async () => {
    const torn = segment('a.ndjson', '{"n":1}\n{"n', 8);
    const bare = segment('b.ndjson', '');
    assert.equal(await buffer().gather([torn, bare]), null);
    assert.deepEqual(calls, ['nothing up to 11', 'nothing up to 0']);
  });

  test('ends with the line before the one that does not fit', async () => {
    const filling = buffer();
    const long = `"${'x'.repeat(1_500_000)}"\n`;
    const batch = await filling.gather([
      segment('a.ndjson', long + long),
      segment('b.ndjson', long + long),
      segment('c.ndjson', '{"n":1}\n'),
    ]);
    assert.ok(batch !== null);
    assert.equal(textOf(filling, batch.manifest), long + long);
    assert.equal(batch.manifest.segments.length, 1);
  });

  test('fills a batch to the last byte, and no further', async () => {
    const filling = buffer();
    const line = `"${'x'.repeat(1021)}"\n`;
    const text = line.repeat(BATCH_BYTES_MAX / 1024 + 3);
    const batch = await filling.gather([segment('a.ndjson', text), segment('b.ndjson', '{}\n')]);
    assert.ok(batch !== null);
    assert.equal(textOf(filling, batch.manifest).length, BATCH_BYTES_MAX);
    assert.equal(batch.manifest.segments.length, 1);
  });

  test('takes the longest record of the journal, and refuses a segment with a longer one', async () => {
    const filling = buffer();
    const longest = `"${'€'.repeat(1024 * 1024 - 2)}"\n`;
    const batch = await filling.gather([segment('a.ndjson', longest)]);
    assert.ok(batch !== null);
    assert.equal(textOf(filling, batch.manifest), longest);
    assert.equal(
      await filling.gather([segment('b.ndjson', 'x'.repeat(BATCH_BYTES_MAX + 1))]),
      null,
    );
    assert.deepEqual(calls, ['it has a line longer than a batch']);
  });

  test('takes from as many segments as a manifest may name', async () => {
    const filling = buffer();
    const name = (index: number): string => `${'n'.repeat(180)}-${index}.ndjson`;
    const segments = Array.from({ length: BATCH_SEGMENTS_MAX + 1 }, (_, index) =>
      segment(name(index), '{}\n'),
    );
    const batch = await filling.gather(segments);
    assert.ok(batch !== null);
    assert.equal(batch.manifest.segments.length, BATCH_SEGMENTS_MAX);
    assert.equal(textOf(filling, batch.manifest), '{}\n'.repeat(BATCH_SEGMENTS_MAX));
  });

  test('knows the time of the oldest record', async () => {
    const filling = buffer();
    const batch = await filling.gather([
      segment('a.ndjson', '{"at_ms":30}\n{"at_ms":10}\n'),
      segment('b.ndjson', '{"at_ms":20}\n'),
      segment('c.ndjson', 'garbage\n'),
      segment('d.ndjson', '{"at_ms":"soon"}\n'),
    ]);
    assert.equal(batch?.oldestMs, 20);
    assert.equal((await filling.gather([segment('e.ndjson', '[]\n')]))?.oldestMs, null);
  });

  test('brings what it takes to the disk before it gives it away', async () => {
    const order: string[] = [];
    const filling = buffer(async (path) => watched(await open(path), order));
    await filling.gather([segment('a.ndjson', '{}\n')]);
    assert.deepEqual(order, ['read', 'read', 'datasync', 'stat', 'close']);
  });

  test('fails for good where the disk does not keep what it takes', async () => {
    const order: string[] = [];
    const filling = buffer(async (path) => ({
      ...watched(await open(path), order),
      datasync: () => Promise.reject(new Error('EIO')),
    }));
    await assert.rejects(filling.gather([segment('a.ndjson', '{}\n')]), SyncFailure);
    assert.equal(order.at(-1), 'close');
  });

  test('does not take lines that were cut off again while it read them', async () => {
    const waiting = segment('a.ndjson', '{"n":1}\n{"n":2}\n');
    const path = join(directory, waiting.name);
    const filling = buffer(async () => {
      const file = await open(path);
      return {
        ...watched(file, []),
        datasync: async () => {
          truncateSync(path, waiting.headerEnd + 8);
          await file.datasync();
        },
      };
    });
    assert.equal(await filling.gather([waiting]), null);
  });
});

describe('restore', () => {
  test('brings back the same bytes, whatever was written since', async () => {
    const first = buffer();
    const segments = [segment('a.ndjson', '{"at_ms":5}\n'), segment('b.ndjson', '1\n2\n', 2)];
    const batch = await first.gather(segments);
    assert.ok(batch !== null);
    const body = Buffer.from(first.body(batch.manifest));
    appendFileSync(join(directory, 'a.ndjson'), '{"n":2}\n');
    const second = buffer();
    assert.deepEqual(await second.restore(batch.manifest), batch);
    assert.deepEqual(second.body(batch.manifest), body);
  });

  test('gives nothing when the segments do not hold what the manifest names', async () => {
    const { headerEnd } = segment('a.ndjson', '{"n":1}\n{"n":2}\n');
    const restored = (name: string, start: number, end: number) =>
      buffer().restore({ incarnation: NODE, schema: 1, segments: [{ segment: name, start, end }] });
    assert.notEqual(await restored('a.ndjson', 0, headerEnd + 8), null);
    assert.equal(await restored('a.ndjson', 0, headerEnd + 17), null, 'too long');
    assert.equal(await restored('a.ndjson', 0, headerEnd + 7), null, 'within a line');
    assert.equal(await restored('a.ndjson', 0, headerEnd - 1), null, 'within the header');
    assert.equal(await restored('missing.ndjson', 0, 300), null, 'missing');
    writeFileSync(join(directory, 'b.ndjson'), 'garbage\n');
    assert.equal(await restored('b.ndjson', 0, 8), null, 'no segment');
  });
});

function watched(file: Awaited<ReturnType<typeof open>>, order: string[]): SegmentFile {
  return {
    read: (...args) => {
      order.push('read');
      return file.read(...args);
    },
    stat: () => {
      order.push('stat');
      return file.stat();
    },
    datasync: () => {
      order.push('datasync');
      return file.datasync();
    },
    close: () => {
      order.push('close');
      return file.close();
    },
  };
}
