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
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import fc from 'fast-check';

import { createFaultFs } from './fault-fs.ts';
import { openJournal } from './journal.ts';
import { readJournal, type DamagedPlace, type JournalLine } from './read.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { marked } from '../../test/support/journal-lines.ts';

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
    const [path = ''] = segments();
    const bytes = readFileSync(path);
    for (const [index, { segment, writer, offset, text }] of (await read()).entries()) {
      assert.deepEqual([segment, writer], [basename(path), 'exchange']);
      const end = bytes.indexOf('\n', offset);
      assert.equal(bytes.toString('utf8', offset, end), marked(text, index + 1));
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

  test('refuses a segment of another version', async () => {
    writeFileSync(join(directory, 'money-x.ndjson'), `${marked('{"schema":1}', 0)}\n`);
    await assert.rejects(read(), /money-x\.ndjson is of another version of Rialto/);
  });

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
      if (text === '{"n":1}') appendFileSync(first, `${marked('{"n":2}', 2)}\n{"n":`);
      if (text === '{"n":2}') appendFileSync(first, `${marked('{"n":3}', 3).slice(5)}\n`);
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

describe('damage', () => {
  const LINES = Array.from({ length: 10 }, (_, n) => `{"n":${n + 1},"price":1000}`);

  /** The numbers of the records that are read, and what is told of the rest. */
  async function readDamaged(): Promise<{ numbers: number[]; damage: DamagedPlace[] }> {
    const damage: DamagedPlace[] = [];
    const numbers: number[] = [];
    const onDamage = (place: DamagedPlace): void => void damage.push(place);
    for await (const { text } of readJournal({ directory, stream: 'money', onDamage })) {
      numbers.push(JSON.parse(text).n);
    }
    return { numbers, damage };
  }

  /** Changes the bytes of the only segment; the offsets are those of its lines, the header first. */
  function change(edit: (bytes: Buffer, offsets: readonly number[]) => Buffer): readonly number[] {
    const [path = ''] = segments();
    const bytes = readFileSync(path);
    const offsets = [0];
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1))
      offsets.push(at + 1);
    writeFileSync(path, edit(bytes, offsets));
    return offsets;
  }

  test('is refused by a reader that did not ask for it', async () => {
    write(LINES);
    change((bytes) =>
      Buffer.from(bytes.toString().replace('"n":4,"price":1000', '"n":4,"price":9000')),
    );
    await assert.rejects(read(), /is damaged at bytes \d+ to \d+: 1 records are lost/);
  });

  test('of a digit in a price takes that record alone', async () => {
    write(LINES);
    const at = change((bytes) =>
      Buffer.from(bytes.toString().replace('"n":4,"price":1000', '"n":4,"price":9000')),
    );
    const { numbers, damage } = await readDamaged();
    assert.deepEqual(numbers, [1, 2, 3, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(damage, [
      { segment: basename(segments()[0] ?? ''), start: at[4], end: at[5], missing: 1 },
    ]);
  });

  test('of the header leaves all records', async () => {
    write(LINES);
    const at = change((bytes) => bytes.fill(0, 0, 40));
    const { numbers, damage } = await readDamaged();
    assert.equal(numbers.length, 10);
    assert.deepEqual(
      damage.map(({ start, end, missing }) => [start, end, missing]),
      [[0, at[1], 0]],
    );
  });

  test('by bytes that were cut out is counted by the numbers around them, also between two lines', async () => {
    for (const within of [0, 5]) {
      for (const path of segments()) rmSync(path);
      write(LINES);
      change((bytes, at) =>
        Buffer.concat([
          bytes.subarray(0, (at[3] ?? 0) + within),
          bytes.subarray((at[7] ?? 0) + within * 2),
        ]),
      );
      const { numbers, damage } = await readDamaged();
      const lost = within === 0 ? [3, 4, 5, 6] : [3, 4, 5, 6, 7];
      assert.deepEqual(
        numbers,
        LINES.map((_, n) => n + 1).filter((n) => !lost.includes(n)),
      );
      assert.deepEqual(
        damage.map(({ missing }) => missing),
        [lost.length],
      );
    }
  });

  test('by zeros over several lines is counted by the numbers around them', async () => {
    write(LINES);
    change((bytes, at) => bytes.fill(0, (at[2] ?? 0) + 4, (at[6] ?? 0) + 4));
    const { numbers, damage } = await readDamaged();
    assert.deepEqual(numbers, [1, 7, 8, 9, 10]);
    assert.deepEqual(
      damage.map(({ missing }) => missing),
      [5],
    );
  });

  test('at the end of a segment is found by the first number of the next one', async () => {
    let nowMs = 0;
    const journal = openJournal({
      directory,
      stream: 'money',
      writer: 'exchange',
      now: () => nowMs,
    });
    const append = (n: number) =>
      new Promise((resolve) => {
        journal.append(`{"n":${n}}`, resolve);
      });
    for (const n of [1, 2, 3]) await append(n);
    nowMs += 3_600_000;
    await append(4);
    journal.close();
    const [first = ''] = segments();
    const text = readFileSync(first, 'utf8');
    writeFileSync(first, text.slice(0, text.indexOf('{"n":2')));
    const { numbers, damage } = await readDamaged();
    assert.deepEqual(numbers, [1, 4]);
    assert.deepEqual(
      damage.map(({ missing }) => missing),
      [2],
    );
  });

  test('is found wherever any bytes are changed or cut out, and takes no intact record', async () => {
    const property = fc.asyncProperty(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 300 }),
      fc.constantFrom('zeros', 'cut', 'newlines'),
      async (place, length, what) => {
        for (const path of segments()) rmSync(path);
        write(LINES);
        let hit: number[] = [];
        change((bytes, at) => {
          // The last line stays: only the line after it could tell that it is missing.
          const start = Math.floor(place * ((at[10] ?? 0) - 1));
          const end = Math.min(start + length, (at[10] ?? 0) - 1);
          const isHit = (n: number): boolean => (at[n + 1] ?? 0) > start && (at[n] ?? 0) < end;
          hit = LINES.map((_, n) => n + 1).filter(isHit);
          const filler = what === 'cut' ? 0 : end - start;
          const filled = Buffer.alloc(filler, what === 'zeros' ? 0 : '\n');
          return Buffer.concat([bytes.subarray(0, start), filled, bytes.subarray(end)]);
        });
        const { numbers, damage } = await readDamaged();
        const missing = damage.reduce((sum, each) => sum + each.missing, 0);
        assert.equal(missing + numbers.length, LINES.length);
        for (let n = 1; n <= LINES.length; n += 1)
          assert.ok(numbers.includes(n) || hit.includes(n));
        assert.ok(damage.length > 0);
      },
    );
    await fc.assert(property, { numRuns: runs(30) });
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
