import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import fc from 'fast-check';

import { CLOCK_SKEW_MAX_MS } from '../beacons/beacon.ts';
import { BEACON_NOW_MS } from '../beacons/fixtures.ts';
import { BEACON_KINDS, type BeaconKind } from '../events/beacon-record.ts';
import { SeenBeacons, type SeenImp } from './seen-beacons.ts';
import { runs } from '../../test/support/effort.ts';

const NOW_MS = BEACON_NOW_MS;
const HOUR_MS = 3_600_000;
const FORGOTTEN_MS = CLOCK_SKEW_MAX_MS + 2 * 60_000;

function createImp(differs: Partial<SeenImp> = {}): SeenImp {
  return {
    auction_id: randomBytes(16).toString('hex'),
    imp: 0,
    expires_ms: NOW_MS + HOUR_MS,
    ...differs,
  };
}

function sweepAll(seen: SeenBeacons, nowMs: number): void {
  for (let shard = 0; shard < 256; shard += 1) seen.sweepNext(nowMs);
}

test('each kind of each impression of each auction is remembered for itself', () => {
  const seen = new SeenBeacons();
  const first = createImp();
  for (const imp of [first, { ...first, imp: 1 }, { ...first, imp: 4095 }, createImp()]) {
    for (const kind of BEACON_KINDS) {
      assert.equal(seen.has(imp, kind), false);
      seen.add(imp, kind, NOW_MS);
      assert.equal(seen.has(imp, kind), true);
    }
  }
  assert.equal(seen.size, 4);
});

test('ids that differ in one digit alone are not mistaken for each other', () => {
  const seen = new SeenBeacons();
  const { auction_id } = createImp({ auction_id: '7'.repeat(32) });
  seen.add(createImp({ auction_id }), 'click', NOW_MS);
  for (let at = 0; at < auction_id.length; at += 1) {
    const other = `${auction_id.slice(0, at)}8${auction_id.slice(at + 1)}`;
    assert.equal(seen.has(createImp({ auction_id: other }), 'click'), false);
  }
});

test('it agrees with a set of texts, whatever is added, asked and swept when', () => {
  const command = fc.record({
    auction: fc.nat({ max: 40 }),
    imp: fc.nat({ max: 3 }),
    kind: fc.constantFrom(...BEACON_KINDS),
    lifeMs: fc.integer({ min: 1, max: 4 * HOUR_MS }),
    pauseMs: fc.integer({ min: 0, max: HOUR_MS }),
    sweeps: fc.boolean(),
  });
  // All in one shard, and close together in it.
  const idOf = (auction: number): string => `00${auction.toString(16).padStart(30, '0')}`;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const seen = new SeenBeacons();
      const known = new Map<string, number>();
      let nowMs = NOW_MS;
      for (const { auction, imp: index, kind, lifeMs, pauseMs, sweeps } of commands) {
        nowMs += pauseMs;
        if (sweeps) sweepAll(seen, nowMs);
        const imp = { auction_id: idOf(auction), imp: index, expires_ms: nowMs + lifeMs };
        const key = `${auction} ${index} ${kind}`;
        const expiresMs = known.get(key);
        // What has expired may be known still or not; nobody asks for it.
        if (expiresMs === undefined) assert.equal(seen.has(imp, kind), false);
        else if (expiresMs > nowMs) assert.equal(seen.has(imp, kind), true);
        if (expiresMs !== undefined) continue;
        seen.add(imp, kind, nowMs);
        known.set(key, imp.expires_ms);
      }
    }),
    { numRuns: runs(30) },
  );
});

test('what has expired is given back, with its room, and what has not stays', () => {
  const seen = new SeenBeacons();
  const short = Array.from({ length: 20_000 }, () => createImp());
  const long = Array.from({ length: 2_000 }, () => createImp({ expires_ms: NOW_MS + 4 * HOUR_MS }));
  for (const imp of [...short, ...long]) seen.add(imp, 'impression', NOW_MS);
  const fullBytes = seen.bytes;

  sweepAll(seen, NOW_MS + HOUR_MS + CLOCK_SKEW_MAX_MS);
  assert.equal(
    seen.size,
    short.length + long.length,
    'kept beyond the expiry, for clocks that jump',
  );
  sweepAll(seen, NOW_MS + HOUR_MS + FORGOTTEN_MS);
  assert.equal(seen.size, long.length);
  assert.ok(seen.bytes < fullBytes / 5, `${seen.bytes} of ${fullBytes} bytes`);
  assert.ok(long.every((imp) => seen.has(imp, 'impression')));
});

test('under steady traffic the room is that of what lives, without a sweep as well', () => {
  const seen = new SeenBeacons();
  let nowMs = NOW_MS;
  const perMinute = 100;
  for (let minute = 0; minute < 600; minute += 1) {
    nowMs += 60_000;
    for (let each = 0; each < perMinute; each += 1) {
      seen.add(createImp({ expires_ms: nowMs + HOUR_MS }), 'impression', nowMs);
    }
  }
  const live = perMinute * 60;
  assert.ok(seen.size < 2 * live, `${seen.size} entries for ${live} that live`);
});

test('time that goes round the table’s clock makes nothing old seem alive for good', () => {
  const seen = new SeenBeacons();
  for (let day = 0; day < 100; day += 1) {
    const nowMs = NOW_MS + day * 24 * HOUR_MS;
    const imp = createImp({ expires_ms: nowMs + HOUR_MS });
    seen.add(imp, 'click', nowMs);
    assert.equal(seen.has(imp, 'click'), true);
    sweepAll(seen, nowMs + 2 * HOUR_MS);
    assert.equal(seen.size, 0);
  }
});

test('two million live impressions take at most 64 MB, each its part, and a few microseconds', (t) => {
  const seen = new SeenBeacons();
  const count = runs(200_000);
  const kinds: readonly BeaconKind[] = BEACON_KINDS;
  const ids = randomBytes(16 * count);
  const idAt = (index: number): string => ids.toString('hex', index * 16, index * 16 + 16);
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) {
    const imp = { auction_id: idAt(index), imp: 0, expires_ms: NOW_MS + HOUR_MS };
    seen.add(imp, kinds[index & 3] ?? 'win', NOW_MS);
  }
  const added = process.cpuUsage(before);
  for (let index = 0; index < count; index += 1) {
    const imp = { auction_id: idAt(index), imp: 0, expires_ms: 0 };
    if (!seen.has(imp, kinds[index & 3] ?? 'win')) assert.fail(`${index} was forgotten`);
  }
  // CPU time, because this machine may have other things to do.
  const asked = process.cpuUsage(before);
  const addedUs = (added.user + added.system) / count;
  const askedUs = (asked.user + asked.system) / count - addedUs;
  const megabytes = (seen.bytes / count) * 2;
  t.diagnostic(
    `${megabytes.toFixed(1)} MB; add ${addedUs.toFixed(2)} µs, has ${askedUs.toFixed(2)} µs`,
  );
  assert.equal(seen.size, count);
  assert.ok(megabytes <= 64, `${megabytes} MB`);
  assert.ok(addedUs < 20 && askedUs < 10, `${addedUs} and ${askedUs} µs`);
});
