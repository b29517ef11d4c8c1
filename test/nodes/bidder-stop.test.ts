import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/exchange.yaml', import.meta.url));
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
  assert.match(list, /1001 +Acme DSP +ACTIVE +http/);
  assert.match(list, /1002 +Bolt DSP +ACTIVE +stopped since \d{4}-.*Z: floods us/);

  node.kill('control');
  node.kill('exchange');
  await until('the node serves again', 10_000, async () => {
    const again = await callOf(`restart ${(asked += 1)}`).catch(() => '');
    return again === 'throttled stopped';
  });
  const unknown = await until('control serves again', 10_000, async () => {
    const result = await runRialto(['bidders', 'stop', '77', ...place]);
    return /no demand partner 77/.test(result.stderr) && result;
  });
  assert.equal(unknown.code, 4);

  const started = await runRialto(['bidders', 'start', '1002', ...place]);
  assert.match(started.stdout, /^Demand partner 1002 is started/);
  await becomes('bid');
  const again = await runRialto(['bidders', 'start', '1002', ...place]);
  assert.match(again.stdout, /^Demand partner 1002 was not stopped/);
  assert.equal(again.code, 0);
  assertInvariants(await exchange.records());
});

test('without a node a bidder is stopped in the store, and never where there is none', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-stop-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const nowhere = await runRialto(['bidders', 'stop', '1002', '--data', directory]);
  assert.equal(nowhere.code, 5);
  assert.match(nowhere.stderr, /holds no configuration/);
  const applied = await runRialto(['apply', EXAMPLE, '--data', directory]);
  assert.equal(applied.code, 0, applied.stderr);
  const stopped = await runRialto(['bidders', 'stop', '1002', '--data', directory]);
  assert.match(stopped.stdout, /no control runs here/);
  const list = await runRialto(['bidders', '--json', '--data', directory]);
  const { bidders } = JSON.parse(list.stdout);
  assert.deepEqual(
    bidders.map(({ stop }: { stop: object | null }) => stop !== null),
    [false, true],
  );
});
