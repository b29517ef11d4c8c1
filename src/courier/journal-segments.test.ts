import assert from 'node:assert/strict';
import nodeFs, {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';

import { marked, unmarked } from '../../test/support/journal-lines.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { sealSegment } from '../journal/seal.ts';
import { SCHEMA_OF, type JournalStream, type JournalWriter } from '../journal/segment.ts';
import { JournalSegments } from './journal-segments.ts';
import type { Acknowledged } from './shipping-state.ts';

const START_MS = Date.UTC(2026, 10, 20);

let directory: string;
let running: boolean;
let log: string[];
let said: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-segments-'));
  running = true;
  log = [];
  said = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(
  stream: JournalStream = 'money',
  nowMs = START_MS,
  writer: JournalWriter = 'exchange',
): Journal {
  return openJournal({ directory, stream, writer, now: () => nowMs });
}

/** A journal of a process that has written these lines and ended. */
function write(
  lines: readonly string[],
  stream: JournalStream = 'money',
  nowMs = START_MS,
): string {
  const before = new Set(readdirSync(directory));
  const journal = open(stream, nowMs);
  for (const line of lines) journal.append(line);
  journal.close();
  return readdirSync(directory).find((name) => name.endsWith('.ndjson') && !before.has(name)) ?? '';
}

function segmentsOf(): JournalSegments {
  return new JournalSegments({
    directory,
    incarnation: readIncarnation(directory, nodeFs),
    logger: pino({}, { write: (line) => tell(JSON.parse(line)) }),
    now: () => Date.now(),
    isRunning: () => running,
  });
}

function tell({ reason, msg }: { reason: string; msg: string }): void {
  log.push(reason);
  said.push(msg);
}

function sizeOf(name: string): number {
  return statSync(join(directory, name)).size;
}

/** What is acknowledged of each segment. */
function acknowledged(...offsets: [string, number][]): Map<string, Acknowledged> {
  return new Map(offsets.map(([name, offset]) => [name, { offset, atMs: 7 }]));
}

const NOTHING = acknowledged();

/** Changes the header of a segment as another version would have written it. */
function edit(name: string, from: string, to: string): void {
  const path = join(directory, name);
  const [header = '', ...lines] = nodeFs.readFileSync(path, 'utf8').split('\n');
  const edited = (unmarked(header) ?? '').replace(from, to);
  writeFileSync(path, [marked(edited, 0), ...lines].join('\n'));
}

describe('waiting', () => {
  test('gives the money that is not acknowledged, the oldest process first', async () => {
    const segments = segmentsOf();
    const second = write(['{"n":2}'], 'money', START_MS + 1000);
    const first = write(['{"n":1}']);
    const done = write(['{"n":3}'], 'money', START_MS + 2000);
    write(['{"t":1}'], 'trace');
    writeFileSync(join(directory, 'money-notes.txt'), 'hello\n');
    const waiting = await segments.waiting(acknowledged([done, sizeOf(done)]));
    assert.deepEqual(
      waiting.map(({ name, start, bytes }) => [name, start, bytes]),
      [
        [first, 0, `${marked('{"n":1}', 1)}\n`.length],
        [second, 0, `${marked('{"n":2}', 1)}\n`.length],
      ],
    );
  });

  test('gives a segment again when it has grown', async () => {
    const segments = segmentsOf();
    const name = write(['{"n":1}']);
    const size = sizeOf(name);
    const known = acknowledged([name, size]);
    assert.deepEqual(await segments.waiting(known), []);
    appendFileSync(join(directory, name), '{"n":2}\n');
    const [waiting] = await segments.waiting(known);
    assert.deepEqual([waiting?.start, waiting?.bytes], [size, 8]);
  });

  test('gives no segment that holds a header alone, or a torn one', async () => {
    const segments = segmentsOf();
    write([]);
    const name = write(['{"n":1}'], 'money', START_MS + 1000);
    writeFileSync(join(directory, name), '{"schema":1,"str');
    assert.deepEqual(await segments.waiting(NOTHING), []);
    assert.equal(segments.unreadable, 0);
  });

  test('does not give a torn line again until something has been added', async () => {
    const segments = segmentsOf();
    const name = write([]);
    appendFileSync(join(directory, name), '{"n":');
    const [torn] = await segments.waiting(NOTHING);
    torn?.foundNothing(sizeOf(name));
    assert.deepEqual(await segments.waiting(NOTHING), []);
    appendFileSync(join(directory, name), '1}\n');
    assert.equal((await segments.waiting(NOTHING)).length, 1);
  });

  test('leaves what this version cannot read, and says so once', async () => {
    const segments = segmentsOf();
    edit(write(['{"n":1}']), `"schema":${SCHEMA_OF.money}`, '"schema":99');
    edit(write(['{"n":2}'], 'money', START_MS + 1), '"incarnation":"', '"incarnation":"x');
    edit(write(['{"n":3}'], 'money', START_MS + 2), '"stream":"money"', '"stream":"trace"');
    edit(write(['{"n":4}'], 'money', START_MS + 3), '"pid":', '"process":');
    const good = write(['{"n":5}'], 'money', START_MS + 4);
    for (let look = 0; look < 3; look += 1) {
      const names = (await segments.waiting(NOTHING)).map(({ name }) => name);
      assert.deepEqual(names, [good]);
    }
    assert.equal(segments.unreadable, 4);
    assert.equal(log.length, 4);
    assert.match(log[0] ?? '', /version 99/);
    assert.match(log[1] ?? '', /another data directory/);
    assert.match(log[2] ?? '', /holds trace/);
    assert.match(log[3] ?? '', /header of another version/);
    running = false;
    const kept = await segments.survey(NOTHING);
    const removable = kept.filter(({ acknowledgedMs }) => acknowledgedMs !== null);
    assert.deepEqual(removable, []);
  });

  test('gives a segment whose header is damaged, from its first byte on', async () => {
    const segments = segmentsOf();
    const name = write(['{"kind":"click"}']);
    const path = join(directory, name);
    nodeFs.chmodSync(path, 0o400);
    const bytes = nodeFs.readFileSync(path).fill('x', 3, 9);
    rmSync(path);
    writeFileSync(path, bytes, { mode: 0o400 });
    const [waiting] = await segments.waiting(NOTHING);
    assert.deepEqual([waiting?.name, waiting?.headerEnd, waiting?.bytes], [name, 0, sizeOf(name)]);
    assert.equal(segments.unreadable, 0);
    const [kept] = await segments.survey(acknowledged([name, sizeOf(name)]));
    assert.ok((kept?.heldUntilMs ?? 0) > 0, 'its first record says that a tracker wrote it');
  });

  test('names a segment that ends before what was acknowledged of it', async () => {
    const segments = segmentsOf();
    const name = write(['{"n":1}']);
    const known = acknowledged([name, sizeOf(name) + 1]);
    await segments.waiting(known);
    await segments.waiting(known);
    assert.equal(segments.shortened, 1);
    assert.deepEqual(said, ['a segment of the journal has lost its end']);
  });

  test('gives each stream its own, of traces those that somebody reads', async () => {
    const segments = segmentsOf();
    const money = write(['{"n":1}']);
    const trace = write(['{"t":1}'], 'trace');
    const old = write(['{"t":2}'], 'trace', START_MS + 1);
    edit(old, `"schema":${SCHEMA_OF.trace}`, '"schema":1');
    const names = async (stream: JournalStream) =>
      (await segments.waiting(NOTHING, stream)).map(({ name }) => name);
    assert.deepEqual(await names('money'), [money]);
    assert.deepEqual(await names('trace'), [trace]);
    assert.equal(segments.unreadable, 0, 'of no concern to anybody');
    assert.match(log[0] ?? '', /version 1, not 3/);
    running = false;
    await segments.survey(acknowledged([trace, sizeOf(trace)]));
    assert.deepEqual(await names('trace'), []);
  });

  test('gives nothing of a tracker that ended before it sealed its segment, until somebody has', async () => {
    const journal = open('money', START_MS, 'tracker');
    journal.append('{"n":1}');
    journal.close();
    const segments = segmentsOf();
    const names = async () => (await segments.waiting(NOTHING)).map(({ name }) => name);
    const name = readdirSync(directory).find((each) => each.endsWith('.ndjson')) ?? '';
    assert.deepEqual(await names(), [name], 'while its process runs it tells what it has synced');
    running = false;
    assert.deepEqual(await names(), []);
    await sealSegment(join(directory, name));
    assert.deepEqual(await names(), [name]);
  });

  test('says so when the journal is not there, which is not the same as empty', async () => {
    const segments = segmentsOf();
    rmSync(directory, { recursive: true });
    await assert.rejects(segments.waiting(NOTHING), /ENOENT/);
    nodeFs.mkdirSync(directory);
  });
});

describe('unacknowledged', () => {
  test('gives the sizes of all money that is not acknowledged, also of what cannot be shipped', async () => {
    const segments = segmentsOf();
    const sizes = async (known: Map<string, Acknowledged>) =>
      Object.fromEntries(await segments.unacknowledged(known));
    write(['{"t":1}'], 'trace');
    const empty = write([]);
    const done = write(['{"n":1}'], 'money', START_MS + 1);
    const partly = write(['{"n":2}', '{"n":3}'], 'money', START_MS + 2);
    const foreign = write(['{"n":4}'], 'money', START_MS + 3);
    const path = join(directory, foreign);
    writeFileSync(path, nodeFs.readFileSync(path, 'utf8').replace('{', 'garbage'));
    open('money', START_MS + 4, 'tracker').append('{"n":5}');
    const others = new Set([done, partly, foreign, empty]);
    const tracker =
      readdirSync(directory).find((name) => name.startsWith('money-') && !others.has(name)) ?? '';
    // The tracker is gone, and has not sealed its segment.
    running = false;
    const known = acknowledged([done, sizeOf(done)], [partly, sizeOf(partly) - 8]);
    assert.deepEqual(await sizes(known), {
      [partly]: sizeOf(partly),
      [foreign]: sizeOf(foreign),
      [tracker]: sizeOf(tracker),
    });
    known.set(partly, { offset: sizeOf(partly), atMs: 7 });
    known.set(tracker, { offset: sizeOf(tracker), atMs: 7 });
    assert.deepEqual(await sizes(known), { [foreign]: sizeOf(foreign) });
  });

  test('leaves out a torn line behind which nothing will come', async () => {
    const segments = segmentsOf();
    const name = write([]);
    appendFileSync(join(directory, name), '{"n":');
    assert.equal((await segments.unacknowledged(NOTHING)).get(name), sizeOf(name));
    const [torn] = await segments.waiting(NOTHING);
    torn?.foundNothing(sizeOf(name));
    assert.equal((await segments.unacknowledged(NOTHING)).size, 0);
  });
});

describe('survey', () => {
  test('says of every segment what it holds and whether it is done with', async () => {
    const segments = segmentsOf();
    const journal = open();
    const live = readdirSync(directory).find((name) => name.endsWith('.ndjson')) ?? '';
    const surveyed = async () =>
      (await segments.survey(acknowledged([live, sizeOf(live)]))).map(
        ({ name, bytes, closed, acknowledgedMs }) => [name, bytes, closed, acknowledgedMs],
      );
    assert.deepEqual(await surveyed(), [[live, sizeOf(live), false, null]]);
    running = false;
    assert.deepEqual(await surveyed(), [[live, sizeOf(live), true, 7]]);
    journal.close();
  });

  test('holds what a tracker of the first version wrote, which did not say so', async () => {
    const names = [
      write(['{"kind":"auction"}']),
      write(['{"kind":"impression"}'], 'money', START_MS + 1),
    ];
    for (const name of names) {
      const path = join(directory, name);
      const text = nodeFs.readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('"writer":"exchange",', ''));
    }
    const [exchange, tracker] = await segmentsOf().survey(NOTHING);
    assert.equal(exchange?.heldUntilMs, 0);
    assert.ok((tracker?.heldUntilMs ?? 0) > START_MS);
  });

  test('holds what a tracker wrote as long as its beacons may come again', async () => {
    write(['{"n":1}']);
    open('money', START_MS + 1, 'tracker').close();
    const [exchange, tracker] = await segmentsOf().survey(NOTHING);
    assert.equal(exchange?.heldUntilMs, 0);
    const hours = ((tracker?.heldUntilMs ?? 0) - (tracker?.modifiedMs ?? 0)) / 3_600_000;
    assert.ok(hours > 4 && hours < 4.2, `${hours}`);
  });

  test('finds what a process wrote after the last look and before its end', async () => {
    const name = write(['{"n":1}']);
    const size = sizeOf(name);
    const segments = new JournalSegments({
      directory,
      incarnation: readIncarnation(directory, nodeFs),
      logger: pino({ level: 'silent' }),
      now: () => Date.now(),
      // Between the look at the size and this question the process writes once more, and ends.
      isRunning: () => {
        appendFileSync(join(directory, name), '{"n":2}\n');
        return false;
      },
    });
    const [kept] = await segments.survey(acknowledged([name, size]));
    assert.deepEqual([kept?.closed, kept?.acknowledgedMs, kept?.bytes], [true, null, size + 8]);
  });

  test('takes a closed segment that ends in a torn line for done once its lines are', async () => {
    const segments = segmentsOf();
    running = false;
    const name = write(['{"n":1}']);
    const known = acknowledged([name, sizeOf(name)]);
    appendFileSync(join(directory, name), '{"n":');
    const doneMs = async () => (await segments.survey(known))[0]?.acknowledgedMs;
    assert.equal(await doneMs(), null);
    const [torn] = await segments.waiting(known);
    torn?.foundNothing(sizeOf(name));
    assert.equal(await doneMs(), 7);
  });

  test('takes a closed segment without a record for done', async () => {
    const segments = segmentsOf();
    running = false;
    const name = write([]);
    const { mtimeMs } = statSync(join(directory, name));
    const [kept] = await segments.survey(NOTHING);
    assert.equal(kept?.acknowledgedMs, mtimeMs);
  });

  test('leaves what a running process writes open, however old the clock makes it', async () => {
    const journal = open('money', START_MS);
    const name = readdirSync(directory).find((each) => each.endsWith('.ndjson')) ?? '';
    const segments = new JournalSegments({
      directory,
      incarnation: readIncarnation(directory, nodeFs),
      logger: pino({ level: 'silent' }),
      now: () => Date.now(),
    });
    for (const days of [1, 2, 400]) {
      const seconds = Date.now() / 1_000 - days * 86_400;
      utimesSync(join(directory, name), seconds, seconds);
      const [kept] = await segments.survey(acknowledged([name, sizeOf(name)]));
      assert.deepEqual([kept?.closed, kept?.acknowledgedMs], [false, null], `${days} days`);
    }
    journal.append('{"n":1}');
    journal.close();
    assert.equal((await segments.waiting(NOTHING))[0]?.name, name);
  });

  test('forgets a segment that is gone', async () => {
    const segments = segmentsOf();
    const name = write(['{"n":1}']);
    assert.equal((await segments.survey(NOTHING)).length, 1);
    rmSync(join(directory, name));
    assert.deepEqual(await segments.survey(NOTHING), []);
    assert.deepEqual(await segments.waiting(NOTHING), []);
  });
});
