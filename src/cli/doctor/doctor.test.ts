import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { openCli, startFakeControl } from '../../../test/support/cli.ts';
import { checkBidders } from './bidders.ts';
import type { Finding } from './finding.ts';
import { checkMachine } from './machine.ts';
import { checkClock } from './ports.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/exchange.yaml');

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-doctor-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Runs it on ports that are free, and gives what it found by check. */
async function doctor(t: TestContext, args: readonly string[], environment = {}) {
  const { cli } = openCli(t);
  const ports = ['--control-port=0', '--exchange-port=0', '--tracker-port=0'];
  const { code, stdout, stderr } = await cli(
    ['doctor', '--json', '--host', '127.0.0.1', ...ports, ...args],
    environment,
  );
  assert.equal(stderr, '');
  const { checks } = JSON.parse(stdout);
  const found = new Map<string, Finding>(checks.map((each: Finding) => [each.check, each]));
  return { code, stdout, of: (check: string) => found.get(check) ?? assert.fail(`no ${check}`) };
}

test('an empty machine is told what to begin with, and nothing is made there', async (t) => {
  const data = join(temporary(t), 'data');
  const { of } = await doctor(t, ['--data', data]);
  assert.match(of('data directory').message, /is not there yet; rialto start makes it/);
  assert.equal(of('configuration store').state, 'warn');
  assert.match(of('configuration store').next ?? '', /rialto apply FILE/);
  assert.match(of('address of exchange').next ?? '', /RIALTO_EXCHANGE_URL/);
  assert.throws(() => chmodSync(data, 0o700), /ENOENT/);
});

test('secrets that others can read and refused batches fail, and no secret is printed', async (t) => {
  const data = join(temporary(t), 'data');
  const { cli } = openCli(t);
  assert.equal((await cli(['apply', EXAMPLE, '--data', data])).code, 0);
  mkdirSync(join(data, 'secrets'), { mode: 0o700 });
  writeFileSync(join(data, 'secrets/internal'), 'secret-of-control', { mode: 0o644 });
  mkdirSync(join(data, 'quarantine'));
  writeFileSync(join(data, 'quarantine/x.json'), '{}');
  chmodSync(data, 0o755);
  const environment = { RIALTO_DATABASE_URL: 'postgres://u:pass-word@127.0.0.1:9/x' };
  const { code, stdout, of } = await doctor(t, ['--data', data], environment);
  assert.equal(code, 1);
  assert.match(of('secrets').next ?? '', /^Run chmod 600 \S+secrets\/internal$/);
  assert.equal(of('quarantine').state, 'fail');
  assert.match(of('data directory').next ?? '', /chmod 700/);
  assert.equal(of('configuration store').state, 'fail');
  assert.match(
    of('configuration store').message,
    /cannot reach the PostgreSQL database 127\.0\.0\.1:9\/x: .*ECONNREFUSED/,
  );
  assert.doesNotMatch(stdout, /pass-word|secret-of-control/);
});

test('a store of another version is told and left alone', async (t) => {
  const data = join(temporary(t), 'data');
  const { cli } = openCli(t);
  await cli(['apply', EXAMPLE, '--data', data]);
  const sound = await doctor(t, ['--data', data]);
  assert.match(
    sound.of('configuration store').message,
    /^The one in the data directory is sound, at version \w+\.1\.$/,
  );
  const change = (sql: string): void => {
    const database = new DatabaseSync(join(data, 'configuration.sqlite'));
    database.exec(sql);
    database.close();
  };
  change("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')");
  assert.match((await doctor(t, ['--data', data])).of('configuration store').message, /newer/);
  change('DELETE FROM kysely_migration');
  const older = (await doctor(t, ['--data', data])).of('configuration store');
  assert.equal(older.state, 'warn');
  assert.match(older.message, /earlier version/);
  writeFileSync(join(data, 'configuration.sqlite'), 'no database');
  assert.equal((await doctor(t, ['--data', data])).of('configuration store').state, 'fail');
});

test('a port that another program has is told with the option that changes it', async (t) => {
  const data = join(temporary(t), 'data');
  const other = await startFakeControl(t, () => ({ body: 'hello' }));
  const { code, of } = await doctor(t, ['--data', data, `--exchange-port=${other.port}`]);
  assert.equal(code, 1);
  assert.match(of('port of exchange').message, /Another program answers/);
  assert.match(of('port of exchange').next ?? '', /--exchange-port \(RIALTO_EXCHANGE_PORT\)/);
  const ours = await startFakeControl(t, () => ({ body: 'ok\n' }));
  const elsewhere = await doctor(t, ['--data', data, `--control-port=${ours.port}`]);
  assert.match(elsewhere.of('port of control').message, /of another data directory/);
  assert.equal(elsewhere.of('clock').state, 'ok');
  const free = await doctor(t, ['--data', data, `--tracker-port=${await freePort()}`]);
  assert.match(free.of('port of tracker').message, /is free/);
});

test('an address behind a proxy asks for trust, and wrong settings are findings', async (t) => {
  const data = join(temporary(t), 'data');
  const url = ['--exchange-url', 'https://127.0.0.1:9'];
  const { of } = await doctor(t, ['--data', data, ...url]);
  assert.match(of('proxies').next ?? '', /RIALTO_TRUSTED_PROXIES/);
  assert.match(of('address of exchange').message, /does not answer from here/);
  const all = await doctor(t, ['--data', data, ...url, '--trusted-proxies', '0.0.0.0/0']);
  assert.match(all.of('proxies').message, /anybody/);
  const wrong = await doctor(t, ['--data', data, '--workers', 'x']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.of('settings').message, /--workers is "x"/);
});

test('bidders are tried at the addresses that the exchange may connect to', async (t) => {
  const bidder = await startFakeControl(t, () => null);
  const at = (demandPartner: number, endpoint: string) => ({
    demandPartner,
    endpoint,
    matchesUsers: false,
  });
  const store = { version: 'e.1', bidders: [at(1, `${bidder.url}/bid`)] };
  const allowed = await checkBidders({ ...store, allowPrivateAddresses: ['127.0.0.0/8'] });
  assert.deepEqual(
    allowed.map(({ state }) => state),
    ['ok'],
  );
  const [refused] = await checkBidders({ ...store, allowPrivateAddresses: [] });
  assert.equal(refused?.state, 'fail');
  assert.match(refused?.next ?? '', /allow_private_addresses/);
  const closed = { ...store, bidders: [at(2, 'http://127.0.0.1:9/')] };
  const [dead] = await checkBidders({ ...closed, allowPrivateAddresses: ['127.0.0.0/8'] });
  assert.match(dead?.message ?? '', /does not answer on port 9 \(ECONNREFUSED\)/);
  assert.match(dead?.next ?? '', /rialto bidders stop 2/);
});

test('a machine that cannot run Rialto fails, each part by itself', () => {
  const machine = {
    nodeVersion: 'v26.1.0',
    platform: 'linux',
    arch: 'x64',
    glibc: '2.36',
    openFilesMax: 1_048_576,
  };
  const states = (change: object) =>
    checkMachine({ ...machine, ...change }).map(({ state }) => state);
  assert.deepEqual(states({}), ['ok', 'ok', 'ok']);
  assert.deepEqual(states({ nodeVersion: 'v20.1.0' }), ['fail', 'ok', 'ok']);
  assert.deepEqual(states({ glibc: null }), ['ok', 'fail', 'ok']);
  assert.deepEqual(states({ platform: 'win32' }), ['ok', 'fail', 'ok']);
  assert.deepEqual(states({ openFilesMax: 1_024 }), ['ok', 'ok', 'fail']);
  assert.deepEqual(states({ openFilesMax: 10_000 }), ['ok', 'ok', 'warn']);
});

test('a clock is held against the whole seconds of another', () => {
  const there = 'Fri, 20 Nov 2026 08:15:00 GMT';
  const nowMs = Date.parse(there);
  const stateAt = (offMs: number) => checkClock(there, nowMs + offMs).state;
  assert.deepEqual([0, 999, 2_500, -1_500].map(stateAt), ['ok', 'ok', 'ok', 'ok']);
  assert.deepEqual([4_000, -3_000].map(stateAt), ['warn', 'warn']);
  assert.deepEqual([120_000, -120_000].map(stateAt), ['fail', 'fail']);
  assert.equal(checkClock(undefined, 0).state, 'fail');
});
