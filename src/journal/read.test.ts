import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import fc from 'fast-check';

import { createFaultFs } from './fault-fs.ts';
import { openJournal } from './journal.ts';
import { readJournal, type JournalLine } from './read.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-read-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(lines: readonly string[], startMs = Date.UTC(2026, 10, 20)): void {
  const journal = openJournal({
    directory,
    stream: 'money',
    writer: 'exchange',
    now: () => startMs,
  });
  for (const line of lines) journal.append(line);
  journal.close();
}

function segments(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(directory, name));
}

async function read(stream: 'money' | 'trace' = 'money'): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for await (const line of readJournal({ directory, stream })) lines.push(line);
  return lines;
}

async function readTexts(): Promise<string[]> {
  return (await read()).map(({ text }) => text);
}

describe('readJournal', () => {
  test('gives the records of all segments in the order of their starts', async () => {
    write(['{"n":3}'], Date.UTC(2026, 10, 21));
    write(['{"n":1}', '{"n":2}'], Date.UTC(2026, 10, 20));
    assert.deepEqual(await readTexts(), ['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  test('says where each record stands', async () => {
    write(['{"n":"é"}', '{"n":2}']);
    const bytes = readFileSync(segments()[0] ?? '');
    for (const { header, offset, text } of await read()) {
      assert.equal(header.stream, 'money');
      const length = Buffer.byteLength(text);
      assert.equal(bytes.subarray(offset, offset + length).toString(), text);
      assert.equal(bytes[offset + length], 0x0a);
    }
  });

  test('leaves the other stream and other files alone', async () => {
    write(['{"n":1}']);
    writeFileSync(join(directory, 'money-notes.txt'), 'hello\n');
    assert.deepEqual(await read('trace'), []);
    assert.deepEqual(await readTexts(), ['{"n":1}']);
  });

  test('takes a missing directory for an empty one', async () => {
    const lines: JournalLine[] = [];
    const missing = join(directory, 'missing');
    for await (const line of readJournal({ directory: missing, stream: 'money' })) lines.push(line);
    assert.deepEqual(lines, []);
  });

  test('does not return a torn last line', async () => {
    write(['{"n":1}']);
    appendFileSync(segments()[0] ?? '', '{"n":2');
    assert.deepEqual(await readTexts(), ['{"n":1}']);
  });

  test('reads lines longer than it reads at once', async () => {
    const lines = Array.from({ length: 3 }, (_, n) =>
      JSON.stringify({ n, text: '€'.repeat(90_000) }),
    );
    write(lines);
    assert.deepEqual(await readTexts(), lines);
  });

  for (const first of ['hello', '{"schema":1}']) {
    test(`refuses a segment that begins with ${first}`, async () => {
      writeFileSync(join(directory, 'money-x.ndjson'), `${first}\n{"n":1}\n`);
      await assert.rejects(read(), /does not begin with a segment header/);
    });
  }

  test('follows segments that grow and segments that come', { timeout: 10_000 }, async () => {
    write(['{"n":1}']);
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const { text } of readJournal({
      directory,
      stream: 'money',
      follow: abort.signal,
    })) {
      seen.push(text);
      const [first = ''] = segments();
      if (text === '{"n":1}') appendFileSync(first, '{"n":2}\n{"n":');
      if (text === '{"n":2}') appendFileSync(first, '3}\n');
      if (text === '{"n":3}') write(['{"n":4}'], Date.UTC(2026, 10, 22));
      if (text === '{"n":4}') abort.abort();
    }
    assert.deepEqual(seen, ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  });

  test('goes on when a segment that it follows is removed', { timeout: 10_000 }, async () => {
    write(['{"n":1}']);
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const { text } of readJournal({
      directory,
      stream: 'money',
      follow: abort.signal,
    })) {
      seen.push(text);
      if (text === '{"n":1}') {
        rmSync(segments()[0] ?? '');
        write(['{"n":2}'], Date.UTC(2026, 10, 22));
      } else abort.abort();
    }
    assert.deepEqual(seen, ['{"n":1}', '{"n":2}']);
  });
});

test('any split of the writes and a crash at any byte gives back a prefix of the whole lines', async () => {
  const text = fc.string({ unit: anyCharacter, minLength: 0, maxLength: 30 });
  const property = fc.asyncProperty(
    fc.array(text, { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    async (texts, splits, share) => {
      for (const path of segments()) rmSync(path);
      const lines = texts.map((value) => JSON.stringify({ value }));
      const fs = createFaultFs();
      const journal = openJournal({
        directory,
        stream: 'money',
        writer: 'exchange',
        now: () => 0,
        fs,
      });
      fs.fates = [...splits];
      for (const line of lines) journal.append(line);
      journal.close();
      const [path = ''] = segments();
      const bytes = readFileSync(path);
      const left = bytes.subarray(0, Math.round(share * bytes.length));
      writeFileSync(path, left);
      const wholeLines = left.filter((byte) => byte === 0x0a).length;
      assert.deepEqual(await readTexts(), lines.slice(0, Math.max(0, wholeLines - 1)));
    },
  );
  await fc.assert(property, { numRuns: runs(20) });
});

test('whatever fails when, the readable records are exactly the acknowledged ones', async () => {
  const fate = fc.oneof(
    fc.constant('whole' as const),
    fc.constant('ENOSPC' as const),
    fc.constant('EIO' as const),
    fc.integer({ min: 0, max: 60 }),
  );
  const property = fc.asyncProperty(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 1500 })), {
      maxLength: 10,
    }),
    fc.array(fate, { maxLength: 30 }),
    async (ticks, fates) => {
      for (const path of segments()) rmSync(path);
      let nowMs = 0;
      const fs = createFaultFs();
      const journal = openJournal({
        directory,
        stream: 'money',
        writer: 'exchange',
        now: () => nowMs,
        fs,
      });
      fs.fates = [...fates];
      const acknowledged: string[] = [];
      let n = 0;
      for (const [records, pauseMs] of ticks) {
        const told: Promise<void>[] = [];
        for (let i = 0; i < records; i += 1) {
          const line = JSON.stringify({ n: (n += 1) });
          told.push(
            new Promise((resolve) => {
              journal.append(line, (error) => {
                if (error === null) acknowledged.push(line);
                resolve();
              });
            }),
          );
        }
        await Promise.all(told);
        nowMs += pauseMs;
      }
      journal.close();
      assert.deepEqual(await readTexts(), acknowledged);
    },
  );
  await fc.assert(property, { numRuns: runs(10) });
});
