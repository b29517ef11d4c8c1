import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';

import { marked } from '../../test/support/journal-lines.ts';
import { decodeBatch } from '../ports/batch-wire.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_SEGMENTS_MAX,
  DAMAGED_BYTES_MAX,
  type BatchManifest,
  type SegmentRange,
} from '../ports/batch.ts';
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

const HEADER = 'header\n';
const NO_LINES = new Map<string, number>();

/** Lines as the journal writes them; what is no object is damaged. */
function textOf(lines: readonly string[], first = 1): string {
  return lines
    .map((line, index) => `${line.startsWith('{"') ? marked(line, first + index) : line}\n`)
    .join('');
}

/** Writes a segment that waits from behind so many lines; −1 is the whole. */
function segment(
  name: string,
  lines: readonly string[],
  { skip = -1, tail = '' }: { skip?: number; tail?: string } = {},
): WaitingSegment {
  const text = textOf(lines) + tail;
  writeFileSync(join(directory, name), HEADER + text);
  const start = skip < 0 ? 0 : HEADER.length + textOf(lines.slice(0, skip)).length;
  return {
    name,
    schema: 1,
    headerEnd: HEADER.length,
    start,
    bytes: Buffer.byteLength(HEADER + text) - start,
    foundNothing: (upTo) => void calls.push(`nothing up to ${upTo - HEADER.length}`),
  };
}

function buffer(openSegment?: (path: string) => Promise<SegmentFile>): BatchBuffer {
  const options = { directory, incarnation: NODE, stream: 'money' } as const;
  return new BatchBuffer(openSegment === undefined ? options : { ...options, openSegment });
}

/** The records as control would read them. */
function recordsOf(filled: BatchBuffer, manifest: BatchManifest): string {
  const batch = decodeBatch(filled.body(manifest));
  assert.deepEqual(batch?.manifest, manifest);
  return Buffer.from(batch.records).toString();
}

async function gather(
  filling: BatchBuffer,
  ...segments: WaitingSegment[]
): Promise<Awaited<ReturnType<BatchBuffer['gather']>>> {
  return filling.gather(segments, NO_LINES);
}

describe('gather', () => {
  test('takes the whole lines of every segment, one after the other, without their headers', async () => {
    const filling = buffer();
    const [one, two] = [['{"n":1}', '{"n":2}'], ['{"é":3}']];
    const batch = await gather(filling, segment('a.ndjson', one), segment('b.ndjson', two));
    assert.ok(batch !== null);
    assert.equal(recordsOf(filling, batch.manifest), textOf(one) + textOf(two));
    const from = HEADER.length;
    const end = (lines: string[]): number => from + Buffer.byteLength(textOf(lines));
    assert.deepEqual(batch.manifest, {
      incarnation: NODE,
      schema: 1,
      segments: [
        { segment: 'a.ndjson', start: 0, end: end(one), from, last_line: 2 },
        { segment: 'b.ndjson', start: 0, end: end(two), from, last_line: 1 },
      ],
    });
  });

  test('goes on from where the last batch ended, and leaves a torn line', async () => {
    const filling = buffer();
    const lines = ['{"n":1}', '{"n":2}'];
    const waiting = segment('a.ndjson', lines, { skip: 1, tail: '{"n":' });
    const batch = await gather(filling, waiting);
    assert.ok(batch !== null);
    assert.equal(recordsOf(filling, batch.manifest), textOf(['{"n":2}'], 2));
    const end = HEADER.length + textOf(lines).length;
    const { start } = waiting;
    assert.deepEqual(batch.manifest.segments, [{ segment: 'a.ndjson', start, end, last_line: 2 }]);
  });

  test('says of a segment up to where it has no whole line', async () => {
    const torn = segment('a.ndjson', ['{"n":1}'], { skip: 1, tail: '{"n' });
    const bare = segment('b.ndjson', []);
    assert.equal(await gather(buffer(), torn, bare), null);
    const upTo = textOf(['{"n":1}']).length + 3;
    assert.deepEqual(calls, [`nothing up to ${upTo}`, 'nothing up to 0']);
  });

  test('ends with the line before the one that does not fit', async () => {
    const filling = buffer();
    const long = JSON.stringify({ x: 'x'.repeat(1_500_000) });
    const batch = await gather(
      filling,
      segment('a.ndjson', [long, long]),
      segment('b.ndjson', [long, long]),
      segment('c.ndjson', ['{"n":1}']),
    );
    assert.ok(batch !== null);
    assert.equal(recordsOf(filling, batch.manifest), textOf([long, long]));
    assert.equal(batch.manifest.segments.length, 1);
  });

  test('fills a batch to the last byte, and no further', async () => {
    const filling = buffer();
    const lines: string[] = [];
    let bytes = 0;
    while (bytes < BATCH_BYTES_MAX + 10_000) {
      const room = (BATCH_BYTES_MAX - bytes) % 1024 || 1024;
      const length = (text: string): number => marked(text, lines.length + 1).length + 1;
      let text = JSON.stringify({ x: 'x'.repeat(room + 1024 - 60) });
      // Checksums differ in their length.
      while (length(text) > room + 1024) text = text.replace('xx', 'x');
      while (length(text) < room + 1024) text = text.replace('x"', 'xx"');
      bytes += length(text);
      lines.push(text);
    }
    const batch = await gather(
      filling,
      segment('a.ndjson', lines),
      segment('b.ndjson', ['{"n":1}']),
    );
    assert.ok(batch !== null);
    assert.equal(recordsOf(filling, batch.manifest).length, BATCH_BYTES_MAX);
    assert.equal(batch.manifest.segments.length, 1);
  });

  test('takes the longest record of the journal', async () => {
    const filling = buffer();
    const longest = `{"x":"${'€'.repeat(1024 * 1024 - 8)}"}`;
    const batch = await gather(filling, segment('a.ndjson', [longest]));
    assert.ok(batch !== null);
    assert.equal(recordsOf(filling, batch.manifest), textOf([longest]));
  });

  test('takes from as many segments as a manifest may name', async () => {
    const filling = buffer();
    const name = (index: number): string => `${'n'.repeat(180)}-${index}.ndjson`;
    const segments = Array.from({ length: BATCH_SEGMENTS_MAX + 1 }, (_, index) =>
      segment(name(index), ['{"n":1}']),
    );
    const batch = await gather(filling, ...segments);
    assert.ok(batch !== null);
    assert.equal(batch.manifest.segments.length, BATCH_SEGMENTS_MAX);
    assert.equal(
      recordsOf(filling, batch.manifest),
      textOf(['{"n":1}']).repeat(BATCH_SEGMENTS_MAX),
    );
  });

  test('knows the time of the oldest record', async () => {
    const filling = buffer();
    const batch = await gather(
      filling,
      segment('a.ndjson', ['{"at_ms":30}', '{"at_ms":10}']),
      segment('b.ndjson', ['{"at_ms":20}']),
      segment('c.ndjson', ['garbage']),
      segment('d.ndjson', ['{"at_ms":"soon"}']),
    );
    assert.equal(batch?.oldestMs, 20);
    assert.equal((await gather(filling, segment('e.ndjson', ['{"n":1}'])))?.oldestMs, null);
  });

  test('brings what it takes to the disk before it gives it away', async () => {
    const order: string[] = [];
    const filling = buffer(async (path) => watched(await open(path), order));
    await gather(filling, segment('a.ndjson', ['{"n":1}']));
    assert.deepEqual(order, ['read', 'read', 'datasync', 'stat', 'close']);
  });

  test('fails for good where the disk does not keep what it takes', async () => {
    const order: string[] = [];
    const filling = buffer(async (path) => ({
      ...watched(await open(path), order),
      datasync: () => Promise.reject(new Error('EIO')),
    }));
    await assert.rejects(gather(filling, segment('a.ndjson', ['{"n":1}'])), SyncFailure);
    assert.equal(order.at(-1), 'close');
  });

  test('does not take lines that were cut off again while it read them', async () => {
    const waiting = segment('a.ndjson', ['{"n":1}', '{"n":2}']);
    const path = join(directory, waiting.name);
    const filling = buffer(async () => {
      const file = await open(path);
      return {
        ...watched(file, []),
        datasync: async () => {
          truncateSync(path, waiting.headerEnd + textOf(['{"n":1}']).length);
          await file.datasync();
        },
      };
    });
    assert.equal(await gather(filling, waiting), null);
  });

  test('leaves damaged lines out of the records, and gives what can be read of them behind', async () => {
    const filling = buffer();
    const lines = ['{"n":1}', 'garbage', 'more', '{"n":4}', '{"n":5}'];
    const batch = await gather(filling, segment('a.ndjson', lines));
    assert.ok(batch !== null);
    const [range] = batch.manifest.segments;
    const start = HEADER.length + textOf(['{"n":1}']).length;
    const kept = 'garbage\nmore\n';
    const end = start + kept.length;
    assert.deepEqual(range?.damaged, [{ start, end, missing: 2, kept: 13, crc: crc32(kept) }]);
    assert.equal(range.last_line, 5);
    const sent = decodeBatch(filling.body(batch.manifest));
    assert.ok(sent !== null);
    assert.equal(
      Buffer.from(sent.records).toString(),
      textOf(['{"n":1}']) + textOf(lines.slice(3), 4),
    );
    assert.equal(Buffer.from(sent.damaged ?? '').toString(), kept);
  });

  test('counts what is missing from the number of the last record of the process', async () => {
    const name = 'money-0123456789abcdef-20261120T000000000Z-00000001-000002.ndjson';
    const filling = buffer();
    const waiting = segment(name, ['{"n":1}']);
    const lines = new Map([[name.slice(0, -'-000002.ndjson'.length), 0]]);
    const complete = await filling.gather([waiting], lines);
    assert.equal(complete?.manifest.segments[0]?.damaged, undefined);
    writeFileSync(join(directory, name), HEADER + textOf(['{"n":1}'], 8));
    const gap = await filling.gather([waiting], lines);
    const [place] = gap?.manifest.segments[0]?.damaged ?? [];
    assert.deepEqual(place, { start: 7, end: 7, missing: 7, kept: 0, crc: 0 });
  });

  test('takes a damaged part without the end of a line piece by piece', async () => {
    const filling = buffer();
    const name = 'a.ndjson';
    const zeros = '\0'.repeat(BATCH_BYTES_MAX + 500);
    const waiting = segment(name, ['{"n":1}'], { tail: `${zeros}\n${textOf(['{"n":3}'], 3)}` });
    const first = await gather(filling, waiting);
    assert.ok(first !== null);
    assert.equal(recordsOf(filling, first.manifest), textOf(['{"n":1}']));
    const start = first.manifest.segments[0]?.end ?? 0;
    const second = await gather(filling, { ...waiting, start });
    const [range] = second?.manifest.segments ?? [];
    assert.equal((range?.end ?? 0) - start, BATCH_BYTES_MAX);
    assert.equal(range?.damaged?.[0]?.kept, DAMAGED_BYTES_MAX);
    const third = await gather(filling, { ...waiting, start: range.end });
    assert.equal(recordsOf(filling, third?.manifest ?? assert.fail()), textOf(['{"n":3}'], 3));
  });
});

describe('restore', () => {
  test('brings back the same bytes, whatever was written since', async () => {
    const first = buffer();
    const segments = [
      segment('a.ndjson', ['{"at_ms":5}']),
      segment('b.ndjson', ['{"n":1}', 'garbage', '{"n":3}'], { skip: 1 }),
    ];
    const batch = await gather(first, ...segments);
    assert.ok(batch !== null);
    const body = Buffer.from(first.body(batch.manifest));
    appendFileSync(join(directory, 'a.ndjson'), textOf(['{"n":2}'], 2));
    const second = buffer();
    assert.deepEqual(await second.restore(batch.manifest), batch);
    assert.deepEqual(second.body(batch.manifest), body);
  });

  test('gives nothing when the segments do not hold what the manifest names', async () => {
    const lines = ['{"n":1}', '{"n":2}', '{"n":3}'];
    const { name, headerEnd: from } = segment('a.ndjson', lines);
    const size = HEADER.length + textOf(lines).length;
    const line = textOf(['{"n":1}']).length;
    const restored = (range: Partial<SegmentRange>) =>
      buffer().restore({
        incarnation: NODE,
        schema: 1,
        segments: [{ segment: name, start: 0, from, end: from + line, ...range }],
      });
    assert.notEqual(await restored({}), null);
    assert.notEqual(await restored({ end: size, last_line: 3 }), null);
    assert.equal(await restored({ end: size + 1 }), null, 'too long');
    assert.equal(await restored({ end: from + line - 1 }), null, 'within a line');
    assert.equal(await restored({ from: from - 1 }), null, 'within the header');
    assert.equal(await restored({ end: size, last_line: 2 }), null, 'other lines');
    assert.equal(await restored({ segment: 'missing.ndjson' }), null, 'missing');
    const damaged = [{ start: from, end: from + line, missing: 1, kept: 3, crc: 1 }];
    assert.equal(await restored({ end: size, damaged }), null, 'damaged otherwise');
    const bytes = readFileSync(join(directory, name));
    bytes[from + 5] = 0x39;
    writeFileSync(join(directory, name), bytes);
    assert.equal(await restored({}), null, 'another number');
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
