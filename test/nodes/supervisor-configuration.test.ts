import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { copyAnalytics } from '../support/analytics-store.ts';
import { assertWithin } from '../support/effort.ts';
import { runRialto, startNode, type StartedNode } from '../support/node.ts';
import { until } from '../support/wait.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');
/** What nodes share that are not one. */
const SECRET = 'a-secret-of-both-nodes';
const base = mkdtempSync(join(tmpdir(), 'rialto-configuration-'));
after(() => rmSync(base, { recursive: true }));

function exampleWithFloor(name: string, floor: string): string {
  const file = join(base, name);
  const text = readFileSync(EXAMPLE, 'utf8');
  writeFileSync(file, text.replace('seat: acme-1, floor: 0.05', `seat: acme-1, floor: ${floor}`));
  return file;
}

function snapshotOf(dataDirectory: string): string {
  return readFileSync(join(dataDirectory, 'snapshot/current.ndjson'), 'utf8');
}

/** Waits until the node's snapshot has the floor, and gives how long it took. */
async function floorOnDisk(dataDirectory: string, floorMicros: number): Promise<number> {
  const startMs = performance.now();
  await until(`the snapshot has the floor ${floorMicros}`, 10_000, () =>
    snapshotOf(dataDirectory).includes(`"floorMicros":${floorMicros},`),
  );
  return performance.now() - startMs;
}

/** From where the exchange processes have taken a version, each with its number. */
function versionTaken(output: string, seq: number): string[] {
  const pattern = /"worker":(\d+).*"from":"(\w+)".*\.(\d+)","msg":"configuration taken"/g;
  return [...output.matchAll(pattern)]
    .filter((match) => Number(match[3]) === seq)
    .map(([, worker, from]) => `${from} ${worker}`)
    .sort();
}

let sharing: Promise<StartedNode> | undefined;
after(() => sharing?.then((node) => node.stop()));

/** One node with two exchange processes, for the tests that leave it running. */
function sharedNode(t: TestContext): Promise<StartedNode> {
  sharing ??= startNode({ file: EXAMPLE, args: ['--workers=2'] });
  t.after(async () => {
    if (!t.passed) console.error(`The node wrote:\n${(await sharing)?.output()}`);
  });
  return sharing;
}

test('a file applied to a running node is live in every exchange process', async (t) => {
  const node = await sharedNode(t);
  const apply = (file: string) => runRialto(['apply', file, '--data', node.dataDirectory]);
  const before = snapshotOf(node.dataDirectory);
  const refused = await apply(exampleWithFloor('invalid.yaml', '-1'));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /invalid\.yaml:\d+/);

  const file = exampleWithFloor('running.yaml', '0.77');
  const applied = await apply(file);
  const startMs = performance.now();
  assert.equal(applied.stderr, '');
  assert.equal(applied.code, 0);
  assert.match(
    applied.stdout,
    /^\S+running\.yaml: 0 created, 1 updated, \d+ unchanged\n {2}updated line item 501\n/,
  );
  await until(
    'both processes have taken it',
    10_000,
    () => versionTaken(node.output(), 2).length === 2,
  );
  const tookMs = performance.now() - startMs;
  t.diagnostic(`live ${Math.round(tookMs)} ms after the command`);
  assertWithin(tookMs, 2_000);
  // One line item travels alone, and of the refused file there is nothing, not even a version.
  assert.deepEqual(versionTaken(node.output(), 2), ['delta 0', 'delta 1']);
  assert.equal(
    snapshotOf(node.dataDirectory),
    before
      .replace('"seq":1', '"seq":2')
      .replace(/"seat":"acme-1","floorMicros":50000,/, '"seat":"acme-1","floorMicros":770000,'),
  );

  const again = await apply(file);
  assert.match(
    again.stdout,
    /^\S+: 0 created, 0 updated, \d+ unchanged\nApplied to the data directory \S+\.\n$/,
  );
});

test('a file can be applied before the first start, and is live when that is ready', async (t) => {
  const dataDirectory = join(base, 'before');
  const applied = await runRialto(['apply', EXAMPLE, '--data', dataDirectory]);
  assert.match(applied.stdout, /: \d+ created, 0 updated, 0 unchanged\n {2}created /);
  const node = await startNode({ t, dataDirectory });
  assert.match(snapshotOf(dataDirectory), /"floorMicros":50000,/);
  await node.stop();

  // What is applied with a start is what its exchange is ready with, not what it had before.
  const changed = await startNode({
    t,
    dataDirectory,
    file: exampleWithFloor('start.yaml', '0.88'),
  });
  assert.match(snapshotOf(dataDirectory), /"floorMicros":880000,/);
  const ready = await fetch(`${changed.urls.exchange}/readyz`);
  assert.equal(ready.status, 200);
  const taken = changed.output().match(/"role":"exchange".*"msg":"configuration taken"/g) ?? [];
  assert.ok(taken.length > 0 && taken.every((line) => line.includes('.2"')), taken.join('\n'));
  await changed.stop();
  servedDirectory = dataDirectory;
});

/** Of a node that has stopped, if a test has left one. */
let servedDirectory: string | undefined;

async function servedBefore(): Promise<string> {
  const dataDirectory = mkdtempSync(join(base, 'served-'));
  await copyAnalytics(join(dataDirectory, 'analytics'));
  const node = await startNode({ file: EXAMPLE, dataDirectory });
  await node.stop();
  return dataDirectory;
}

test('without a file an empty exchange starts, and is ready', async (t) => {
  const node = await startNode({ t });
  assert.equal((await fetch(`${node.urls.exchange}/readyz`)).status, 200);
  assert.match(snapshotOf(node.dataDirectory), /"kind":"exchange"/);
});

test('while control does not run the courier goes on asking and the exchange serving', async (t) => {
  const node = await sharedNode(t);
  // Stopped, not ended: the supervisor would start another.
  const [courier] = node.pids('courier');
  node.kill('control', 'SIGSTOP');
  const applied = await runRialto([
    'apply',
    exampleWithFloor('away.yaml', '0.66'),
    '--data',
    node.dataDirectory,
  ]);
  assert.equal(applied.code, 0);
  assert.equal((await fetch(`${node.urls.exchange}/readyz`)).status, 200);
  node.kill('control', 'SIGKILL');
  await floorOnDisk(node.dataDirectory, 660_000);
  assert.deepEqual(node.pids('courier'), [courier]);
});

test('a node without control starts from its disk while control is away', async (t) => {
  const dataDirectory = servedDirectory ?? (await servedBefore());
  const node = await startNode({
    t,
    dataDirectory,
    args: ['--roles=courier,tracker,exchange', '--internal-url=http://127.0.0.1:1'],
    env: { RIALTO_INTERNAL_SECRET: SECRET },
  });
  assert.equal(node.urls.control, '');
  assert.deepEqual(node.pids('control'), []);
  assert.equal((await fetch(`${node.urls.exchange}/readyz`)).status, 200);
  await node.stop();
});

test('an exchange that never had a configuration says so until control is there', async (t) => {
  const port = await freePort();
  const env = { RIALTO_INTERNAL_SECRET: SECRET };
  const node = await startNode({
    t,
    args: ['--roles=courier,tracker,exchange', `--internal-url=http://127.0.0.1:${port}`],
    env,
  });
  const early = await fetch(`${node.urls.exchange}/readyz`);
  assert.equal(early.status, 503);
  assert.match(await early.text(), /not_ready/);

  const args = ['--roles=control', `--internal-port=${port}`];
  const control = await startNode({ t, file: EXAMPLE, args, env });
  assert.equal(control.urls.exchange, '');
  await until('the exchange is ready', 10_000, async () => {
    return (await fetch(`${node.urls.exchange}/readyz`)).status === 200;
  });
});

/** A port on which nothing listens any more. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  server.close();
  return address.port;
}
