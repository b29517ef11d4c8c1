import assert from 'node:assert/strict';
import nodeFs, { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import fc from 'fast-check';
import { pino } from 'pino';

import { FakeControl, type OfferFate } from '../../test/support/fake-control.ts';
import { marked, unmarked } from '../../test/support/journal-lines.ts';
import { until } from '../../test/support/wait.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { BATCH_BYTES_MAX } from '../ports/batch.ts';
import { SyncFailure } from './durable-file.ts';
import { JournalSegments } from './journal-segments.ts';
import { readTrimmedMs } from './shipping-state.ts';
import { Shipper, type ShipperOptions } from './shipper.ts';
import { runs } from '../../test/support/effort.ts';

const PACE = { batchAfterMs: 1, lookMs: 1, idleMs: 1, retry: { firstMs: 1, lastMs: 2 } };

let dataDirectory: string;
let journalDirectory: string;
let control: FakeControl;
let log: { level: string; msg: string }[];
let shippers: Shipper[];
let startMs: number;

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-shipper-'));
  journalDirectory = join(dataDirectory, 'journal');
  nodeFs.mkdirSync(journalDirectory);
  control = new FakeControl();
  log = [];
  shippers = [];
  startMs = Date.UTC(2026, 10, 20);
});
afterEach(async () => {
  await Promise.allSettled(shippers.map((shipper) => shipper.stop()));
  control.close();
  rmSync(dataDirectory, { recursive: true });
});

/** A process that writes these lines and ends; the next one starts a second later. */
function write(lines: readonly string[], tail = ''): string {
  const journal = openJournal({
    directory: journalDirectory,
    stream: 'money',
    writer: 'exchange',
    now: () => startMs,
  });
  for (const line of lines) journal.append(line);
  journal.close();
  startMs += 1000;
  const name = segments().at(-1) ?? '';
  appendFileSync(join(journalDirectory, name), tail);
  return name;
}

/** What a process adds to a segment that it has begun, and a part of another line. */
function grow(name: string, lines: readonly string[], tail = ''): void {
  const path = join(journalDirectory, name);
  const written = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const last = written.findLast((line) => unmarked(line) !== null) ?? '';
  const first = Number(/"line":(\d+)/.exec(last)?.[1]) + 1;
  const text = lines.map((line, index) => `${marked(line, first + index)}\n`).join('');
  appendFileSync(path, text + tail);
}

function segments(): string[] {
  return readdirSync(journalDirectory)
    .filter((name) => name.endsWith('.ndjson'))
    .sort();
}

async function openShipper(differs: Partial<ShipperOptions> = {}): Promise<Shipper> {
  const incarnation = readIncarnation(journalDirectory, nodeFs);
  const logger = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void log.push(JSON.parse(line)) },
  );
  const now = Date.now;
  const shipper = await Shipper.open({
    stream: 'money',
    dataDirectory,
    journalDirectory,
    incarnation,
    segments: new JournalSegments({ directory: journalDirectory, incarnation, logger, now }),
    control,
    logger,
    now,
    pace: PACE,
    ...differs,
  });
  shippers.push(shipper);
  return shipper;
}

async function startShipper(differs: Partial<ShipperOptions> = {}): Promise<Shipper> {
  const shipper = await openShipper(differs);
  void shipper.run();
  return shipper;
}

async function drained(shipper: Shipper): Promise<void> {
  await until('nothing waits', 10_000, async () => (await shipper.figures()).backlogBytes === 0);
}

function errors(): string[] {
  return log.filter(({ level }) => level === 'error').map(({ msg }) => msg);
}

describe('Shipper', () => {
  test('ships what is there and what comes, once', async () => {
    write(['{"n":1}', '{"n":2}']);
    const shipper = await startShipper();
    await drained(shipper);
    grow(write(['{"n":3}']), ['{"n":4}'], '{"n":');
    await until('all is loaded', 5_000, () => control.lines.length === 4);
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
    const figures = await shipper.figures();
    assert.equal(figures.retries, 0);
    assert.ok(figures.loaded >= 2 && figures.shippedBytes > 0);
    assert.deepEqual(log, []);
  });

  test('has the manifest on its disk before it offers a batch', async () => {
    const seen: unknown[] = [];
    control.onOffer = () => {
      const path = join(dataDirectory, 'courier', 'shipping.json');
      seen.push(JSON.parse(readFileSync(path, 'utf8')).inFlight);
    };
    write(['{"n":1}']);
    const shipper = await startShipper();
    await drained(shipper);
    write(['{"n":2}']);
    await until('the second is offered', 5_000, () => seen.length === 2);
    assert.deepEqual(seen, control.offered);
  });

  const failures: OfferFate[] = [
    'lost before',
    'lost after',
    'killed between',
    'status 500',
    'not now',
  ];
  for (const fate of failures) {
    test(`offers the same bytes again after an offer that went: ${fate}`, async () => {
      write(['{"n":1}']);
      control.fates = [fate, fate, fate];
      // More comes between the offers, and has to wait for a batch of its own.
      control.onOffer = () => {
        grow(segments()[0] ?? '', ['{"n":2}']);
      };
      const shipper = await startShipper();
      await until('it is offered four times', 5_000, () => control.offered.length >= 4);
      control.onOffer = () => {};
      await drained(shipper);
      for (const body of control.bodies.slice(1, 4)) assert.deepEqual(body, control.bodies[0]);
      assert.equal(control.lines.filter((line) => line === '{"n":1}').length, 1);
      assert.equal((await shipper.figures()).retries, 3);
      const levels = log.map(({ level, msg }) => `${level} ${msg}`);
      assert.deepEqual(levels, [
        'warn records are not shipped; trying on, they are kept',
        'info shipping works again',
      ]);
    });
  }

  test('goes on with the same bytes after it was killed, at the offer or before its acknowledgement', async () => {
    write(['{"n":1}']);
    control.fates = ['lost before', 'well'];
    for (let life = 0; life < 2; life += 1) {
      const shipper = await openShipper();
      control.onOffer = () => void shipper.stop();
      await shipper.run();
      grow(segments()[0] ?? '', ['{"n":2}']);
    }
    control.onOffer = () => {};
    await drained(await startShipper());
    assert.deepEqual(control.bodies[1], control.bodies[0]);
    assert.deepEqual(control.bodies[2], control.bodies[0]);
    assert.deepEqual(control.results.slice(0, 2), ['loaded', 'already']);
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}', '{"n":2}']);
  });

  test('ships a backlog batch after batch, without a pause, in batches that are full', async () => {
    const line = JSON.stringify({ x: 'x'.repeat(100_000) });
    write(Array.from({ length: 100 }, () => line));
    const pace = { batchAfterMs: 60_000, lookMs: 1, idleMs: 1, retry: PACE.retry };
    const shipper = await startShipper({ pace });
    await until('two batches are loaded', 10_000, () => control.results.length === 2);
    const sizes = control.bodies.map((body) => body.length);
    assert.ok(
      sizes.every((size) => size > BATCH_BYTES_MAX - 100_000 && size < BATCH_BYTES_MAX + 1000),
    );
    assert.ok((await shipper.figures()).backlogBytes > 1_000_000);
    // The rest is less than a batch, and waits until it is time.
    assert.equal(control.results.length, 2);
  });

  test('tells how far behind it is while a batch is not taken', async () => {
    write([JSON.stringify({ at_ms: Date.now() - 60_000 })]);
    control.fates = Array.from({ length: 1000 }, () => 'not now');
    const shipper = await startShipper();
    await until('it was offered', 5_000, () => control.offered.length > 0);
    const { backlogSeconds, backlogBytes } = await shipper.figures();
    assert.ok(backlogSeconds >= 60 && backlogSeconds < 65, `${backlogSeconds}`);
    assert.ok(backlogBytes > 0);
    control.fates = [];
    await drained(shipper);
    assert.equal((await shipper.figures()).backlogSeconds, 0);
  });

  test('goes on after a batch that control has put into quarantine, with an alarm', async () => {
    write(['{"n":1}']);
    control.fates = ['refused'];
    const shipper = await startShipper();
    await drained(shipper);
    write(['{"n":2}']);
    await until('the next is loaded', 5_000, () => control.lines.length === 1);
    assert.equal((await shipper.figures()).quarantined, 1);
    assert.deepEqual(errors(), ['control holds records in quarantine']);
  });

  test('whose state is lost goes on from where control is', async () => {
    write(['{"n":1}', '{"n":2}']);
    const first = await startShipper();
    await drained(first);
    await first.stop();
    rmSync(join(dataDirectory, 'courier'), { recursive: true });
    grow(segments()[0] ?? '', ['{"n":3}']);
    await drained(await startShipper());
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}', '{"n":3}']);
    assert.deepEqual(control.results, ['loaded', 'conflict', 'loaded']);
  });

  test('whose state is lost with a batch in flight goes on behind what of it is loaded', async () => {
    write(['{"n":1}']);
    control.fates = ['killed between'];
    const first = await openShipper();
    control.onOffer = () => void first.stop();
    await first.run();
    rmSync(join(dataDirectory, 'courier'), { recursive: true });
    grow(segments()[0] ?? '', ['{"n":2}']);
    control.onOffer = () => {};
    await drained(await startShipper());
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}']);
    assert.deepEqual(control.results, ['conflict', 'loaded']);
  });

  test('stops and calls for a person when control has less than it had acknowledged', async () => {
    const name = write(['{"n":1}', '{"n":2}']);
    const shipper = await startShipper();
    await drained(shipper);
    assert.equal(shipper.controlIsBehind, false);
    control.offsets.clear();
    grow(name, ['{"n":3}']);
    await until('it was offered', 5_000, async () => (await shipper.figures()).conflicts >= 3);
    assert.equal(shipper.controlIsBehind, true);
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}']);
    assert.deepEqual(errors(), [
      'control has less than it had acknowledged: a store was set back; if so, run rialto reoffer',
    ]);
    // Somebody decides that all of it is to be offered again.
    await shipper.stop();
    rmSync(join(dataDirectory, 'courier'), { recursive: true });
    control.lines.length = 0;
    await drained(await startShipper());
    assert.deepEqual(control.lines, ['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  test('goes on when the batch in flight is not in the journal any more, and says what is lost', async () => {
    const name = write(['{"n":1}', '{"n":2}']);
    control.fates = ['lost before'];
    const first = await openShipper();
    control.onOffer = () => void first.stop();
    await first.run();
    rmSync(join(journalDirectory, name));
    write(['{"n":3}']);
    control.onOffer = () => {};
    const shipper = await startShipper();
    await drained(shipper);
    assert.deepEqual(control.lines, ['{"n":3}']);
    assert.deepEqual(errors(), [
      'the batch in flight cannot be made again and is given up',
      'the journal is damaged: what can be read there goes into quarantine',
    ]);
    assert.equal((await shipper.figures()).missingRecords, 2);
    assert.equal((await control.quarantine.figures()).missing, 2);
  });

  test('ends at the first fsync that fails, and offers nothing', async () => {
    write(['{"n":1}']);
    const shipper = await openShipper({
      openSegment: async (path) => {
        const file = await open(path);
        return {
          read: (...args) => file.read(...args),
          stat: () => file.stat(),
          datasync: () => Promise.reject(new Error('EIO')),
          close: () => file.close(),
        };
      },
    });
    await assert.rejects(shipper.run(), SyncFailure);
    assert.deepEqual(control.offered, []);
  });

  test('waits while its state cannot be written, and goes on when it can', async () => {
    write(['{"n":1}']);
    nodeFs.writeFileSync(join(dataDirectory, 'courier'), 'not a directory');
    const shipper = await startShipper();
    await until('it fails', 5_000, async () => (await shipper.figures()).retries > 0);
    assert.deepEqual(control.offered, []);
    rmSync(join(dataDirectory, 'courier'));
    await drained(shipper);
    assert.deepEqual(control.lines, ['{"n":1}']);
  });

  test('remembers removed segments until control has been told', async () => {
    const name = write(['{"n":1}']);
    const shipper = await startShipper();
    await drained(shipper);
    rmSync(join(journalDirectory, name));
    shipper.removed('never-acknowledged.ndjson');
    shipper.removed(name);
    await until('it is written', 5_000, () =>
      readFileSync(join(dataDirectory, 'courier', 'shipping.json'), 'utf8').includes(
        `"gone":["${name}"]`,
      ),
    );
    await shipper.stop();
    const next = await openShipper();
    assert.deepEqual([...next.gone], [name]);
    assert.equal(next.acknowledged.has(name), false);
    next.forget([name]);
    assert.deepEqual([...next.gone], []);
  });

  test('has on the disk until when the journal is not whole any more, before it is removed', async () => {
    write(['{"n":1}']);
    const shipper = await startShipper();
    const laterMs = Date.now() + 60_000;
    // Beside whatever shipping writes meanwhile.
    await Promise.all([shipper.trims(laterMs - 1), shipper.trims(laterMs), drained(shipper)]);
    assert.equal(await readTrimmedMs(dataDirectory), laterMs);
    await shipper.trims(5);
    assert.equal(await readTrimmedMs(dataDirectory), laterMs);
    await shipper.stop();
  });
});

/** One step of a node's life. */
type Step =
  | {
      readonly kind: 'write';
      readonly lines: number;
      readonly tail: string;
      readonly grows: boolean;
    }
  /** A courier that is killed at its so manieth offer; offers meet these fates. */
  | { readonly kind: 'ship'; readonly fates: OfferFate[]; readonly killedAt: number }
  | { readonly kind: 'lose the state' };

test('whatever is killed or lost when, every whole line is loaded exactly once', async () => {
  const fate = fc.constantFrom<OfferFate>(
    'well',
    'lost before',
    'lost after',
    'killed between',
    'not now',
  );
  const writing = fc.record({
    kind: fc.constant('write' as const),
    lines: fc.integer({ min: 0, max: 5 }),
    tail: fc.constantFrom('', '{"torn'),
    grows: fc.boolean(),
  });
  const ship = fc.record({
    kind: fc.constant('ship' as const),
    fates: fc.array(fate, { maxLength: 6 }),
    killedAt: fc.integer({ min: 1, max: 4 }),
  });
  const lose = fc.constant({ kind: 'lose the state' as const });
  const step = fc.oneof({ arbitrary: writing, weight: 4 }, { arbitrary: ship, weight: 4 }, lose);
  const property = fc.asyncProperty(fc.array<Step>(step, { maxLength: 12 }), async (steps) => {
    for (const name of segments()) rmSync(join(journalDirectory, name));
    rmSync(join(dataDirectory, 'courier'), { recursive: true, force: true });
    control.close();
    control = new FakeControl();
    const written: string[] = [];
    const line = (): string => {
      written.push(JSON.stringify({ n: written.length }));
      return written.at(-1) ?? '';
    };
    for (const each of steps) {
      if (each.kind === 'write') {
        const last = segments().at(-1);
        const lines = Array.from({ length: each.lines }, line);
        if (each.grows && last !== undefined && each.lines > 0) {
          // The newline ends what was torn before: a damaged line.
          const path = join(journalDirectory, last);
          if (!readFileSync(path, 'utf8').endsWith('\n')) appendFileSync(path, '\n');
          grow(last, lines, each.tail);
        } else write(lines, each.tail);
      } else if (each.kind === 'lose the state') {
        rmSync(join(dataDirectory, 'courier'), { recursive: true, force: true });
      } else {
        control.fates = [...each.fates];
        const shipper = await openShipper();
        let offers = 0;
        control.onOffer = () => {
          offers += 1;
          if (offers === each.killedAt) void shipper.stop();
        };
        const running = shipper.run();
        await Promise.race([running, drained(shipper)]);
        await shipper.stop();
      }
    }
    control.fates = [];
    control.onOffer = () => {};
    const last = await startShipper();
    await drained(last);
    await last.stop();
    assert.deepEqual([...control.lines].sort(), written.sort());
  });
  await fc.assert(property, { numRuns: runs(4) });
});
