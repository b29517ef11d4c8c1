import assert from 'node:assert/strict';
import nodeFs, { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { MONEY_RETENTION_MS } from '../journal/retention.ts';
import type { JournalStream } from '../journal/segment.ts';
import { JournalKeeper, type JournalKeeperOptions } from './journal-keeper.ts';
import { JournalSegments } from './journal-segments.ts';
import type { Acknowledged } from './shipping-state.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const LIMITS = { bytesMax: 1e9, traceBytesMax: 1e9, reserveBytes: 1000, reserveShare: 1 };

let directory: string;
let shipper: {
  acknowledged: Map<string, Acknowledged>;
  controlIsBehind: boolean;
  removed: (name: string) => void;
  trims: (untilMs: number) => Promise<void>;
};
let traces: { acknowledged: Map<string, Acknowledged>; removed: (name: string) => void };
let removed: string[];
let freeBytes: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-keeper-'));
  removed = [];
  freeBytes = 1e9;
  shipper = {
    acknowledged: new Map(),
    controlIsBehind: false,
    removed: (name) => void removed.push(name),
    trims: async () => {},
  };
  traces = { acknowledged: new Map(), removed: (name) => void removed.push(name) };
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A segment of a process that has ended, written some time ago and acknowledged then. */
function write(stream: JournalStream, ageMs: number): string {
  const startMs = NOW_MS - ageMs;
  const journal = openJournal({ directory, stream, writer: 'exchange', now: () => startMs });
  journal.append(`{"at_ms":${startMs}}`);
  journal.close();
  const known = new Set([...shipper.acknowledged.keys(), ...traces.acknowledged.keys()]);
  const name = segments().find((each) => !known.has(each)) ?? '';
  const path = join(directory, name);
  utimesSync(path, startMs / 1000, startMs / 1000);
  const { acknowledged } = stream === 'money' ? shipper : traces;
  acknowledged.set(name, { offset: nodeFs.statSync(path).size, atMs: startMs });
  return name;
}

function segments(): string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
}

function keeperOf(differs: Partial<JournalKeeperOptions> = {}): JournalKeeper {
  const logger = pino({ level: 'silent' });
  return new JournalKeeper({
    journalDirectory: directory,
    segments: new JournalSegments({
      directory,
      incarnation: readIncarnation(directory, nodeFs),
      logger,
      now: () => NOW_MS,
      isRunning: () => false,
    }),
    shipper,
    traces,
    notices: { hasPassed: () => true },
    logger,
    now: () => NOW_MS,
    limits: LIMITS,
    statfs: () => ({ bsize: 1, blocks: 1e9, bavail: freeBytes }),
    ...differs,
  });
}

test('what has been kept long enough is removed, and the shipper told', async () => {
  const old = write('money', MONEY_RETENTION_MS);
  const young = write('money', MONEY_RETENTION_MS - 1000);
  const keeper = keeperOf();
  await keeper.sweep();
  assert.deepEqual(segments(), [young]);
  assert.deepEqual(removed, [old]);
  assert.equal(keeper.figures.removedSegments, 1);
});

test('a disk that others fill loses the trace, then money that is acknowledged, and nothing else', async () => {
  write('trace', 1000);
  const done = write('money', 2000);
  const waiting = write('money', 3000);
  shipper.acknowledged.delete(waiting);
  const keeper = keeperOf();
  await keeper.sweep();
  assert.equal(segments().length, 3);
  const { moneyBytes, traceBytes } = keeper.figures;
  assert.ok(moneyBytes > traceBytes && traceBytes > 0);
  freeBytes = 2999;
  await keeper.sweep();
  assert.equal(keeper.figures.disk?.freeBytes, 2999);
  assert.deepEqual(segments().sort(), [waiting, done].sort());
  freeBytes = 0;
  await keeper.sweep();
  await keeper.sweep();
  assert.deepEqual(segments(), [waiting]);
});

test('traces go an hour after they were shipped, those that were not a day after they were written', async () => {
  const hourMs = 60 * 60 * 1000;
  const shipped = write('trace', hourMs);
  const fresh = write('trace', hourMs - 1000);
  const waiting = write('trace', 2 * hourMs);
  const late = write('trace', 24 * hourMs);
  traces.acknowledged.delete(waiting);
  traces.acknowledged.delete(late);
  await keeperOf().sweep();
  assert.deepEqual(segments().sort(), [fresh, waiting].sort());
  assert.deepEqual(removed.sort(), [shipped, late].sort());
});

test('a full disk loses the traces that were shipped, then those that wait', async () => {
  const waiting = write('trace', 5000);
  const shipped = write('trace', 1000);
  traces.acknowledged.delete(waiting);
  freeBytes = 2999;
  const keeper = keeperOf();
  await keeper.sweep();
  assert.deepEqual(removed, [shipped]);
  await keeper.sweep();
  assert.deepEqual(removed, [shipped, waiting]);
});

test('what makes notices due is kept until they are known elsewhere', async () => {
  const old = write('money', 10 * MONEY_RETENTION_MS);
  const passed: [string, number][] = [];
  const keeper = keeperOf({
    notices: {
      hasPassed: (name, bytes) => {
        passed.push([name, bytes]);
        return false;
      },
    },
  });
  await keeper.sweep();
  assert.deepEqual(segments(), [old]);
  assert.deepEqual(passed, [[old, nodeFs.statSync(join(directory, old)).size]]);
});

test('before money is removed it is on the disk until when the journal is not whole any more', async () => {
  const old = write('money', MONEY_RETENTION_MS + 1000);
  const older = write('money', MONEY_RETENTION_MS + 2000);
  write('trace', 30 * MONEY_RETENTION_MS);
  // The clock was set, or the file copied: its time is not that of what stands in it.
  utimesSync(join(directory, old), 0, 0);
  const trims: number[] = [];
  shipper.trims = async (untilMs) => {
    assert.ok(segments().includes(old) && segments().includes(older));
    trims.push(untilMs);
  };
  await keeperOf().sweep();
  assert.deepEqual(trims, [NOW_MS - MONEY_RETENTION_MS - 1000]);
  assert.deepEqual(segments(), []);
  const kept = write('money', MONEY_RETENTION_MS);
  shipper.trims = () => Promise.reject(new Error('ENOSPC'));
  await assert.rejects(keeperOf().sweep(), /ENOSPC/);
  assert.deepEqual(segments(), [kept]);
});

test('while control is behind no money is removed, whatever its age', async () => {
  const old = write('money', 10 * MONEY_RETENTION_MS);
  shipper.controlIsBehind = true;
  const keeper = keeperOf();
  await keeper.sweep();
  assert.deepEqual(segments(), [old]);
});

test('a keeper sweeps at once and until it is stopped, whatever fails', async () => {
  const old = write('money', MONEY_RETENTION_MS);
  let failures = 0;
  const logger = pino({}, { write: () => void (failures += 1) });
  const keeper = keeperOf({
    logger,
    statfs: () => {
      throw new Error('ENOSYS');
    },
  });
  keeper.start();
  await keeper.stop();
  assert.deepEqual(removed, [old]);
  const lost = keeperOf({ logger });
  rmSync(directory, { recursive: true });
  failures = 0;
  lost.start();
  await lost.stop();
  assert.equal(failures, 1);
  nodeFs.mkdirSync(directory);
});
