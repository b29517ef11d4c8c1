import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { listCreatives, readCreatives } from '../../src/analytics/creatives.ts';
import type { CreativesQuestion, SeenCreative } from '../../src/analytics/creatives-wire.ts';
import { createCreativeReviews, type ReviewSources } from '../../src/auction/creative-reviews.ts';
import { TRACE_SCHEMA, type CreativeRecord } from '../../src/events/trace-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Batch } from '../../src/ports/batch.ts';
import { Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { encode } from './loader-records.ts';

const AT_MS = Date.now() - 60_000;

function aRecord(differs: Partial<CreativeRecord> = {}): CreativeRecord {
  return {
    kind: 'creative',
    at_ms: AT_MS,
    first_ms: AT_MS,
    demand_partner_id: 1001,
    publisher_id: 2001,
    crid: 'c-1',
    adomain: ['shop.example'],
    ad_format: 'banner',
    w: 320,
    h: 50,
    markup: '<p class="ad">Ein Anzug für 5 €</p>',
    markup_bytes: 39,
    wins: 1,
    pending: 0,
    ...differs,
  };
}

function batchOf(segment: Segment, records: readonly CreativeRecord[]): Batch {
  const { manifest, records: bytes } = segment.batchOf(encode(records));
  return { manifest: { ...manifest, stream: 'trace', schema: TRACE_SCHEMA }, records: bytes };
}

/** A store with these records, and how to ask it. */
async function storeWith(t: TestContext, records: readonly CreativeRecord[]) {
  const analytics = await testAnalytics(t);
  const segment = new Segment('trace-1.ndjson');
  const loaded = await analytics.loader.load(batchOf(segment, records));
  assert.equal(loaded.kind, 'loaded');
  const ask = (question: CreativesQuestion = {}, sources?: Partial<ReviewSources>) =>
    askOf(analytics, question, sources);
  return { analytics, segment, ask };
}

async function askOf(
  { store }: Pick<Analytics, 'store'>,
  question: CreativesQuestion,
  sources: Partial<ReviewSources> = {},
) {
  const none = { operatorRequires: false, publishers: [], reviews: [], partnerName: String };
  const reviews = await createCreativeReviews({ ...none, ...sources }, () => Promise.resolve());
  return readCreatives(store, question, reviews);
}

function keysOf({ creatives }: { readonly creatives: readonly SeenCreative[] }): string[] {
  return creatives.map(({ demand_partner_id: partner, crid }) => `${partner}/${crid}`);
}

test('what processes say of a creative is put together: from when to when, how often, how it looks', async (t) => {
  const { ask, analytics, segment } = await storeWith(t, [
    aRecord(),
    aRecord({ at_ms: AT_MS + 9_000, first_ms: AT_MS + 5_000, wins: 7, markup: '', w: 300, h: 250 }),
  ]);
  const early = [
    aRecord({ at_ms: AT_MS - 4_000, first_ms: AT_MS - 5_000, wins: 2, adomain: [], markup: 'old' }),
    aRecord({
      publisher_id: 2002,
      at_ms: AT_MS - 1_000,
      first_ms: AT_MS - 1_000,
      pending: 3,
      wins: 0,
    }),
  ];
  assert.equal((await analytics.loader.load(batchOf(segment, early))).kind, 'loaded');
  assert.deepEqual(await ask({ markup: true }), {
    creatives: [
      {
        demand_partner_id: 1001,
        crid: 'c-1',
        adomain: ['shop.example'],
        ad_format: 'banner',
        w: 300,
        h: 250,
        markup_bytes: 39,
        markup: '<p class="ad">Ein Anzug für 5 €</p>',
        first_seen_ms: AT_MS - 5_000,
        last_seen_ms: AT_MS + 9_000,
        wins: 10,
        pending: 3,
        places: [
          {
            publisher_id: 2001,
            first_seen_ms: AT_MS - 5_000,
            last_seen_ms: AT_MS + 9_000,
            wins: 10,
            pending: 0,
            verdict: 'none',
            by: '',
            domain: '',
            reason: '',
          },
          {
            publisher_id: 2002,
            first_seen_ms: AT_MS - 1_000,
            last_seen_ms: AT_MS - 1_000,
            wins: 0,
            pending: 3,
            verdict: 'none',
            by: '',
            domain: '',
            reason: '',
          },
        ],
      },
    ],
    more: false,
  });
});

test('a batch whose INSERT failed after it was done counts once when it is repeated', async (t) => {
  let failures = 0;
  const analytics = await testAnalytics(t, ({ store, offsets }) => {
    const flaky: AnalyticsStore = {
      command: (sql) => store.command(sql),
      query: (sql, parameters) => store.query(sql, parameters),
      stream: (sql) => store.stream(sql),
      insert: async (sql, records) => {
        await store.insert(sql, records);
        failures += 1;
        if (failures <= 2) throw new Error('the answer was lost');
      },
      recover: () => store.recover(),
      close: () => store.close(),
    };
    return { store: flaky, offsets };
  });
  const segment = new Segment('trace-1.ndjson');
  const batch = batchOf(segment, [aRecord({ wins: 5 }), aRecord({ wins: 0, pending: 2 })]);
  assert.equal((await analytics.loader.load(batch)).kind, 'loaded');
  assert.equal(failures, 1, 'what is there is not inserted again');
  assert.equal((await analytics.loader.load(batch)).kind, 'already');
  const [creative] = (await askOf(analytics, {})).creatives;
  assert.deepEqual([creative?.wins, creative?.pending], [5, 2]);
  // The same lines again are other wins.
  const next = batchOf(segment, [aRecord({ wins: 5 })]);
  assert.equal((await analytics.loader.load(next)).kind, 'loaded');
  assert.equal((await askOf(analytics, {})).creatives[0]?.wins, 10);
});

test('creatives are chosen by partner, publisher and id, those seen last first', async (t) => {
  const { ask, analytics } = await storeWith(t, [
    aRecord({ crid: 'old', at_ms: AT_MS - 9_000 }),
    aRecord({ crid: 'new', publisher_id: 2002 }),
    aRecord({ crid: 'new', demand_partner_id: 1002, at_ms: AT_MS - 1_000 }),
    aRecord({ crid: "it's; --\u2028", at_ms: AT_MS - 2_000 }),
  ]);
  assert.deepEqual(keysOf(await ask()), [
    '1001/new',
    '1002/new',
    "1001/it's; --\u2028",
    '1001/old',
  ]);
  assert.deepEqual(keysOf(await ask({ demand_partner: 1002 })), ['1002/new']);
  assert.deepEqual(keysOf(await ask({ publisher: 2002 })), ['1001/new']);
  const odd = await ask({ demand_partner: 1001, crid: "it's; --\u2028" });
  assert.deepEqual(keysOf(odd), ["1001/it's; --\u2028"]);
  const first = await ask({ limit: 1 });
  assert.deepEqual([keysOf(first), first.more], [['1001/new'], true]);
  const none = { operatorRequires: false, publishers: [], reviews: [], partnerName: String };
  const reviews = await createCreativeReviews(none, () => Promise.resolve());
  const second = await listCreatives(analytics.store, { limit: 1, offset: 1 }, reviews);
  assert.deepEqual([keysOf(second), second.total, second.isAll], [['1002/new'], 4, true]);
});

test('where a creative stands is told as auctions would decide, of each publisher', async (t) => {
  const { ask } = await storeWith(t, [aRecord(), aRecord({ publisher_id: 2002 })]);
  const review = { kind: 'creativeReview', id: 1, demandPartnerId: null, reason: 'fraud' } as const;
  const sources = {
    publishers: [{ id: 2002, creativeReview: 'required' as const }],
    reviews: [
      {
        ...review,
        publisherId: 2001,
        target: 'domain' as const,
        value: 'shop.example',
        verdict: 'blocked' as const,
      },
    ],
  };
  const [creative] = (await ask({ pending: true }, sources)).creatives;
  assert.deepEqual(
    creative?.places.map(({ publisher_id: id, verdict, by, domain, reason }) => [
      id,
      verdict,
      by,
      domain,
      reason,
    ]),
    [
      [2001, 'blocked', 'publisher', 'shop.example', 'fraud'],
      [2002, 'pending', 'publisher', '', ''],
    ],
  );
  assert.deepEqual(keysOf(await ask({ pending: true })), []);
});
