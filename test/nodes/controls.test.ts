import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { startBidder } from '../../sim/bidder.ts';
import { copyAnalytics } from '../support/analytics-store.ts';
import { patient } from '../support/exchange.ts';
import { readMoney } from '../support/money.ts';
import { AT_NOON } from '../support/noon.ts';
import { runRialto, startNode, type StartedNode } from '../support/node.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/wait.ts';

const SECRET = 'what-controls-and-couriers-share';
const LINE_ITEM = 501;
const IMPRESSIONS_A_DAY = 12;
/** Longer than anything here takes: the machine may be busy with other tests. */
const SOON_MS = 60_000;
/** So many more auctions must pass without another win. */
const AUCTIONS_MORE = 40;

/** The example with a daily limit on what its first partner buys; the other one is not there. */
function writeConfiguration(directory: string, endpoint: string): string {
  const file = join(directory, 'exchange.yaml');
  const example = readFileSync(join(import.meta.dirname, '../../examples/exchange.yaml'), 'utf8');
  const capping = `capping: { max_daily_impressions: ${IMPRESSIONS_A_DAY} }`;
  const yaml = example
    .replace('http://127.0.0.1:9101/bid', endpoint)
    .replace('seat: acme-1, floor: 0.05 }', `seat: acme-1, floor: 0.05, ${capping} }`)
    .replace('name: Bolt DSP\n    status: ACTIVE', 'name: Bolt DSP\n    status: PAUSED');
  assert.ok(yaml.includes(capping) && yaml.includes('PAUSED'));
  writeFileSync(file, patient(yaml));
  return file;
}

/** Removed at the end: a test's hooks run in their order, the nodes' after those of what they use. */
const bases: string[] = [];
after(() => {
  for (const base of bases) rmSync(base, { recursive: true, force: true });
});

/** Two controls on one database, and a node whose records go to the first of them. */
async function startAll(t: TestContext) {
  const acme = await startBidder({ profile: { name: 'Acme', seats: ['acme-1'] }, seed: 'acme' });
  const base = mkdtempSync(join(tmpdir(), 'rialto-controls-'));
  bases.push(base);
  t.after(() => acme.close());
  const env = {
    ...AT_NOON,
    RIALTO_DATABASE_URL: await createDatabase(),
    RIALTO_INTERNAL_SECRET: SECRET,
  };
  const applied = await runRialto(['apply', writeConfiguration(base, acme.url)], env);
  assert.equal(applied.code, 0, applied.stderr);
  for (const name of ['first', 'second']) await copyAnalytics(join(base, name, 'analytics'));
  const startControl = (name: string, port = '0'): Promise<StartedNode> =>
    startNode({
      t,
      args: ['--roles=control', `--internal-port=${port}`],
      env,
      dataDirectory: join(base, name),
    });
  const first = await startControl('first');
  const second = await startControl('second');
  const urls = [first, second].map((control) => internalUrl(control));
  const node = await startNode({
    t,
    args: ['--roles=courier,tracker,exchange', '--workers=2', `--internal-url=${urls.join(',')}`],
    env: { ...AT_NOON, RIALTO_INTERNAL_SECRET: SECRET },
  });
  const startFirst = () => startControl('first', new URL(urls[0] ?? '').port);
  return { first, second, node, startFirst };
}

function internalUrl({ dataDirectory }: StartedNode): string {
  return JSON.parse(readFileSync(join(dataDirectory, 'control.json'), 'utf8')).url;
}

async function metricOf({ urls }: StartedNode, pattern: RegExp): Promise<number> {
  const text = await (await fetch(urls.metrics)).text();
  return Number(pattern.exec(text)?.[1] ?? 0);
}

async function leads(control: StartedNode): Promise<boolean> {
  return (await metricOf(control, /^rialto_control_leads\{.*\} (\d)$/m)) === 1;
}

/** How many impressions the limited line item has won, which is never more than it may. */
async function countWins(node: StartedNode): Promise<number> {
  const { auctions } = await readMoney(node);
  const wins = auctions
    .flatMap(({ bids }) => bids)
    .filter((bid) => bid.lineitem_id === LINE_ITEM && bid.loss_reason === 0).length;
  assert.ok(wins <= IMPRESSIONS_A_DAY, `${wins} wins`);
  return wins;
}

test('of two controls one grants; when it is killed the other one does, and no limit is exceeded', async (t) => {
  const { first, second, node, startFirst } = await startAll(t);
  assert.deepEqual([await leads(first), await leads(second)], [true, false]);
  const traffic = startTraffic(t, node);
  await until('a few are won', SOON_MS, async () => (await countWins(node)) >= 2);

  const killedMs = performance.now();
  first.kill('supervisor');
  for (const pid of first.pids('control')) process.kill(pid, 'SIGKILL');
  await until('the second one leads', SOON_MS, () => leads(second));
  const tookMs = Math.round(performance.now() - killedMs);
  t.diagnostic(`the second control leads after ${tookMs} ms`);
  await until('the second one grants', SOON_MS, async () => {
    return (
      (await metricOf(second, /^rialto_lease_reports_total\{.*result="granted"\} (\d+)$/m)) > 0
    );
  });
  await until('all of the day is won', SOON_MS, async () => {
    return (await countWins(node)) === IMPRESSIONS_A_DAY;
  });
  const enough = (await readMoney(node)).auctions.length + AUCTIONS_MORE;
  await until(`${AUCTIONS_MORE} more auctions`, SOON_MS, async () => {
    return (await readMoney(node)).auctions.length >= enough;
  });
  assert.equal(await countWins(node), IMPRESSIONS_A_DAY);
  const { errors } = await traffic.stop();
  assert.deepEqual(errors, {});

  const back = await startFirst();
  await until('the one that the node reports to leads again', SOON_MS, () => leads(back));
  assert.equal(await leads(second), false);
  await until('what was recorded meanwhile is loaded there', SOON_MS, async () => {
    const pattern = /^rialto_load_records_total\{.*stream="money"\} (\d+)$/m;
    return (await metricOf(back, pattern)) >= IMPRESSIONS_A_DAY;
  });
  assert.equal(await metricOf(second, /^rialto_load_records_total\{.*stream="money"\} (\d+)$/m), 0);
});

test('a store is copied into a database, and commands use that one from then on', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'rialto-copy-'));
  t.after(() => rmSync(base, { recursive: true }));
  const file = writeConfiguration(base, 'http://127.0.0.1:9101/bid');
  const here = ['--data', join(base, 'data')];
  assert.equal((await runRialto(['apply', file, ...here])).code, 0);
  const refused = await runRialto(['copy-store', ...here]);
  assert.deepEqual([refused.code, refused.stderr.split('\n').length], [2, 2]);
  assert.match(refused.stderr, /RIALTO_DATABASE_URL/);

  const env = { RIALTO_DATABASE_URL: await createDatabase() };
  const copied = await runRialto(['copy-store', ...here], env);
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stdout, /^\d+ rows were copied/);
  const again = await runRialto(['copy-store', ...here], env);
  assert.match(again.stderr, /^The database holds a configuration already\.\n$/);
  const elsewhere = ['--data', join(base, 'other')];
  const applied = await runRialto(['apply', file, ...elsewhere], env);
  assert.match(applied.stdout, /: 0 created, 0 updated, 26 unchanged\n/);
});

test('a database that cannot be reached ends a command and a start with one line, without the password', async () => {
  const env = { RIALTO_DATABASE_URL: 'postgresql://rialto:hush-hush@127.0.0.1:1/rialto' };
  const directory = mkdtempSync(join(tmpdir(), 'rialto-away-'));
  for (const [expected, ...command] of [
    [5, 'apply', join(import.meta.dirname, '../../examples/exchange.yaml')],
    [1, 'start', '--roles=control', '--control-port=0'],
  ] as const) {
    const { code, stdout, stderr } = await runRialto([...command, '--data', directory], env);
    assert.equal(code, expected);
    assert.match(
      stderr,
      /^The configuration store is not usable: cannot reach the PostgreSQL .*\n$/,
    );
    assert.match(stderr, /127\.0\.0\.1:1\/rialto/);
    assert.doesNotMatch(stdout + stderr, /hush/);
  }
  rmSync(directory, { recursive: true });
});
