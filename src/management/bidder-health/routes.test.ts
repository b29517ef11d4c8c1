import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { NO_TRAFFIC } from '../../analytics/traffic.ts';
import { BidderHealthSchema } from './schema.ts';

/** An API over a store in which bidder 1001 fails and 1002 was not asked. */
async function open(t: TestContext) {
  let questions = 0;
  const server = await openManagement(t, undefined, {
    readBidderSums: async ({ toS }) => {
      questions += 1;
      const sums = {
        ...NO_TRAFFIC,
        bid_requests: 3_000,
        timeouts: 2_400,
        errors: 100,
        responses: 400,
        no_bids: 100,
        wins: 10,
        grossCpmMicros: 2_500_000_000n,
        latencies: new Map([[96, 500]]),
        reasons: new Map([
          ['error http_500', 40],
          ['error ECONNREFUSED', 60],
          ['throttled bidder_qps', 5],
        ]),
      };
      return new Map([[1001, new Map([[toS - 20, sums]])]]);
    },
  });
  return {
    server,
    questions: () => questions,
    operator: await apiOf(server, 'operator@example.com'),
    acme: await apiOf(server, 'engineer@acme.example'),
    planet: await apiOf(server, 'ads@planet.example'),
  };
}

test('a partner is told how its bidder does, with reasons and with what to do', async (t) => {
  const { acme } = await open(t);
  const { status, body } = await acme('GET', '/demand-partners/1001/health/');
  assert.equal(status, 200);
  assert.ok(Compile(BidderHealthSchema).Check(body), JSON.stringify(body));
  assert.deepEqual(
    [body.state, body.qps, body.timeout_share, body.spend, body.wins, body.stop],
    ['failing', 10, 0.8, 2.5, 10, null],
  );
  assert.deepEqual(
    body.errors.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
    [
      ['ECONNREFUSED', 60],
      ['http_500', 40],
    ],
  );
  assert.match(
    body.sentence,
    /fails\. In the last five minutes 83\.3 % of 3,000 calls failed: 2,400 timeouts and 100 errors \(mostly: its bidder refused/,
  );
  assert.match(String(body.action), /within its timeout/);
  assert.equal(body.throttled[0]?.text, 'its limit of bid requests a second was used up');
});

test('operators see all bidders at an address that is no partner’s, and stops at once', async (t) => {
  const { operator, questions } = await open(t);
  await operator('POST', '/demand-partners/1002/bidder/stop/', { reason: 'broken JSON' });
  await operator('POST', '/demand-partners/', { name: 'New' });
  const { status, body } = await operator('GET', '/demand-partners/health/');
  assert.equal(status, 200);
  assert.ok(Compile(Type.Array(BidderHealthSchema)).Check(body), JSON.stringify(body));
  assert.deepEqual(
    body.map(({ state }: { state: string }) => state),
    ['failing', 'stopped', 'not_set_up'],
  );
  const stopped = body[1];
  assert.ok(stopped !== undefined);
  assert.match(stopped.sentence, /stopped all calls .*: broken JSON\.$/);
  assert.deepEqual(stopped.stop, { reason: 'broken JSON', at: stopped.since });
  await operator('POST', '/demand-partners/1002/bidder/start/');
  const started = await operator('GET', '/demand-partners/1002/health/');
  assert.equal(started.body.state, 'idle');
  assert.equal(questions(), 1, 'the store is asked once within a moment');
});

test('another’s bidder is missing, and only operators see all', async (t) => {
  const { acme, planet, operator } = await open(t);
  assert.equal((await acme('GET', '/demand-partners/1002/health/')).status, 404);
  assert.equal((await acme('GET', '/demand-partners/77/health/')).status, 404);
  assert.equal((await acme('GET', '/demand-partners/health/')).status, 403);
  assert.equal((await planet('GET', '/demand-partners/1001/health/')).status, 403);
  assert.equal((await operator('GET', '/demand-partners/77/health/')).status, 404);
});
