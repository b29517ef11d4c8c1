import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineItemMatch } from '../auction/eligibility.ts';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aDeal, aLineItem } from '../auction/fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import { privacyFor } from '../privacy/effects.ts';
import { readSignals } from '../privacy/signals.ts';
import type { Bidder, Entity, Status } from '../snapshot/entities.ts';
import { aBidder, aMarket, anAdSpace, aRequest, aVideo, NO_RULES } from './fixtures.ts';
import { biddableFormats } from './biddable.ts';
import { planCalls, type PlannedCall, type PlanRules } from './plan.ts';
import { findSlots } from './slots.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

interface Setting {
  readonly entities?: readonly Entity[];
  readonly lineItems?: readonly LineItemMatch[];
  readonly bidder?: Partial<Bidder>;
  readonly rules?: Partial<PlanRules>;
  readonly request?: Parameters<typeof aRequest>[0];
}

/** The plan for one partner whose line items match everywhere. */
async function plan(setting: Setting): Promise<PlannedCall[]> {
  const { entities = [], lineItems = [match({})], rules = {} } = setting;
  const market = await aMarket(...entities);
  const found = findSlots(aRequest(setting.request), market, { secure: true, country: null });
  assert.ok(found.ok, JSON.stringify(found));
  const partner = aPartner(1001, { bidder: aBidder(setting.bidder) });
  return planCalls(market, found.value, {
    match: () => [{ partner, lineItems }],
    biddableFormats: (slot, bidder) => biddableFormats(slot, { bidder, os: null }),
    ...NO_RULES,
    ...rules,
  });
}

function match(
  differs: Parameters<typeof aLineItem>[0],
  more: Partial<LineItemMatch> = {},
): LineItemMatch {
  const lineItem = aLineItem(differs);
  return { lineItem, formats: FORMAT_BANNER, requiresLocation: false, ...more };
}

const ONE = match({ id: 501, seat: 'seat-1' });
const TWO = match({ id: 502, seat: 'seat-2' });

function described({ offers, wseat, at, throttled }: PlannedCall): unknown {
  const imps = offers.map(({ imp, deals }) => [imp.id, deals.map(({ id }) => id)]);
  return { imps, wseat, at, throttled };
}

test('a private auction of the publisher sells by the deals that it names, and to nobody else', async () => {
  const deals = ['deal-1', 'deal-2'].map((id) => aDeal({ id, seats: ['seat-1'] }));
  const offersFor = async (pmp: object): Promise<unknown> => {
    const imp = [{ id: '1', tagid: '4001', banner: {}, pmp }];
    const calls = await plan({ entities: deals, lineItems: [ONE, TWO], request: { imp } });
    return calls.map(({ offers, wseat }) => [
      wseat,
      offers.flatMap((offer) => offer.deals.map(({ id }) => id)),
    ]);
  };
  const named = (...ids: string[]) => ids.map((id) => ({ id }));
  assert.deepEqual(await offersFor({ private_auction: 1, deals: named('deal-2', 'other') }), [
    [['seat-1'], ['deal-2']],
  ]);
  assert.deepEqual(await offersFor({ private_auction: 1, deals: named('other') }), []);
  assert.deepEqual(await offersFor({ private_auction: 1 }), []);
  const open = [
    [['seat-1'], ['deal-1', 'deal-2']],
    [['seat-2'], []],
  ];
  assert.deepEqual(await offersFor({ private_auction: 0, deals: named('deal-2') }), open);
  assert.deepEqual(await offersFor({ deals: named('deal-2') }), open);
});

test('one request with all seats; none are named where a line item binds no seat', async () => {
  const [call, ...others] = await plan({ lineItems: [ONE, TWO] });
  assert.equal(others.length, 0);
  assert.deepEqual(call?.wseat, ['seat-1', 'seat-2']);
  const [open] = await plan({ lineItems: [ONE, match({ id: 503, seat: null })] });
  assert.equal(open?.wseat, null);
});

test('seats without the deal get a second request, in which the impression is open', async () => {
  const calls = await plan({
    entities: [aDeal({ type: 'fixed_price' })],
    lineItems: [ONE, TWO],
  });
  assert.deepEqual(calls.map(described), [
    { imps: [['1', ['deal-1']]], wseat: ['seat-1'], at: undefined, throttled: null },
    { imps: [['1', []]], wseat: ['seat-2'], at: 2, throttled: null },
  ]);
});

test('a deal that is paused, archived or of other seats changes nothing', async () => {
  const open = { imps: [['1', []]], wseat: ['seat-1'], at: 2, throttled: null };
  for (const status of ['PAUSED', 'ARCHIVED'] satisfies Status[]) {
    const calls = await plan({ entities: [aDeal({ status })], lineItems: [ONE] });
    assert.deepEqual(calls.map(described), [open], status);
  }
  const calls = await plan({ entities: [aDeal({ seats: ['seat-9'] })], lineItems: [ONE] });
  assert.deepEqual(calls.map(described), [open]);
});

test('ad spaces of both auction types go into two requests, each with its type', async () => {
  const imp = ['4001', '4002', '4001'].map((tagid, index) => ({
    id: `${index}`,
    tagid,
    banner: {},
  }));
  const calls = await plan({
    entities: [anAdSpace({ id: 4002, auctionType: 'first_price' })],
    request: { imp },
  });
  assert.deepEqual(
    calls.map(({ at, offers }) => [at, offers.map((offer) => offer.imp.id)]),
    [
      [2, ['1', '3']],
      [1, ['2']],
    ],
  );
});

test('a line item over its rate is left out, and its deals with it', async () => {
  const [call] = await plan({
    entities: [aDeal({ id: 'one' }), aDeal({ id: 'two', seats: ['seat-2'] })],
    lineItems: [ONE, TWO],
    rules: { takeLineItemQps: ({ id }) => id !== 501 },
  });
  assert.ok(call !== undefined);
  assert.deepEqual(described(call), {
    imps: [['1', ['two']]],
    wseat: ['seat-2'],
    at: 2,
    throttled: null,
  });
  assert.deepEqual(
    call.lineItems.map(({ id }) => id),
    [502],
  );
});

test('without a line item or a bidder under its rate the request is throttled, with all that matched', async () => {
  const [spent] = await plan({ lineItems: [ONE, TWO], rules: { takeLineItemQps: () => false } });
  assert.equal(spent?.throttled, 'lineitem_qps');
  assert.equal(spent.lineItems.length, 2);
  assert.equal(spent.offers.length, 1);
  const [busy] = await plan({ lineItems: [ONE, TWO], rules: { takeBidderQps: () => false } });
  assert.equal(busy?.throttled, 'bidder_qps');
  assert.equal(busy.lineItems.length, 2);
});

test('without consent a partner is not asked, and no allowance is used up', async () => {
  const signals = readSignals({ regs: { ext: { gdpr: 1 } } });
  const taken = (): never => assert.fail('an allowance was used up');
  const [call] = await plan({
    rules: {
      effectsFor: () => privacyFor(signals, 7),
      takeBidderQps: taken,
      takeLineItemQps: taken,
    },
  });
  assert.equal(call?.throttled, 'gdpr_consent_missing');
});

test('a line item that needs a location matches nothing where privacy takes it away', async () => {
  const rules = { effectsFor: () => privacyFor(readSignals({ regs: { coppa: 1 } }), null) };
  const located = match({ id: 503 }, { requiresLocation: true });
  assert.deepEqual(await plan({ lineItems: [located], rules }), []);
  const [call] = await plan({ lineItems: [ONE, located], rules });
  assert.deepEqual(
    call?.lineItems.map(({ id }) => id),
    [501],
  );
});

test('a line item without budget is left out, and the last one says why nobody is asked', async () => {
  const without = (...ids: readonly number[]): Partial<PlanRules> => ({
    budget: ({ id }) => (ids.includes(id) ? 'daily_spend' : null),
  });
  const [left] = await plan({ lineItems: [ONE, TWO], rules: without(501) });
  assert.deepEqual([left?.throttled, left?.wseat], [null, ['seat-2']]);
  const [none] = await plan({ lineItems: [ONE, TWO], rules: without(501, 502) });
  assert.deepEqual([none?.throttled, none?.lineItems.length], ['daily_spend', 2]);
});

test('what a call has taken of its allowances is put back when it is not made', async () => {
  const given: unknown[] = [];
  const giveBackQps: PlanRules['giveBackQps'] = ({ partner, lineItems }) =>
    given.push([partner?.id ?? null, lineItems.map(({ id }) => id)]);
  const takeLineItemQps: PlanRules['takeLineItemQps'] = ({ id }) => id !== 501;
  const base = { giveBackQps, takeLineItemQps };
  const lineItems = [ONE, TWO];
  const [overRate] = await plan({ lineItems, rules: { ...base, takeBidderQps: () => false } });
  assert.equal(overRate?.throttled, 'bidder_qps');
  const [ill] = await plan({ lineItems, rules: { ...base, admit: () => 'unhealthy' } });
  assert.equal(ill?.throttled, 'unhealthy');
  assert.deepEqual(given, [
    [null, [502]],
    [1001, [502]],
  ]);
});

test('a bidder is not asked how it is for a call that is not made anyway', async () => {
  const admit = (): never => {
    throw new Error('asked');
  };
  const refusals: readonly Partial<PlanRules>[] = [
    { takeBidderQps: () => false },
    { takeLineItemQps: () => false },
    { budget: () => 'no_lease' },
  ];
  for (const rules of refusals) {
    const [call] = await plan({ rules: { ...rules, admit } });
    assert.notEqual(call?.throttled, null);
  }
});

test('a bidder of version 2.2 is offered no native, and gets no test', async () => {
  const bidder = { openrtbVersion: '2.2' } as const;
  const native = match({}, { formats: FORMAT_NATIVE });
  const [unsayable] = await plan({ bidder, lineItems: [native] });
  assert.equal(unsayable?.throttled, 'no_format', 'it matched, and is not asked');
  assert.deepEqual(unsayable.lineItems, [native.lineItem]);
  const both = match({}, { formats: FORMAT_NATIVE | FORMAT_VIDEO });
  assert.equal((await plan({ bidder, lineItems: [both] }))[0]?.offers[0]?.formats, FORMAT_VIDEO);
  assert.equal((await plan({ bidder, rules: { test: true } }))[0]?.throttled, 'test_in_2.2');
  assert.equal((await plan({ rules: { test: true } }))[0]?.throttled, null);
});

/** An interstitial of banner and video, and line items that take one or both of its formats. */
function interstitial(lineItems: readonly LineItemMatch[], bidder: Partial<Bidder> = {}) {
  const imp = ['4001', '4002'].map((tagid) => ({ id: tagid, tagid, banner: {}, video: {} }));
  return plan({
    entities: [anAdSpace({ interstitial: true, video: aVideo() }), anAdSpace({ id: 4002 })],
    request: { imp },
    lineItems,
    bidder: { interstitialImps: 'pair', ...bidder },
  });
}

function halves(calls: readonly PlannedCall[]): unknown {
  return calls.flatMap(({ offers }) =>
    offers.map(({ imp, formats, lineItems }) => [
      imp.id,
      imp.slot,
      formats,
      lineItems.map(({ lineItem }) => lineItem.id),
    ]),
  );
}

test('an interstitial of several formats is a pair of impressions of one slot, for those who want it so', async () => {
  const both = match({ id: 501 }, { formats: FORMAT_BANNER | FORMAT_VIDEO });
  const video = match({ id: 502, seat: 'seat-2' }, { formats: FORMAT_VIDEO });
  assert.deepEqual(halves(await interstitial([both, video])), [
    ['1', 0, FORMAT_BANNER, [501]],
    ['3', 0, FORMAT_VIDEO, [501, 502]],
    ['2', 1, FORMAT_BANNER | FORMAT_VIDEO, [501, 502]],
  ]);
  const whole = await interstitial([both, video], { interstitialImps: 'one' });
  assert.deepEqual(halves(whole), [
    ['1', 0, FORMAT_BANNER | FORMAT_VIDEO, [501, 502]],
    ['2', 1, FORMAT_BANNER | FORMAT_VIDEO, [501, 502]],
  ]);
});

test('an interstitial that is offered in one format is no pair', async () => {
  const calls = await interstitial([match({ id: 501 })]);
  assert.deepEqual(halves(calls), [
    ['1', 0, FORMAT_BANNER, [501]],
    ['2', 1, FORMAT_BANNER, [501]],
  ]);
});

test('a partner that the operator has stopped is matched and not called, nor does it use a limit', async () => {
  const taken: string[] = [];
  const market = await aMarket();
  const found = findSlots(aRequest(), market, { secure: true, country: null });
  assert.ok(found.ok);
  const partner = aPartner(1001, { stopped: true });
  const [call, ...others] = planCalls(market, found.value, {
    match: () => [{ partner, lineItems: [ONE] }],
    biddableFormats: (slot, bidder) => biddableFormats(slot, { bidder, os: null }),
    ...NO_RULES,
    takeLineItemQps: ({ id }) => taken.push(`line item ${id}`) > 0,
    takeBidderQps: ({ id }) => taken.push(`partner ${id}`) > 0,
    admit: ({ id }) => (taken.push(`probe ${id}`), null),
  });
  assert.deepEqual([call?.throttled, call?.lineItems.length, others.length], ['stopped', 1, 0]);
  assert.deepEqual(taken, []);
});

test('line items without a budget cost no more than their number, on however many impressions', async () => {
  const market = await aMarket();
  const [imp] = aRequest().imp;
  assert.ok(imp !== undefined);
  const imps = Array.from({ length: 50 }, (_, index) => ({ ...imp, id: String(index + 1) }));
  const found = findSlots(aRequest({ imp: imps }), market, { secure: true, country: null });
  assert.ok(found.ok);
  const partner = aPartner(1001, { bidder: aBidder() });
  const lineItems = Array.from({ length: 1_000 }, (_, index) => match({ id: index + 1 }));
  const cpuMs = cpuTimer();
  const [call] = planCalls(market, found.value, {
    match: () => [{ partner, lineItems }],
    biddableFormats: (slot, bidder) => biddableFormats(slot, { bidder, os: null }),
    ...NO_RULES,
    budget: ({ id }) => (id <= 500 ? 'daily_spend' : null),
  });
  const tookMs = cpuMs();
  assert.deepEqual([call?.offers.length, call?.lineItems.length], [50, 500]);
  // Looked for one by one it was 300 ms.
  assert.ok(tookMs < 100, `${tookMs.toFixed(0)} ms`);
});
