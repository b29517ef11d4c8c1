import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

/** A change is live within two seconds; what the machine may be busy with other things comes on top. */
const LIVE_MS = 2_500;

test('a bidder is stopped at once by hand, through restarts and files, until it is started', async (t) => {
  const exchange = await startExchange({ t });
  const { node } = exchange;
  const place = ['--data', node.dataDirectory];
  const callOf = async (id: string) => {
    await exchange.ask(bannerRequest({ id }));
    const record = (await exchange.records()).find((each) => each.request_id === id);
    const call = record?.calls.find((each) => each.demand_partner_id === 1002);
    return `${call?.outcome} ${call?.reason}`.trim();
  };
  let asked = 0;
  const becomes = (outcome: string): Promise<unknown> =>
    until(`Bolt's calls are ${outcome}`, LIVE_MS, async () => {
      asked += 1;
      return (await callOf(`ask ${asked}`)) === outcome;
    });
  await becomes('bid');

  const stopped = await runRialto(['bidders', 'stop', '1002', '--reason', 'floods us', ...place]);
  assert.equal(stopped.stderr, '');
  assert.match(stopped.stdout, /^Demand partner 1002 is stopped: all nodes take it within two sec/);
  await becomes('throttled stopped');
  const { stdout: list } = await runRialto(['bidders', ...place]);
  assert.match(list, /1001 +Acme DSP +ACTIVE +yes/);
  assert.match(list, /1002 +Bolt DSP +ACTIVE +stopped since \d{4}-.*Z: floods us/);

  node.kill('control');
  node.kill('exchange');
  await until('the node serves again', 10_000, async () => {
    const again = await callOf(`restart ${(asked += 1)}`).catch(() => '');
    return again === 'throttled stopped';
  });
  const unknown = await until('control serves again', 10_000, async () => {
    const result = await runRialto(['bidders', 'stop', '77', ...place]);
    return result.code === 4 && result;
  });
  assert.match(unknown.stderr, /answered \/api\/demand-partners\/77\/bidder\/stop\/ with 404/);

  const started = await runRialto(['bidders', 'start', '1002', ...place]);
  assert.match(started.stdout, /^Demand partner 1002 is started/);
  await becomes('bid');
  const { urls, dataDirectory } = node;
  const { api } = JSON.parse(readFileSync(join(dataDirectory, 'control.json'), 'utf8'));
  assert.equal(api.url, urls.control.replace('localhost', '127.0.0.1'));
  const log = await fetch(`${api.url}/api/audit-log/`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  const actors = JSON.parse(await log.text()).map(({ actor }: { actor: string }) => actor);
  assert.deepEqual(actors.slice(0, 2), ['local', 'local'], 'who stopped it, and started it');
  const relayed = await fetch(`${api.url}/api/self/`, {
    headers: { authorization: `Bearer ${api.token}`, 'x-forwarded-for': '192.0.2.7' },
  });
  assert.equal(relayed.status, 401);
  assertInvariants(await exchange.records());
});

test('without a node there is nobody to stop a bidder', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-stop-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const nowhere = await runRialto(['bidders', 'stop', '1002', '--data', directory]);
  assert.equal(nowhere.code, 5);
  assert.match(nowhere.stderr, /^No node runs on .*: start it, .* or sign in at a server/);
});
