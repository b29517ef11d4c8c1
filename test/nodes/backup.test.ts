import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROLE_NAMES } from '../../src/settings/settings.ts';
import { createSealer, sendUntilAcknowledged, wonNow } from '../support/beacons.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { startNode, type StartedNode } from '../support/node.ts';
import { reconciledWhen } from '../support/reconcile.ts';
import { until } from '../support/wait.ts';

const AUCTIONS = 12;

test('a copy of a frozen node that works is a whole one: it starts, agrees, and knows what was counted', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-backup-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const copy = join(directory, 'data');
  const exchange = await startExchange({ t });
  const { node } = exchange;
  const seal = createSealer(node);
  const counted = seal({ kind: 'impression', imp: wonNow({ test: 0 }) });
  const open = seal({ kind: 'impression', imp: wonNow({ test: 0 }) });
  await sendUntilAcknowledged(counted);
  for (let index = 0; index < AUCTIONS; index += 1) await exchange.ask(bannerRequest());

  // These are under way: some of their records are in the copy.
  const underway = Array.from({ length: AUCTIONS }, () => exchange.ask(bannerRequest()));
  await whileFrozen(node, () => cpSync(node.dataDirectory, copy, { recursive: true }));
  const statuses = (await Promise.all(underway)).map(({ status }) => status);
  assert.ok(statuses.every((status) => status < 500));
  // What the backup does not have; the exchange goes on.
  assert.equal((await exchange.ask(bannerRequest())).status, 200);
  node.kill('supervisor', 'SIGTERM');
  await node.exited;

  const restored = await startNode({ t, dataDirectory: copy });
  for (const beacon of [counted, open]) {
    await sendUntilAcknowledged(beacon.replace(node.urls.tracker, restored.urls.tracker));
  }
  await reconciledWhen(copy, (report) => {
    assert.ok(report.agrees, JSON.stringify(report));
    const day = report.sections.at(-1);
    const figure = (what: string): number =>
      Number(day?.lines.find((line) => line.what === what)?.figures[0]);
    return figure('auctions') >= AUCTIONS && figure('impressions') === 2;
  });
});

/** As `systemctl freeze` does it: every process of the node stands still, and none is told. */
async function whileFrozen(node: StartedNode, work: () => void): Promise<void> {
  const whom = ['supervisor', ...ROLE_NAMES] as const;
  const pids = whom.flatMap((each) => node.kill(each, 'SIGSTOP'));
  try {
    await until('every process stands still', 10_000, () => {
      const states = execFileSync('ps', ['-o', 'stat=', '-p', pids.join(',')], {
        encoding: 'utf8',
      });
      return states
        .trim()
        .split('\n')
        .every((state) => state.trim().startsWith('T'));
    });
    work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}
