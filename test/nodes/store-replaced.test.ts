import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReconcileReport } from '../../src/commands/reconcile-section.ts';
import { copyAnalytics } from '../support/analytics-store.ts';
import { createSealer, sendUntilAcknowledged, wonNow } from '../support/beacons.ts';
import { bannerRequest } from '../support/exchange.ts';
import { runRialto, startNode, type StartedNode } from '../support/node.ts';
import { reconciledWhen } from '../support/reconcile.ts';
import { until } from '../support/wait.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');
const LOADED_MS = 30_000;

/** What the node has recorded, of auctions and of impressions. */
interface Recorded {
  auctions: number;
  impressions: number;
}

test('a lost analytics store, then an older configuration store: nothing is loaded before a person says so, then all of it once', async (t) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-replaced-'));
  t.after(() => rmSync(dataDirectory, { recursive: true }));
  await copyAnalytics(join(dataDirectory, 'analytics'));
  const recorded: Recorded = { auctions: 0, impressions: 0 };
  const first = await startNode({ t, dataDirectory, file: EXAMPLE });
  await record(first, recorded, 4);
  await loaded(dataDirectory, recorded);
  await first.stop();
  const configuration = join(dataDirectory, 'configuration.sqlite');
  copyFileSync(configuration, `${configuration}.older`);
  rmSync(join(dataDirectory, 'analytics'), { recursive: true });

  const second = await startNode({ t, dataDirectory });
  await until('the log tells of it', LOADED_MS, () =>
    second.output().includes('the analytics store is empty, and was not'),
  );
  await record(second, recorded, 3);
  await assertAttention(second, /analytics store is empty, another or an older one/);
  const reached = await reconciledWhen(dataDirectory, () => true);
  assert.equal(storedIn(reached), 0, 'nothing is loaded by itself');
  const reoffered = await runRialto(['reoffer', '--data', dataDirectory]);
  assert.equal(reoffered.code, 0, reoffered.stderr);
  assert.match(reoffered.stdout, /^The analytics store was empty; it is kept\.\n/);
  await loaded(dataDirectory, recorded);
  await second.stop();

  for (const part of ['-wal', '-shm']) rmSync(`${configuration}${part}`, { force: true });
  copyFileSync(`${configuration}.older`, configuration);
  const third = await startNode({ t, dataDirectory });
  await record(third, recorded, 2);
  await assertAttention(third, /analytics store is empty, another or an older one/);
  assert.equal((await runRialto(['reoffer', '--data', dataDirectory])).code, 0);
  await loaded(dataDirectory, recorded);
  assert.equal((await runRialto(['reoffer', '--data', dataDirectory, '--json'])).code, 0);
  await record(third, recorded, 1);
  await loaded(dataDirectory, recorded);
  await third.stop();
  const stopped = await runRialto(['reoffer', '--data', dataDirectory]);
  assert.equal(stopped.code, 5);
  assert.match(stopped.stderr, /^No control runs on .*: start the node/);
});

/** Auctions, each with an impression, which the node has acknowledged. */
async function record(node: StartedNode, recorded: Recorded, count: number): Promise<void> {
  const seal = createSealer(node);
  for (let index = 0; index < count; index += 1) {
    const answer = await fetch(`${node.urls.exchange}/openrtb2/auction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bannerRequest()),
    });
    // Nobody listens where the example's bidders are: an auction without a winner.
    assert.equal(answer.status, 204);
    await sendUntilAcknowledged(seal({ kind: 'impression', imp: wonNow() }));
    recorded.auctions += 1;
    recorded.impressions += 1;
  }
}

/** Waits until journal, raw records and rollups agree on all that was recorded. */
async function loaded(dataDirectory: string, { auctions, impressions }: Recorded): Promise<void> {
  await reconciledWhen(
    dataDirectory,
    (report) => report.agrees && storedIn(report) === auctions + impressions,
  );
}

/** Auctions and impressions among the raw records. */
function storedIn({ sections }: ReconcileReport): number {
  const lines = sections.find(({ title }) => title.startsWith('Journal'))?.lines ?? [];
  return lines
    .filter(({ what }) => what === 'auctions' || what === 'impressions')
    .reduce((sum, { figures }) => sum + Number(figures[2] ?? 0), 0);
}

async function assertAttention(node: StartedNode, said: RegExp): Promise<void> {
  const places = (['control', 'exchange', 'tracker'] as const).map(
    (role) => `--${role}-port=${new URL(node.urls[role]).port}`,
  );
  const metrics = `--metrics-port=${new URL(node.urls.metrics).port}`;
  const status = ['status', `--data=${node.dataDirectory}`, '--host=127.0.0.1', metrics, ...places];
  await until('status tells of it', LOADED_MS, async () =>
    said.test((await runRialto(status)).stdout),
  );
}
