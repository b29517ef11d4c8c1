import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { createLogger } from '../base/logger.ts';
import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { createBeacon, createWonImp } from '../beacons/fixtures.ts';
import type { BeaconKind, WonImp } from '../events/beacon-record.ts';
import { createForgetfulDisk, type ForgetfulDisk } from '../journal/forgetful-disk.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import type { JournalFs } from '../journal/journal-fs.ts';
import { isSealed, type SealFs } from '../journal/seal.ts';
import { unmarked } from '../../test/support/journal-lines.ts';
import type { JournalWriter } from '../journal/segment.ts';
import { BeaconCounter, type CountOutcome } from './beacon-counter.ts';
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

/** A tracker's process: its journal, and what it counts into it. */
function startProcess(fs?: JournalFs) {
  const failures: Error[] = [];
  const journal: Journal = openJournal({
    directory,
    stream: 'money',
    writer: 'tracker',
    now: () => NOW_MS,
    durable: { onFailure: (error) => void failures.push(error) },
    ...(fs === undefined ? {} : { fs }),
  });
  const counter = new BeaconCounter({
    sink: journal,
    node: 'fedcba9876543210',
    seen: new SeenBeacons(),
    seenMax: 1_000_000,
    waitingMax: 1_000_000,
    unixTime: () => NOW_MS,
  });
  const count = (kind: BeaconKind, imp: WonImp): Promise<CountOutcome> =>
    counter.count(createBeacon({ kind, imp }));
  return { journal, failures, count };
}

/** Counts them as a tracker does that is asked to end afterwards. */
async function write(...beacons: readonly (readonly [BeaconKind, WonImp])[]): Promise<void> {
  const { journal, count } = startProcess();
  const counted = beacons.map(([kind, imp]) => count(kind, imp));
  for (const outcome of await Promise.all(counted)) assert.equal(outcome, 'counted');
  journal.close();
}

/** A segment by its bytes, as a process left it that was killed. */
function rewrite(path: string, bytes: string | Buffer): void {
  chmodSync(path, 0o600);
  writeFileSync(path, bytes);
}

/** Lines of another role in the same stream. */
function writeLines(writer: JournalWriter, lines: readonly string[]): void {
  const journal = openJournal({ directory, stream: 'money', writer, now: () => NOW_MS });
  for (const line of lines) journal.append(line);
  journal.close();
}

function segments(): string[] {
  return readdirSync(directory)
    .filter((name) => /^money-.*ndjson$/.test(name))
    .map((name) => join(directory, name));
}

async function restore(nowMs = NOW_MS, fs?: SealFs) {
  const seen = new SeenBeacons();
  const logged: string[] = [];
  const logger = createLogger(
    { level: 'info', role: 'tracker' },
    { write: (line: string) => void logged.push(line) },
  );
  const restored = await restoreSeen({
    directory,
    seen,
    nowMs,
    logger,
    ...(fs === undefined ? {} : { fs }),
  });
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

test('an empty journal knows nothing, and neither does one that is not there yet', async () => {
  const nothing = { segments: 0, beacons: 0 };
  assert.deepEqual((await restore()).restored, nothing);
  await write();
  assert.equal(segments().length, 1);
  assert.deepEqual((await restore()).restored, nothing);
  rmSync(directory, { recursive: true });
  assert.deepEqual((await restore()).restored, nothing);
  mkdirSync(directory);
});

test('a line that a crash has torn was never acknowledged and does not count', async () => {
  const imp = createImp();
  await write(['impression', imp], ['view', imp]);
  const [path = ''] = segments();
  const bytes = readFileSync(path);
  rewrite(path, bytes.subarray(0, bytes.length - 1));
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

test('what other roles write into the stream is passed over by its header, and left alone', async () => {
  await write(['impression', createImp()]);
  const [line = ''] = readFileSync(segments()[0] ?? '', 'utf8')
    .split('\n')
    .slice(1);
  rmSync(segments()[0] ?? '');
  // Even a line that a tracker could have written.
  for (const writer of ['exchange', 'courier'] as const)
    writeLines(writer, [unmarked(line) ?? '', '{"n":1}']);
  const { restored, logged } = await restore();
  assert.deepEqual(restored, { segments: 0, beacons: 0 });
  assert.deepEqual(logged, []);
  assert.ok(segments().every((path) => !isSealed(statSync(path).mode)));
});

test('a segment whose header is damaged is judged by its first intact record', async () => {
  const imp = createImp();
  await write(['impression', imp]);
  writeLines('exchange', [JSON.stringify({ kind: 'auction', n: 1 })]);
  for (const path of segments()) {
    rewrite(path, readFileSync(path, 'utf8').replace('{"schema"', '{"schemes"'));
  }
  const { seen, restored, logged } = await restore();
  assert.deepEqual(restored, { segments: 1, beacons: 1 });
  assert.ok(seen.has(imp, 'impression'));
  assert.deepEqual(logged, []);
});

test('a damaged line among beacons is told, and the others are known', async () => {
  const [one, other] = [createImp(), createImp()];
  await write(['impression', one]);
  const [path = ''] = segments();
  const text = readFileSync(path, 'utf8');
  const copy = text.split('\n')[1] ?? '';
  rewrite(path, `${text}{"kind":"impr\n${copy.replace(one.auction_id, other.auction_id)}\n`);
  const { seen, logged } = await restore();
  assert.ok(seen.has(one, 'impression') && seen.has(other, 'impression'));
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /"line":3/);
});

test('a beacon whose fields stand in another order, or of an older version, is understood', async () => {
  const imp = createImp();
  await write(['click', imp]);
  const [path = ''] = segments();
  const [header = '', line = ''] = readFileSync(path, 'utf8').split('\n');
  const fields: Record<string, unknown> = JSON.parse(line);
  const reversed = Object.fromEntries(Object.entries(fields).toReversed());
  const { node: _node, ...older } = reversed;
  for (const written of [reversed, older]) {
    rewrite(path, `${header}\n${JSON.stringify(written)}\n`);
    assert.ok((await restore()).seen.has(imp, 'click'));
  }
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
  mkdirSync(join(directory, 'money-0.ndjson'));
  await assert.rejects(restore(), /EISDIR/);
});

/** A tracker whose disk fails under the second of two beacons. */
async function failUnder(disk: ForgetfulDisk, first: WonImp, second: WonImp): Promise<void> {
  const { failures, count } = startProcess(disk.fs);
  assert.equal(await count('impression', first), 'counted');
  disk.fs.syncs = false;
  assert.equal(await count('impression', second), 'unrecorded');
  assert.equal(failures.length, 1, 'the process ends');
  disk.fs.syncs = true;
}

test('a beacon whose sync has failed is known to the next process only once the disk has it', async () => {
  const disk = createForgetfulDisk();
  const [first, second] = [createImp(), createImp()];
  await failUnder(disk, first, second);
  const { seen, restored } = await restore(NOW_MS, disk.sealFs);
  assert.equal(restored.beacons, 2);
  assert.ok(seen.has(first, 'impression') && seen.has(second, 'impression'));
  // From here on copies of both are acknowledged, so that both have to survive.
  disk.cutPower();
  const after = await restore(NOW_MS, disk.sealFs);
  assert.ok(after.seen.has(first, 'impression') && after.seen.has(second, 'impression'));
});

test('while the disk still fails nothing is known, and a kill in between changes nothing', async () => {
  const disk = createForgetfulDisk();
  const [first, second] = [createImp(), createImp()];
  await failUnder(disk, first, second);
  disk.fs.syncs = false;
  await assert.rejects(restore(NOW_MS, disk.sealFs), /EIO/);
  await assert.rejects(restore(NOW_MS, disk.sealFs), /EIO/);
  assert.ok(segments().every((path) => !isSealed(statSync(path).mode)));
  disk.cutPower();
  disk.fs.syncs = true;
  // What nobody was told of may be lost; its copy is the first one then.
  const { seen } = await restore(NOW_MS, disk.sealFs);
  assert.ok(seen.has(first, 'impression') && !seen.has(second, 'impression'));
});

test('what a killed process had not synced is on the disk before it is known', async () => {
  const disk = createForgetfulDisk();
  const imp = createImp();
  const { count } = startProcess({ ...disk.fs, fdatasync: () => {} });
  void count('click', imp);
  await new Promise(setImmediate);
  assert.ok((await restore(NOW_MS, disk.sealFs)).seen.has(imp, 'click'));
  disk.cutPower();
  assert.ok((await restore(NOW_MS, disk.sealFs)).seen.has(imp, 'click'));
});

test('a segment is sealed once: by its process when it ends in order, else by the next one', async () => {
  const disk = createForgetfulDisk();
  const sealed: string[] = [];
  const fs: SealFs = {
    ...disk.sealFs,
    rename: (from, to) => {
      sealed.push(to);
      return disk.sealFs.rename(from, to);
    },
  };
  await write(['impression', createImp()]);
  await restore(NOW_MS, fs);
  assert.deepEqual(sealed, []);
  await failUnder(disk, createImp(), createImp());
  for (let start = 0; start < 3; start += 1) {
    assert.equal((await restore(NOW_MS, fs)).restored.beacons, 3);
  }
  assert.equal(sealed.length, 1);
  assert.ok(segments().every((path) => isSealed(statSync(path).mode)));
});

test('copies that a killed process left unfinished are removed', async () => {
  const imp = createImp();
  await write(['impression', imp]);
  const [path = ''] = segments();
  writeFileSync(`${path}.draft`, 'half a copy');
  rewrite(path, readFileSync(path));
  assert.ok((await restore()).seen.has(imp, 'impression'));
  assert.deepEqual(segments(), [path]);
});
