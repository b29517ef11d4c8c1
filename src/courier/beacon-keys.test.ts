import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';

import { createLogger } from '../base/logger.ts';
import { KEY_LEAD_MS, KEY_SEALS_MS } from '../beacons/key-ring.ts';
import { beaconKeysPath } from './beacon-key-file.ts';
import { openBeaconKeys, type BeaconKeys } from './beacon-keys.ts';

const LOOK_MS = 60_000;

let dataDirectory: string;
let nowMs: number;
let logged: string[];
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-keys-'));
  nowMs = Date.UTC(2026, 10, 20);
  logged = [];
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

function open(t: TestContext, rotates: boolean): BeaconKeys {
  const logger = createLogger(
    { level: 'info', role: 'tracker' },
    { write: (line: string) => void logged.push(line) },
  );
  const keys = openBeaconKeys({ dataDirectory, rotates, logger, now: () => nowMs });
  t.after(() => keys.close());
  return keys;
}

test('the first process makes a key for its user alone, and all others read it', (t) => {
  const first = open(t, false);
  const second = open(t, true);
  assert.deepEqual(second.ring, first.ring);
  const path = beaconKeysPath(dataDirectory);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(path)), ['beacon-keys.json']);
  assert.equal(first.ring.current.secret.length, 32);
});

test('a new key reaches every process before it seals, from the one that rotates', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const exchange = open(t, false);
  const tracker = open(t, true);
  const first = exchange.ring.current.id;
  nowMs += KEY_SEALS_MS - KEY_LEAD_MS;
  t.mock.timers.tick(LOOK_MS);
  // The exchange looked before the tracker had made it, and sees it at the next look.
  t.mock.timers.tick(LOOK_MS);
  assert.equal(exchange.ring.byId.size, 2);
  assert.equal(exchange.ring.current.id, first);
  nowMs += KEY_LEAD_MS;
  t.mock.timers.tick(LOOK_MS);
  assert.notEqual(exchange.ring.current.id, first);
  assert.deepEqual(exchange.ring, tracker.ring);
  assert.deepEqual(logged, []);
});

test('a process that does not rotate makes no key but the first', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const keys = open(t, false);
  nowMs += 10 * KEY_SEALS_MS;
  t.mock.timers.tick(LOOK_MS);
  assert.equal(keys.ring.byId.size, 1);
});

test('a file that has become unreadable is told and changes nothing', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const keys = open(t, true);
  const { ring } = keys;
  writeFileSync(beaconKeysPath(dataDirectory), '{"keys":[]}');
  t.mock.timers.tick(LOOK_MS);
  assert.deepEqual(keys.ring, ring);
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /holds no keys/);
});

test('a file that holds something else stops a start instead of being replaced', (t) => {
  open(t, true);
  const path = beaconKeysPath(dataDirectory);
  const short = { keys: [{ id: 1, seals_from_ms: 1, secret: 'c2hvcnQ' }] };
  for (const text of ['', 'null', '{"keys":[]}', JSON.stringify(short)]) {
    writeFileSync(path, text);
    chmodSync(path, 0o600);
    assert.throws(() => open(t, true), /holds no keys; restore it, or remove it/);
  }
});
