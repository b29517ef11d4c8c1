import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import type { FunnelQuestion } from '../../analytics/funnel.ts';
import type { LossQuestion } from '../../analytics/losses.ts';
import { ERROR_CLAUSES, NO_BID_CLAUSES, THROTTLE_CLAUSES } from '../auctions/call-reasons.ts';
import { ERROR_ACTIONS, NO_BID_ACTIONS, tellCall, THROTTLE_ACTIONS } from './call-actions.ts';

const FUNNEL = '/demand-partners/1001/funnel/';
const LOSSES = '/demand-partners/1001/losses/';
const TODAY = new Date().toISOString().slice(0, 10);
const WEEK_AGO = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);

/** The API over a store without any traffic, that keeps what it was asked. */
async function openReasons(t: TestContext) {
  const asked: (FunnelQuestion | LossQuestion)[] = [];
  const server = await openManagement(t, undefined, {
    readFunnel: async (question) => {
      asked.push(question);
      return { calls: [], bids: [], wins: 0, impressions: 0 };
    },
    readLosses: async (question) => {
      asked.push(question);
      return { reasons: [], wins: 0 };
    },
  });
  return { asked, server, api: await apiOf(server, 'engineer@acme.example', ['read']) };
}

test('a funnel is of today and losses of a week, unless other days are asked for', async (t) => {
  const { asked, api } = await openReasons(t);
  const [item] = (await api('GET', '/demand-partners/1001/line-items/xch/')).body;
  const nothing = await api('GET', FUNNEL);
  assert.equal(nothing.status, 200);
  assert.deepEqual([nothing.body.start_date, nothing.body.lineitem_id], [TODAY, null]);
  assert.deepEqual(
    nothing.body.steps.map(({ step, count }: { step: string; count: number }) => [step, count]),
    ['matched', 'sent', 'answered', 'bids', 'in_auction', 'won', 'billed'].map((step) => [step, 0]),
  );
  assert.deepEqual(nothing.body.drops, []);
  assert.equal((await api('GET', `${FUNNEL}?date=${WEEK_AGO}&lineitem_id=${item.id}`)).status, 200);
  assert.equal((await api('GET', LOSSES)).status, 200);
  const rest = `start_date=${TODAY}&end_date=${TODAY}&publisher_id=2001&seat=s`;
  assert.equal((await api('GET', `${LOSSES}?${rest}`)).status, 200);
  const of = { demandPartnerId: 1001, startDate: TODAY, endDate: TODAY, lineItemId: null };
  assert.deepEqual(asked, [
    of,
    { ...of, startDate: WEEK_AGO, endDate: WEEK_AGO, lineItemId: item.id },
    { ...of, startDate: WEEK_AGO, publisherId: null, seat: null },
    { ...of, publisherId: 2001, seat: 's' },
  ]);
});

test("another's partner or line item is told like one that is not there, and wrong days are named", async (t) => {
  const { asked, api, server } = await openReasons(t);
  const bolt = await apiOf(server, 'engineer@bolt.example');
  const [{ id }] = (await bolt('GET', '/demand-partners/1002/line-items/xch/')).body;
  for (const path of [FUNNEL, LOSSES]) {
    const elsewhere = await api('GET', path.replace('1001', '1002'));
    const nowhere = await api('GET', path.replace('1001', '1999'));
    assert.deepEqual([elsewhere.status, elsewhere.body], [404, nowhere.body]);
    const foreign = await api('GET', `${path}?lineitem_id=${id}`);
    const missing = await api('GET', `${path}?lineitem_id=1999999`);
    assert.deepEqual([foreign.status, foreign.body], [400, missing.body]);
    const wrong = await api('GET', `${path}?start_date=${TODAY}&end_date=${WEEK_AGO}`);
    assert.match(wrong.body.errors[0].message, /earlier day first/);
    const never = await api('GET', `${path}?start_date=2020-01-01`);
    assert.deepEqual([never.status, never.body.errors[0].pointer], [400, '/start_date']);
  }
  const both = await api('GET', `${FUNNEL}?date=${TODAY}&end_date=${TODAY}`);
  assert.deepEqual([both.status, both.body.errors[0].pointer], [400, '/date']);
  const publisher = await apiOf(server, 'ads@planet.example');
  assert.equal((await publisher('GET', FUNNEL)).status, 403);
  assert.deepEqual(asked, []);
  const closed = await apiOf(await openManagement(t), 'engineer@acme.example');
  assert.equal((await closed('GET', FUNNEL)).status, 503);
  assert.equal((await closed('GET', LOSSES)).status, 503);
});

test('every reason that there are words for has an action, one that nobody foresaw as well', () => {
  const tables = [
    [THROTTLE_CLAUSES, THROTTLE_ACTIONS, 'throttled'],
    [NO_BID_CLAUSES, NO_BID_ACTIONS, 'no_bid'],
    [ERROR_CLAUSES, ERROR_ACTIONS, 'error'],
  ] as const;
  for (const [clauses, actions, outcome] of tables) {
    assert.deepEqual(Object.keys(actions), Object.keys(clauses));
    for (const reason of [...Object.keys(actions), 'brand_new', 'constructor', 'http_500']) {
      const { meaning, action } = tellCall({ outcome, reason });
      assert.match(meaning, /^[A-Z].*\.$/);
      assert.match(action, /^[A-Z].*\.$/);
    }
  }
});
