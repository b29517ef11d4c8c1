import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyAnalytics } from '../support/analytics-store.ts';
import { wonNow, createSealer, sendUntilAcknowledged } from '../support/beacons.ts';
import { bannerRequest } from '../support/exchange.ts';
import { runRialto, startNode, type StartedNode } from '../support/node.ts';
import { until } from '../support/wait.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');
const base = mkdtempSync(join(tmpdir(), 'rialto-no-control-'));
after(() => rmSync(base, { recursive: true }));

/** A data directory of a node that has served and was stopped, so that it has a snapshot. */
async function servedBefore(): Promise<string> {
  served ??= serve();
  const dataDirectory = mkdtempSync(join(base, 'node-'));
  await cp(await served, dataDirectory, { recursive: true, verbatimSymlinks: true });
  return dataDirectory;
}

/** Made once; each test has a copy. */
let served: Promise<string> | undefined;

async function serve(): Promise<string> {
  const dataDirectory = join(base, 'served');
  await copyAnalytics(join(dataDirectory, 'analytics'));
  const node = await startNode({ file: EXAMPLE, dataDirectory });
  await node.stop();
  return dataDirectory;
}

async function assertServes(node: StartedNode): Promise<void> {
  const answer = await fetch(`${node.urls.exchange}/openrtb2/auction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bannerRequest()),
  });
  // Nobody listens where the example's bidders are: an auction without a winner.
  assert.equal(answer.status, 204, await answer.text());
  assert.equal((await fetch(`${node.urls.exchange}/readyz`)).status, 200);
  assert.equal((await fetch(`${node.urls.tracker}/readyz`)).status, 200);
  const seal = createSealer(node);
  assert.equal(await sendUntilAcknowledged(seal({ kind: 'impression', imp: wonNow() })), 1);
}

test('a node whose configuration store is damaged serves from its snapshot, and control comes when the store is back', async (t) => {
  const dataDirectory = await servedBefore();
  const store = join(dataDirectory, 'configuration.sqlite');
  copyFileSync(store, `${store}.kept`);
  writeFileSync(store, 'this is no database, though long enough');
  for (const part of ['-wal', '-shm']) rmSync(`${store}${part}`, { force: true });

  const node = await startNode({ t, dataDirectory });
  assert.match(
    node.output(),
    /^ {2}control {3}http:\S+ {2}\(does not serve yet: its log says why/m,
  );
  await assertServes(node);
  const port = (role: 'control' | 'exchange' | 'tracker'): string =>
    `--${role}-port=${new URL(node.urls[role]).port}`;
  const place = [`--data=${dataDirectory}`, '--host=127.0.0.1'];
  const status = await runRialto([
    'status',
    ...place,
    port('control'),
    port('exchange'),
    port('tracker'),
  ]);
  assert.equal(status.code, 1);
  assert.match(status.stdout, /control at \S+ does not answer\. [^\n]*configuration on its disk/);

  // It has been tried more often than a role that is needed, and nothing else was touched.
  const serving = [...node.pids('exchange'), ...node.pids('tracker'), ...node.pids('courier')];
  await until('control was tried four times', 20_000, () => {
    return (
      (node.output().match(/"reason":"The configuration store is not usable/g) ?? []).length > 3
    );
  });
  copyFileSync(`${store}.kept`, store);
  await until('control serves', 20_000, async () => {
    const answer = await fetch(`${node.urls.control}/readyz`).catch(() => null);
    return answer?.status === 200;
  });
  assert.deepEqual(
    [...node.pids('exchange'), ...node.pids('tracker'), ...node.pids('courier')],
    serving,
  );
  assert.deepEqual(await node.stop(), { code: 0, signal: null });
});

test('a node whose database is away serves from its snapshot, also when it is told to apply a file', async (t) => {
  const dataDirectory = await servedBefore();
  const env = { RIALTO_DATABASE_URL: 'postgresql://rialto:secret@127.0.0.1:9/rialto' };
  const node = await startNode({ t, dataDirectory, file: EXAMPLE, env });
  await assertServes(node);
  assert.match(node.output(), /cannot reach the PostgreSQL database 127\.0\.0\.1:9\/rialto/);
  assert.doesNotMatch(node.output(), /secret/);
});

test('a file that is wrong ends the start also of a node that has a snapshot', async () => {
  const dataDirectory = await servedBefore();
  const file = join(dataDirectory, 'wrong.yaml');
  writeFileSync(file, 'exchange: 1\n');
  await assert.rejects(startNode({ dataDirectory, file }), /wrong\.yaml:1/);
});
