import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openTestStore, readExample, hashCheaply } from '../../test/support/configuration-store.ts';
import { applyFile } from '../configuration/apply.ts';
import type { WatchedCertificate } from '../ports/certificates.ts';
import type { Condition, ConditionSource, Reading } from '../subscriptions/condition.ts';
import { conditionSources, type ConditionSourceParts } from './condition-sources.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);

/** The sources over the example's store, of an exchange in which all is well but for `differs`. */
async function sourcesOf(t: TestContext, differs: Partial<ConditionSourceParts> = {}) {
  const { db } = await openTestStore(t);
  const applied = await applyFile(db, await readExample(), { hashSecret: hashCheaply });
  assert.ok(applied.ok);
  const sources = conditionSources({
    db,
    health: { all: async () => [] },
    readStatus: () => assert.fail('nobody asks for the status'),
    readPulse: async () => ({ requests: 9, recentRequests: 9, recentFilled: 9 }),
    leases: { usedUp: async () => [] },
    quarantine: { list: async () => [] },
    findCreatives: async () => ({ creatives: [], total: 0 }),
    certificates: { certificates: [], hasLooked: true },
    readRequests: async () => new Map(),
    now: () => NOON_MS,
    ...differs,
  });
  return (kind: string): ConditionSource => {
    const found = sources.find((each) => each.kind === kind);
    return found ?? assert.fail(`there is no source of ${kind}`);
  };
}

async function readingOf(source: ConditionSource): Promise<Reading> {
  return (await source.read()) ?? assert.fail(`${source.kind} cannot be told`);
}

/** As much of a bidder's health as subscriptions look at. */
function health(
  id: number,
  state: string,
): Awaited<ReturnType<ConditionSourceParts['health']['all']>>[number] {
  return Object({
    demand_partner_id: id,
    name: `P${id}`,
    state,
    sentence: `It is ${state}.`,
    action: null,
  });
}

test('a bidder is unwell while it fails, well when it answers, and neither while nobody calls it', async (t) => {
  let states = ['failing', 'held_back', 'unreliable', 'idle'];
  const all = async () => states.map((state, index) => health(index + 1, state));
  const bidders = (await sourcesOf(t, { health: { all } }))('bidder');
  const { holds } = await readingOf(bidders);
  assert.deepEqual(
    holds.map(({ key, demandPartnerId, isOperators }) => [key, demandPartnerId, isOperators]),
    [
      ['bidder 1', 1, true],
      ['bidder 2', 2, true],
    ],
  );
  const [one, two] = holds;
  assert.ok(one !== undefined && two !== undefined);
  states = ['healthy', 'stopped'];
  const next = await readingOf(bidders);
  assert.equal(next.over?.(one)?.type, 'bidder.healthy');
  assert.deepEqual([next.keeps?.(one), next.keeps?.(two)], [false, true]);
  states = [];
  assert.equal((await readingOf(bidders)).over?.(one), null, 'a partner that is archived');
});

test('a budget is used up once a day, and another time if its limit was raised', async (t) => {
  const cap = { impressions: 100, micros: null };
  const leases = {
    usedUp: async () => [
      { lineItemId: 501, cap },
      { lineItemId: 99, cap },
    ],
  };
  let nowMs = NOON_MS;
  const budgets = (await sourcesOf(t, { leases, now: () => nowMs }))('budget');
  const { holds, keeps } = await readingOf(budgets);
  const [held] = holds;
  assert.ok(held !== undefined && holds.length === 1);
  assert.equal(held.key, 'budget 2026-11-20 501 100 null');
  assert.deepEqual([held.demandPartnerId, held.publisherId], [1001, null]);
  assert.equal(keeps?.(held), true, 'what a reservation gives back is no news');
  nowMs += 86_400_000;
  assert.equal((await readingOf(budgets)).keeps?.(held), false);
});

test('line items without traffic are told of while the exchange has some', async (t) => {
  let nowMs = NOON_MS;
  let recentRequests = 1;
  const lines = (
    await sourcesOf(t, {
      now: () => nowMs,
      readPulse: async () => ({ requests: 1, recentRequests, recentFilled: 0 }),
      leases: { usedUp: async () => [{ lineItemId: 502, cap: { impressions: 1, micros: null } }] },
    })
  )('line item');
  assert.deepEqual((await readingOf(lines)).holds, []);
  nowMs += 3_600_000;
  const { holds, over } = await readingOf(lines);
  const keys = new Set(holds.map(({ key }) => key));
  assert.ok(keys.has('line item 501'));
  assert.ok(!keys.has('line item 502'), 'its budget is used up');
  const [first] = holds;
  assert.ok(first !== undefined);
  assert.equal(over?.(first)?.type, 'line_item.traffic_resumed');
  recentRequests = 0;
  assert.equal(await lines.read(), null);
});

test('a creative that waits concerns its partner, and the one who has to review it', async (t) => {
  const place = {
    first_seen_ms: 1,
    last_seen_ms: 1,
    wins: 0,
    pending: 1,
    domain: '',
    reason: '',
  };
  const places = [
    { ...place, publisher_id: 2001, verdict: 'pending', by: 'publisher' },
    { ...place, publisher_id: 2002, verdict: 'pending', by: 'operator' },
    { ...place, publisher_id: 2003, verdict: 'approved', by: 'operator' },
  ] as const;
  const creative = {
    demand_partner_id: 1001,
    crid: 'c-17',
    adomain: ['shop.example'],
    ad_format: 'banner',
    w: 1,
    h: 1,
    markup_bytes: 1,
    markup: '',
    first_seen_ms: 1,
    last_seen_ms: 1,
    wins: 0,
    pending: 2,
    places: [...places],
  };
  let total = 1;
  let all = [creative];
  const findCreatives = async () => ({ creatives: all, total });
  const source = (await sourcesOf(t, { findCreatives }))('creative');
  const { holds, keeps, again } = await readingOf(source);
  assert.deepEqual(
    holds.map((each: Condition) => [each.demandPartnerId, each.publisherId, each.isOperators]),
    [
      [1001, 2001, false],
      [1001, null, true],
    ],
  );
  const [first] = holds;
  assert.ok(first !== undefined);
  assert.equal(keeps?.(first), false);
  // A bidder that sends a new creative with each bid makes one event an hour.
  const flood = Array.from({ length: 100 }, (_, index) => ({
    ...creative,
    crid: `new ${index}`,
    places: places.map((each) => ({ ...each, first_seen_ms: 2 })),
  }));
  all = [creative, ...flood];
  const flooded = await readingOf(source);
  assert.equal(flooded.holds.length, 2);
  const [more] = flooded.holds;
  assert.ok(more !== undefined && again !== undefined);
  assert.deepEqual(
    ['waiting', 'is_all'].map((key) => Reflect.get(more.event.data, key)),
    [101, true],
  );
  assert.deepEqual([again.isNews(first, more), again.isNews(more, more)], [true, false]);
  assert.equal(again.afterMs, 3_600_000);
  total = 501;
  assert.equal((await readingOf(source)).keeps?.(first), true, 'it may be among the others');
});

test('attention is over when it is known to be', async (t) => {
  const need = (code: string, node: string | null = null) =>
    Object({ code, node, message: 'm', action: 'a' });
  let attention = [need('no_traffic'), need('disk_low', 'n1'), need('bidder_failing')];
  let isOpen = true;
  let nodes = ['n1'];
  const source = (
    await sourcesOf(t, {
      readStatus: async () =>
        Object({
          attention,
          nodes: nodes.map((id) => ({ id })),
          control: { analytics: isOpen ? 'open' : 'opening' },
        }),
      readPulse: async () => {
        if (!isOpen) throw new Error('the analytics store is not open');
        return { requests: 1, recentRequests: 1, recentFilled: 1 };
      },
    })
  )('attention');
  const { holds } = await readingOf(source);
  assert.deepEqual(
    holds.map(({ key }) => key),
    ['attention no_traffic  ', 'attention disk_low n1 '],
    'bidders have types of their own',
  );
  const [traffic, disk] = holds;
  assert.ok(traffic !== undefined && disk !== undefined);
  isOpen = false;
  attention = [need('node_silent', 'n1')];
  const silent = await readingOf(source);
  assert.deepEqual([silent.keeps?.(traffic), silent.keeps?.(disk)], [true, true]);
  isOpen = true;
  attention = [];
  const well = await readingOf(source);
  assert.deepEqual([well.keeps?.(traffic), well.keeps?.(disk)], [false, false]);
  assert.equal(well.over?.(disk)?.type, 'attention.resolved');
  nodes = [];
  const started = await readingOf(source);
  assert.equal(started.keeps?.(disk), true, 'control has begun, and no node has reported yet');
  const [held] = (await holding(need('reports_held'))).holds;
  assert.ok(held !== undefined);
  isOpen = false;
  attention = [];
  assert.equal((await readingOf(source)).keeps?.(held), true, 'the store is opening');

  async function holding(...needs: (typeof attention)[number][]) {
    attention = needs;
    return readingOf(source);
  }
});

test('a certificate is told once it ends soon, once it is over, and once it was renewed', async (t) => {
  const acme = { demandPartnerId: 1001, of: 'bidder of Acme', host: 'a.example:443' };
  const endMs = NOON_MS + 86_400_000;
  const register: ConditionSourceParts['certificates'] & { certificates: WatchedCertificate[] } = {
    hasLooked: true,
    certificates: [{ ...acme, validToMs: endMs, state: 'expiring' }],
  };
  const source = (await sourcesOf(t, { certificates: register }))('certificate');
  const [soon, ...more] = (await readingOf(source)).holds;
  assert.ok(soon !== undefined && more.length === 0);
  assert.deepEqual(
    [soon.demandPartnerId, soon.isOperators, soon.event],
    [
      1001,
      true,
      {
        type: 'certificate.expiring',
        data: {
          demand_partner_id: 1001,
          of: 'bidder of Acme',
          host: 'a.example:443',
          valid_to: '2026-11-21T12:00:00.000Z',
        },
      },
    ],
  );
  register.certificates = [{ ...acme, validToMs: endMs, state: 'expired' }];
  const { holds, again } = await readingOf(source);
  const [over] = holds;
  assert.ok(over !== undefined && again !== undefined);
  assert.deepEqual([over.key, over.event.type], [soon.key, 'certificate.expired']);
  assert.deepEqual([again.isNews(soon, over), again.isNews(over, over)], [true, false]);
  register.certificates = [{ ...acme, validToMs: null, state: 'unknown' }];
  assert.equal((await readingOf(source)).keeps?.(over), true, 'nobody has seen another');
  register.certificates = [{ ...acme, validToMs: endMs * 2, state: 'valid' }];
  const renewed = await readingOf(source);
  assert.deepEqual(
    [renewed.holds.length, renewed.keeps?.(over), renewed.over?.(over)?.type],
    [0, false, 'certificate.renewed'],
  );
  register.certificates = [];
  assert.equal((await readingOf(source)).over?.(over), null, 'a bidder that is gone');
});
