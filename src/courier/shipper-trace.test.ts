import assert from 'node:assert/strict';
import nodeFs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { FakeControl, type OfferFate } from '../../test/support/fake-control.ts';
import { until } from '../../test/support/wait.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { BATCH_BYTES_MAX, type BatchStream } from '../ports/batch.ts';
import { JournalSegments } from './journal-segments.ts';
import { Shipper, type ShipperOptions } from './shipper.ts';

/** A courier ships two streams, of which traces may be removed before they are shipped. */

const PACE = { batchAfterMs: 1, lookMs: 1, idleMs: 1, retry: { firstMs: 1, lastMs: 2 } };

let dataDirectory: string;
let journalDirectory: string;
let control: FakeControl;
let log: { level: number; msg: string }[];
let shippers: Shipper[];
let startMs: number;

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-traces-'));
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

/** A process that writes these lines of a stream and ends; the next one starts a second later. */
function write(stream: BatchStream, ...lines: readonly string[]): string {
  const before = new Set(readdirSync(journalDirectory));
  const journal = openJournal({
    directory: journalDirectory,
    stream,
    writer: 'exchange',
    now: () => startMs,
  });
  for (const line of lines) journal.append(line);
  journal.close();
  startMs += 1000;
  const isNew = (name: string): boolean => name.endsWith('.ndjson') && !before.has(name);
  return readdirSync(journalDirectory).find(isNew) ?? '';
}

/** As the keeper does it when the disk is full. */
function remove(shipper: Shipper, name: string): void {
  rmSync(join(journalDirectory, name));
  shipper.removed(name);
}

async function open(stream: BatchStream, differs: Partial<ShipperOptions> = {}): Promise<Shipper> {
  const incarnation = readIncarnation(journalDirectory, nodeFs);
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line)) });
  const now = Date.now;
  const directory = journalDirectory;
  const shipper = await Shipper.open({
    stream,
    dataDirectory,
    journalDirectory,
    incarnation,
    segments: new JournalSegments({ directory, incarnation, logger, now }),
    control,
    logger,
    now,
    pace: PACE,
    ...differs,
  });
  shippers.push(shipper);
  return shipper;
}

async function start(stream: BatchStream, differs?: Partial<ShipperOptions>): Promise<Shipper> {
  const shipper = await open(stream, differs);
  void shipper.run();
  return shipper;
}

/** A courier's shipper of traces that is killed at its first offer, which goes like this. */
async function killedAt(fate: OfferFate): Promise<void> {
  control.fates = [fate];
  const shipper = await open('trace');
  control.onOffer = () => void shipper.stop();
  await shipper.run();
  control.onOffer = () => {};
}

async function drained(shipper: Shipper): Promise<void> {
  await until('nothing waits', 10_000, async () => (await shipper.figures()).backlogBytes === 0);
}

/** What calls for a person. */
function alarms(): string[] {
  const ERROR = 50;
  return log.filter(({ level }) => level >= ERROR).map(({ msg }) => msg);
}

function stateOf(file: string): { acknowledged: object; gone: string[] } {
  return JSON.parse(readFileSync(join(dataDirectory, 'courier', file), 'utf8'));
}

test('both streams are shipped beside one another, each once, whatever becomes of the offers', async () => {
  const fates: OfferFate[] = ['lost after', 'killed between', 'well', 'lost before', 'not now'];
  control.fates = [...fates, ...fates, ...fates];
  write('money', '{"m":1}');
  write('trace', '{"t":1}', '{"t":2}');
  const [money, trace] = [await start('money'), await start('trace')];
  await Promise.all([drained(money), drained(trace)]);
  write('trace', '{"t":3}');
  write('money', '{"m":2}');
  await until('all is there', 10_000, () => control.lines.length === 5);
  await Promise.all([drained(money), drained(trace)]);
  const expected = ['{"m":1}', '{"m":2}', '{"t":1}', '{"t":2}', '{"t":3}'];
  assert.deepEqual(control.lines.toSorted(), expected);
  for (const { stream, segments } of control.offered) {
    const prefix = stream === undefined ? 'money-' : 'trace-';
    assert.ok(segments.every(({ segment }) => segment.startsWith(prefix)));
  }
  assert.deepEqual(alarms(), []);
  await Promise.all([money.stop(), trace.stop()]);
  assert.equal(Object.keys(stateOf('shipping.json').acknowledged).length, 2);
  assert.equal(Object.keys(stateOf('shipping-trace.json').acknowledged).length, 2);
});

test('traces that control refuses do not hold up money, and the next ones go on', async () => {
  write('trace', '{"t":0}');
  control.fates = ['refused'];
  const trace = await start('trace');
  await drained(trace);
  write('money', '{"m":1}');
  write('trace', '{"t":1}');
  const money = await start('money');
  await Promise.all([drained(money), drained(trace)]);
  assert.deepEqual(control.lines.toSorted(), ['{"m":1}', '{"t":1}']);
  assert.equal((await trace.figures()).quarantined, 1);
  assert.equal((await money.figures()).quarantined, 0);
});

test('traces that were removed before they were offered are passed over without a word', async () => {
  const first = write('trace', '{"t":1}');
  write('trace', '{"t":2}');
  const shipper = await open('trace');
  remove(shipper, first);
  void shipper.run();
  await drained(shipper);
  assert.deepEqual(control.lines, ['{"t":2}']);
  assert.deepEqual([...shipper.gone], []);
  assert.deepEqual(log, []);
});

test('what is removed while it is in the buffer is shipped all the same, and forgotten afterwards', async () => {
  const name = write('trace', '{"t":1}');
  control.fates = ['lost before', 'lost before'];
  const shipper = await open('trace');
  let offers = 0;
  control.onOffer = () => {
    offers += 1;
    if (offers !== 1) return;
    remove(shipper, name);
    assert.deepEqual([...shipper.gone], [], 'control has to hear of it once more');
  };
  void shipper.run();
  await until('it is loaded', 5_000, () => control.lines.length === 1);
  await until('it is gone', 5_000, () => shipper.gone.has(name));
  assert.equal(shipper.acknowledged.has(name), false);
  control.forget([...shipper.gone]);
  shipper.forget([name]);
  assert.equal(control.offsets.size, 0);
  await shipper.stop();
});

for (const fate of ['lost before', 'lost after', 'killed between'] as const) {
  for (const isTold of [true, false]) {
    const end = isTold ? 'removed' : 'removed behind its back';
    test(`a batch whose bytes were ${end} after an offer that went "${fate}" stops nobody`, async () => {
      const lost = write('trace', '{"t":1}');
      const left = write('trace', '{"t":2}');
      await killedAt(fate);
      write('trace', '{"t":3}');
      const shipper = await open('trace');
      if (isTold) remove(shipper, lost);
      else rmSync(join(journalDirectory, lost));
      void shipper.run();
      // As the status says it every few seconds.
      await until('all that is left is loaded', 10_000, () => {
        const gone = [...shipper.gone];
        control.forget(gone);
        shipper.forget(gone);
        return control.lines.includes('{"t":3}');
      });
      await drained(shipper);
      assert.ok(control.lines.includes('{"t":2}'), left);
      assert.equal(control.lines.filter((line) => line === '{"t":3}').length, 1);
      assert.ok(control.lines.filter((line) => line === '{"t":1}').length <= 1);
      assert.deepEqual(alarms(), []);
      assert.equal(shipper.acknowledged.has(lost), false);
    });
  }
}

test('traces wait while more money waits than one batch takes', async () => {
  const line = JSON.stringify({ x: 'x'.repeat(1000_000) });
  write('money', ...Array.from({ length: 6 }, () => line));
  write('trace', '{"t":1}');
  control.fates = Array.from({ length: 5 }, () => 'not now');
  const money = await start('money');
  await until('money was offered', 5_000, () => control.offered.length > 0);
  assert.equal(money.hasBacklog, true);
  const trace = await start('trace', { givesWay: () => money.hasBacklog });
  await until('all is loaded', 10_000, () => control.lines.length === 7);
  await Promise.all([drained(money), drained(trace)]);
  assert.equal(money.hasBacklog, false);
  const first = control.offered.findIndex(({ stream }) => stream === 'trace');
  assert.ok(first > 5, 'the full batch of money went first');
  assert.ok(control.bodies.every((body) => body.length < BATCH_BYTES_MAX + 1000));
});
