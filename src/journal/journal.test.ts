import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { SCHEMA_OF } from './segment.ts';

import { startOf } from '../base/process-start.ts';
import { unmarked } from '../../test/support/journal-lines.ts';
import { createFaultFs, type FaultFs, type WriteFate } from './fault-fs.ts';
import {
  openJournal,
  RECORD_LENGTH_MAX,
  RETRY_AFTER_MS,
  SEGMENT_AGE_MAX_MS,
  SEGMENT_BYTES_MAX,
  type Journal,
} from './journal.ts';

const START_MS = Date.UTC(2026, 10, 20, 10, 15, 1, 500);

let root: string;
let directory: string;
let fs: FaultFs;
let nowMs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rialto-journal-'));
  directory = root;
  fs = createFaultFs();
  nowMs = START_MS;
});
afterEach(() => rmSync(root, { recursive: true }));

function open(stream: 'money' | 'trace' = 'money'): Journal {
  return openJournal({ directory, stream, writer: 'exchange', now: () => nowMs, fs });
}

function segments(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .sort();
}

/** The records of all segments, without their headers; the bytes after the last newline are torn. */
function records(): string[] {
  return segments().flatMap((name) =>
    readFileSync(join(directory, name), 'utf8').split('\n').slice(1, -1).map(textOf),
  );
}

function textOf(line: string): string {
  return unmarked(line) ?? `damaged: ${line}`;
}

function append(journal: Journal, record: string): Promise<Error | null> {
  return new Promise((resolve) => {
    journal.append(record, resolve);
  });
}

/** Appends within one tick; resolves with what each was told. */
function appendAll(journal: Journal, lines: readonly string[]): Promise<(Error | null)[]> {
  return Promise.all(lines.map((line) => append(journal, line)));
}

describe('openJournal', () => {
  test('begins a segment whose first line says what it is', () => {
    open().close();
    const [name = ''] = segments();
    const incarnation = readFileSync(join(directory, 'incarnation'), 'utf8').trim();
    assert.match(name, /^money-[0-9a-f]{16}-20261120T101501500Z-[0-9a-f]{8}-000001\.ndjson$/);
    assert.deepEqual(JSON.parse(textOf(readFileSync(join(directory, name), 'utf8').trimEnd())), {
      schema: SCHEMA_OF.money,
      stream: 'money',
      incarnation,
      segment: name,
      writer: 'exchange',
      pid: process.pid,
      process_start: startOf(process.pid),
      started_at: '2026-11-20T10:15:01.500Z',
    });
    assert.ok(name.includes(incarnation));
  });

  test('keeps the incarnation of the directory, and begins another segment at every start', () => {
    open().close();
    const first = readFileSync(join(directory, 'incarnation'), 'utf8');
    open().close();
    assert.equal(readFileSync(join(directory, 'incarnation'), 'utf8'), first);
    assert.equal(segments().length, 2);
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.startsWith('incarnation')),
      ['incarnation'],
    );
  });

  test('syncs a new incarnation and its directory before anything uses it', () => {
    let synced = 0;
    const fsyncSync = fs.fsyncSync.bind(fs);
    fs.fsyncSync = (fd) => {
      synced += 1;
      fsyncSync(fd);
    };
    open().close();
    assert.equal(synced, 2);
  });

  test('takes the incarnation of the process that was quicker', () => {
    const linkSync = fs.linkSync.bind(fs);
    fs.linkSync = (existing, path) => {
      writeFileSync(path, '0123456789abcdef\n');
      linkSync(existing, path);
    };
    open().close();
    assert.match(segments()[0] ?? '', /^money-0123456789abcdef-/);
  });

  test('refuses an incarnation file that holds something else', () => {
    writeFileSync(join(directory, 'incarnation'), 'hello\n');
    assert.throws(() => open(), /holds no incarnation id/);
  });

  test('makes the directory, readable by its user alone', () => {
    directory = join(directory, 'deep', 'journal');
    open().close();
    assert.equal(segments().length, 1);
  });

  test('starts on a full disk and records as soon as there is room', async () => {
    open().close();
    fs.afterwards = 'ENOSPC';
    const journal = open();
    assert.match(String(journal.failure), /ENOSPC/);
    assert.match(String(await append(journal, '{"n":1}')), /ENOSPC/);
    fs.afterwards = 'whole';
    nowMs += RETRY_AFTER_MS;
    assert.equal(await append(journal, '{"n":2}'), null);
    assert.equal(journal.failure, null);
    assert.deepEqual(records(), ['{"n":2}']);
    journal.close();
  });
});

describe('whether a record would be written', () => {
  test('is known before one is, and costs one probe a second while none would be', async () => {
    const journal = open();
    assert.equal(journal.unwritable(), null);
    const [opens, writes] = [fs.opens, fs.writes];
    for (let times = 0; times < 100; times += 1) journal.unwritable();
    assert.deepEqual([fs.opens, fs.writes], [opens, writes], 'a disk that works is not tried');

    fs.afterwards = 'EIO';
    assert.match(String(await append(journal, '{"n":1}')), /EIO/);
    const failedAt = fs.writes;
    for (let ms = 0; ms < 5 * RETRY_AFTER_MS; ms += 10) {
      nowMs += 10;
      assert.match(String(journal.unwritable()), /EIO/);
    }
    assert.equal(fs.writes, failedAt + 5);

    fs.afterwards = 'whole';
    nowMs += RETRY_AFTER_MS;
    assert.equal(journal.unwritable(), null);
    assert.equal(await append(journal, '{"n":2}'), null);
    assert.deepEqual(records(), ['{"n":2}']);
    journal.close();
    assert.match(String(journal.unwritable()), /closed/);
  });

  test('is told by the room on the disk also while no record comes', () => {
    const journal = open();
    fs.freeShare = 0.01;
    nowMs += RETRY_AFTER_MS;
    assert.match(String(journal.unwritable()), /ENOSPC/);
    fs.freeShare = 0.5;
    nowMs += RETRY_AFTER_MS;
    assert.equal(journal.unwritable(), null);
    journal.close();
  });

  test('makes an idle process begin no segments', () => {
    const journal = open();
    const before = fs.opens;
    nowMs += 10 * SEGMENT_AGE_MAX_MS;
    assert.equal(journal.unwritable(), null);
    assert.equal(fs.opens, before);
    journal.close();
  });
});

describe('append', () => {
  test('writes all records of a tick by one write, in their order', async () => {
    const journal = open();
    const before = fs.writes;
    assert.deepEqual(await appendAll(journal, ['{"n":1}', '{"n":2}', '{"n":3}']), [
      null,
      null,
      null,
    ]);
    assert.equal(fs.writes, before + 1);
    assert.deepEqual(records(), ['{"n":1}', '{"n":2}', '{"n":3}']);
    journal.close();
  });

  test('calls back after the record was handed to the kernel, and never at once', async () => {
    const journal = open();
    let called = false;
    journal.append('{"n":1}', () => {
      called = true;
      assert.deepEqual(records(), ['{"n":1}']);
    });
    assert.equal(called, false);
    await new Promise(setImmediate);
    assert.equal(called, true);
    journal.close();
  });

  test('takes records without a callback, and from within one', async () => {
    const journal = open();
    journal.append('{"n":1}');
    await new Promise<void>((resolve) => {
      journal.append('{"n":2}', () => journal.append('{"n":3}', () => resolve()));
    });
    assert.deepEqual(records(), ['{"n":1}', '{"n":2}', '{"n":3}']);
    journal.close();
  });

  test('keeps every character, also where a tick outgrows the buffer', async () => {
    const journal = open();
    const lines = Array.from({ length: 50 }, (_, n) =>
      JSON.stringify({ n, text: '€𝄞é'.repeat(9000) }),
    );
    await appendAll(journal, lines);
    assert.deepEqual(records(), lines);
    await append(journal, '{"small":1}');
    assert.equal(records().at(-1), '{"small":1}');
    journal.close();
  });

  test('refuses what is not one line', () => {
    const journal = open();
    assert.throws(() => journal.append('{"a":\n1}'), /one line/);
    assert.throws(() => journal.append(''), /one line/);
    assert.throws(() => journal.append('x'.repeat(RECORD_LENGTH_MAX + 1)), /one line/);
    journal.close();
    assert.deepEqual(records(), []);
  });

  test('writes streams to segments of their own', async () => {
    const money = open('money');
    const trace = open('trace');
    await append(money, '{"m":1}');
    await append(trace, '{"t":1}');
    assert.equal(segments().filter((name) => name.startsWith('trace-')).length, 1);
    assert.deepEqual(records(), ['{"m":1}', '{"t":1}']);
    money.close();
    trace.close();
  });
});

describe('a failing disk', () => {
  test('that takes few bytes at a time gets all of them in the end', async () => {
    const journal = open();
    fs.fates = [1, 2, 3, 1, 1];
    assert.deepEqual(await appendAll(journal, ['{"n":1}', '{"n":2}']), [null, null]);
    assert.deepEqual(records(), ['{"n":1}', '{"n":2}']);
    journal.close();
  });

  const failures: [string, WriteFate[]][] = [
    ['is full', ['ENOSPC']],
    ['is full in the middle of a line', [11, 'ENOSPC']],
    ['is full after a whole line', [8, 'ENOSPC']],
    ['is broken', ['EIO']],
    ['takes nothing without an error', [3, 0]],
  ];
  for (const [what, fates] of failures) {
    test(`that ${what} fails every record of the tick and leaves nothing of them`, async () => {
      const journal = open();
      await append(journal, '{"n":0}');
      fs.fates = [...fates];
      const told = await appendAll(journal, ['{"n":1}', '{"n":2}']);
      assert.ok(told.every((error) => error instanceof Error));
      assert.deepEqual(records(), ['{"n":0}']);
      assert.ok(readFileSync(join(directory, segments()[0] ?? ''), 'utf8').endsWith('\n'));
      assert.equal(journal.failure, told[0]);
      journal.close();
    });
  }

  test('is left alone for a second, then written to in a new segment', async () => {
    const journal = open();
    await append(journal, '{"n":0}');
    fs.afterwards = 'ENOSPC';
    await append(journal, '{"n":1}');
    const { writes, opens } = fs;
    for (let n = 0; n < 20; n += 1) {
      nowMs += RETRY_AFTER_MS / 20 - 1;
      assert.match(String(await append(journal, '{"n":2}')), /ENOSPC/);
    }
    assert.deepEqual([fs.writes, fs.opens], [writes, opens]);
    fs.afterwards = 'whole';
    nowMs += 20;
    assert.equal(await append(journal, '{"n":3}'), null);
    assert.equal(await append(journal, '{"n":4}'), null);
    assert.equal(segments().length, 2);
    assert.deepEqual(records(), ['{"n":0}', '{"n":3}', '{"n":4}']);
    journal.close();
  });

  test('leaves no trace of the segments that could not be begun', async () => {
    const journal = open();
    fs.afterwards = 'ENOSPC';
    for (let n = 0; n < 5; n += 1) {
      nowMs += RETRY_AFTER_MS;
      await append(journal, '{"n":1}');
    }
    assert.equal(segments().length, 1);
    journal.close();
  });

  test('that cannot even cut a torn line off gets no more bytes in that segment', async () => {
    const journal = open();
    fs.truncates = false;
    fs.fates = [3, 'EIO'];
    await append(journal, '{"n":1}');
    nowMs += RETRY_AFTER_MS;
    assert.equal(await append(journal, '{"n":2}'), null);
    assert.match(readFileSync(join(directory, segments()[0] ?? ''), 'utf8'), /\n\{"n$/);
    assert.deepEqual(records(), ['{"n":2}']);
    journal.close();
  });

  test('is tried again although the clock was set back', async () => {
    const journal = open();
    fs.fates = ['EIO'];
    await append(journal, '{"n":1}');
    nowMs -= 60 * 60 * 1000;
    assert.equal(await append(journal, '{"n":2}'), null);
    journal.close();
  });
});

describe('rotation', () => {
  test('begins a new segment when one is old enough', async () => {
    const journal = open();
    await append(journal, '{"n":1}');
    nowMs += SEGMENT_AGE_MAX_MS;
    await append(journal, '{"n":2}');
    await append(journal, '{"n":3}');
    assert.equal(segments().length, 2);
    assert.match(segments()[1] ?? '', /-000002\.ndjson$/);
    assert.deepEqual(records(), ['{"n":1}', '{"n":2}', '{"n":3}']);
    journal.close();
  });

  test('begins a new segment when one is full', async () => {
    // The bytes are counted, not kept: the disk of this test forgets them.
    fs.writeSync = (_fd, _buffer, _offset, length) => length;
    writeFileSync(join(directory, 'incarnation'), '0123456789abcdef\n');
    const journal = open();
    const record = `{"n":"${'x'.repeat(RECORD_LENGTH_MAX - 8)}"}`;
    for (let bytes = 0; bytes <= SEGMENT_BYTES_MAX; bytes += record.length) {
      await append(journal, record);
    }
    assert.equal(segments().length, 2);
    journal.close();
  });
});

describe('close', () => {
  test('writes what waits, and calls back', () => {
    const journal = open();
    let told: Error | null | undefined;
    journal.append('{"n":1}', (error) => {
      told = error;
    });
    journal.close();
    assert.equal(told, null);
    assert.deepEqual(records(), ['{"n":1}']);
    journal.close();
  });

  test('refuses the records that come later', async () => {
    const journal = open();
    journal.close();
    assert.match(String(await append(journal, '{"n":1}')), /closed/);
    assert.deepEqual(records(), []);
  });
});
