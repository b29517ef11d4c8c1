import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { pino } from 'pino';

import { createLogger } from '../base/logger.ts';
import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { createBeacon, createWonImp } from '../beacons/fixtures.ts';
import type { BeaconKind, WonImp } from '../events/beacon-record.ts';
import { openJournal } from '../journal/journal.ts';
import { BeaconCounter } from './beacon-counter.ts';
import { restoreSeen } from './restore-seen.ts';
import { SeenBeacons } from './seen-beacons.ts';

/** The files that a test writes have today's date. */
const NOW_MS = Date.now();

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-restore-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function createImp(differs: Partial<WonImp> = {}): WonImp {
  const auction_id = randomBytes(16).toString('hex');
  return createWonImp({ auction_id, expires_ms: NOW_MS + 3_600_000, ...differs });
}

/** Counts them as a tracker does, in a journal of its own process. */
async function write(...beacons: readonly (readonly [BeaconKind, WonImp])[]): Promise<void> {
  const onFailure = assert.fail;
  const sink = openJournal({
    directory,
    stream: 'money',
    now: () => NOW_MS,
    durable: { onFailure },
  });
  const counter = new BeaconCounter({
    sink,
    seen: new SeenBeacons(),
    seenMax: 1_000_000,
    waitingMax: 1_000_000,
    unixTime: () => NOW_MS,
  });
  const counted = beacons.map(([kind, imp]) => counter.count(createBeacon({ kind, imp })));
  for (const outcome of await Promise.all(counted)) assert.equal(outcome, 'counted');
  sink.close();
}

function segments(): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith('money-'))
    .map((name) => join(directory, name));
}

async function restore(nowMs = NOW_MS) {
  const seen = new SeenBeacons();
  const logged: string[] = [];
  const logger = createLogger(
    { level: 'info', role: 'tracker' },
    { write: (line: string) => void logged.push(line) },
  );
  const restored = await restoreSeen({ directory, seen, nowMs, logger });
  return { seen, restored, logged };
}

test('what earlier processes counted is known, kind by kind', async () => {
  const [one, other] = [createImp(), createImp({ imp: 17 })];
  await write(['impression', one], ['click', one]);
  await write(['win', other]);
  const { seen, restored } = await restore();
  assert.deepEqual(restored, { segments: 2, beacons: 3 });
  assert.equal(seen.size, 2);
  assert.ok(seen.has(one, 'impression') && seen.has(one, 'click') && seen.has(other, 'win'));
  assert.ok(!seen.has(one, 'view') && !seen.has(other, 'click'));
});

test('an empty journal knows nothing', async () => {
  assert.deepEqual((await restore()).restored, { segments: 0, beacons: 0 });
});

test('a line that a crash has torn was never acknowledged and does not count', async () => {
  const imp = createImp();
  await write(['impression', imp], ['view', imp]);
  const [path = ''] = segments();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 1));
  const { seen } = await restore();
  assert.ok(seen.has(imp, 'impression'));
  assert.ok(!seen.has(imp, 'view'));
});

test('lines are found wherever the pieces of a long segment end', async () => {
  const imps = Array.from({ length: 5_000 }, () => createImp());
  await write(...imps.map((imp) => ['impression', imp] as const));
  const { seen, restored } = await restore();
  assert.equal(restored.beacons, imps.length);
  assert.ok(imps.every((imp) => seen.has(imp, 'impression')));
});

test('auctions, which share the stream, are passed over', async () => {
  const journal = openJournal({ directory, stream: 'money', now: () => NOW_MS });
  for (let n = 0; n < 3; n += 1) journal.append(JSON.stringify({ kind: 'auction', n }));
  journal.close();
  const { restored, logged } = await restore();
  assert.deepEqual(restored, { segments: 0, beacons: 0 });
  assert.deepEqual(logged, []);
});

test('a damaged line among beacons is told, and the others are known', async () => {
  const [one, other] = [createImp(), createImp()];
  await write(['impression', one]);
  const [path = ''] = segments();
  const copy = readFileSync(path, 'utf8').split('\n')[1] ?? '';
  appendFileSync(path, `{"kind":"impr\n${copy.replace(one.auction_id, other.auction_id)}\n`);
  const { seen, logged } = await restore();
  assert.ok(seen.has(one, 'impression') && seen.has(other, 'impression'));
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /"line":3/);
});

test('a beacon whose fields stand in another order is understood', async () => {
  const imp = createImp();
  await write(['click', imp]);
  const [path = ''] = segments();
  const [header = '', line = ''] = readFileSync(path, 'utf8').split('\n');
  const fields: Record<string, unknown> = JSON.parse(line);
  const reversed = Object.fromEntries(Object.entries(fields).toReversed());
  writeFileSync(path, `${header}\n${JSON.stringify(reversed)}\n`);
  assert.ok((await restore()).seen.has(imp, 'click'));
});

test('what has expired is not remembered, and what lies long enough is not read', async () => {
  const imp = createImp();
  await write(['impression', imp]);
  const laterMs = imp.expires_ms + CLOCK_SKEW_MAX_MS;
  assert.equal((await restore(laterMs - 1)).seen.size, 1);
  assert.equal((await restore(laterMs)).seen.size, 0);
  const oldS = (NOW_MS - TOKEN_LIFE_MAX_MS) / 1000 - 3_600;
  for (const path of segments()) utimesSync(path, oldS, oldS);
  assert.equal((await restore()).restored.segments, 0);
});

test('a segment that cannot be read stops the start, because its beacons would count twice', async () => {
  await write(['impression', createImp()]);
  const seen = new SeenBeacons();
  const options = { directory: `${directory}-none`, seen, nowMs: NOW_MS, logger: pino() };
  await assert.rejects(restoreSeen(options), /ENOENT/);
});
