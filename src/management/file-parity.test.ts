import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { dollarsFromMicros, microsFromDollars } from '../base/money.ts';
import { BIDDER } from '../resources/bidder.ts';
import { dealDocument } from '../configuration/resources/deal.ts';
import { demandPartnerDocument } from '../configuration/resources/demand-partner.ts';
import { exchangeDocument } from '../configuration/resources/exchange.ts';
import type { Database } from '../configuration/schema.ts';
import { loadResources, readOnly } from '../configuration/state.ts';
import { applyQuickly } from '../../test/support/configuration-store.ts';
import { EVERY_SETTING } from '../../test/support/every-setting.ts';
import { apiOf, MANY_REQUESTS, openManagement } from '../../test/support/management.ts';
import { runs } from '../../test/support/effort.ts';

type Api = Awaited<ReturnType<typeof apiOf>>;

/** What the API shows of a resource and a file does not say. */
const SHOWN_ONLY: ReadonlySet<string> = new Set([
  'created_at',
  'updated_at',
  'data_center',
  'app_id',
  'site_id',
]);

const bps = fc.integer({ min: 0, max: 10_000 }).map((points) => points / 10_000);
const price = dollars(0, 10_000);
/** An amount in whole micro-dollars. */
function dollars(min: number, max: number): fc.Arbitrary<number> {
  const amount = fc.double({ min, max, noNaN: true });
  return amount.map((each) => dollarsFromMicros(microsFromDollars(each)));
}

const flag = fc.boolean();
const domain = fc.constantFrom('a.example', 'B.Example', 'XN--Bcher-kva.example');
const domains = fc.array(domain, { maxLength: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const status = fc.constantFrom('ACTIVE', 'PAUSED', 'ARCHIVED');
const name = fc.constantFrom('a', 'Zoë’s "Box"', '<b>: #1', '007', 'null', '- x', '🏴‍☠️');
const categories = fc.uniqueArray(fc.constantFrom('IAB1', 'IAB25', 'IAB7-39'));
const some = { requiredKeys: [] };

/** At most one rule for each degree of precision, in any order. */
const floors = fc
  .record(
    {
      rest: fc.record({ floor: price }),
      format: fc.record({ floor: price, formats: fc.constant(['video', 'banner']) }),
      country: fc.record({ floor: price, countries: fc.constant(['US', 'DE']) }),
    },
    some,
  )
  .chain((rules) => fc.shuffledSubarray(Object.values(rules)));

const blocking = {
  floors,
  blocked_categories: categories,
  blocked_advertisers: domains,
  blocked_apps: fc.constantFrom([], ['com.rival.app', '123']),
  blocked_attributes: fc.uniqueArray(fc.integer({ min: 1, max: 17 })),
};

const publisher = fc.record(
  {
    ...blocking,
    name,
    status,
    revenue_share: bps,
    price_basis: fc.constantFrom('net', 'gross'),
    confirms_wins: flag,
    seat_non_bids: fc.constantFrom('none', 'pseudonyms', 'seats'),
    seller_id: maybe(fc.constantFrom('007', 'a-b')),
    aliases: fc.constantFrom([], ['1', 'x']),
    invalid_traffic: maybe(fc.constantFrom('ignore', 'refuse')),
    domain: maybe(domain),
    categories,
    hide_names: flag,
  },
  some,
);

const site = fc.record({ ...blocking, name, status, domain, categories }, some);

const adSpace = fc.record(
  {
    ...blocking,
    name,
    status,
    banner: fc.record(
      { api: fc.constantFrom([], [3, 5]), sizes: fc.constantFrom(['300x250'], ['1x1', '2x2']) },
      { requiredKeys: ['sizes'] },
    ),
    video: maybe(
      fc.record(
        { skip: fc.constantFrom(0, 1, null), h: fc.constant(360), w: fc.constant(640) },
        { requiredKeys: ['w', 'h'] },
      ),
    ),
    floor: price,
    auction: fc.constantFrom('first_price', 'second_price'),
    interstitial: flag,
    pos: maybe(fc.integer({ min: 0, max: 7 })),
    viewability: maybe(bps),
    exp: maybe(fc.integer({ min: 1, max: 86_400 })),
    refresh: maybe(fc.record({ max_per_page: fc.constant(5), min_seconds: fc.constant(30) })),
    backfill: maybe(fc.constant({ banner: '<p>a: "b"\n\t# c</p>' })),
  },
  some,
);

const lineItem = fc.record(
  {
    name,
    description: fc.constantFrom('', ' spaces ', 'two\nlines'),
    status,
    floor: price,
    capping: fc.record(
      {
        max_qps: maybe(fc.integer({ min: 1, max: 10_000 })),
        max_daily_spend: maybe(dollars(0.000001, 1e9)),
      },
      some,
    ),
    targeting: fc.constantFrom({}, { secure: true }, { geo: { countries: null } }),
  },
  some,
);

test('what the API shows, put into a configuration file, changes nothing', async (t) => {
  const { app, db } = await openManagement(t, undefined, MANY_REQUESTS);
  assert.ok((await applyQuickly(db, JSON.stringify(EVERY_SETTING))).ok);
  const api = await apiOf({ app, db }, 'operator@example.com');
  await assertSame(api, db);
  const patches = fc.record({ publisher, site, adSpace, lineItem });
  await fc.assert(
    fc.asyncProperty(patches, async (patch) => {
      for (const [path, body] of [
        ['/publishers/2001/', patch.publisher],
        ['/publishers/2001/sites/3002/', patch.site],
        ['/publishers/2001/ad-spaces/4005/', patch.adSpace],
        ['/demand-partners/1001/line-items/xch/501/', patch.lineItem],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop
        const changed = await api('PATCH', path, body);
        assert.equal(changed.status, 200, JSON.stringify([path, body, changed.body]));
        const { updated_at: _, ...shown } = changed.body;
        // What was just shown is no change either.
        // oxlint-disable-next-line no-await-in-loop
        const again = await api('PATCH', path, shown);
        assert.deepEqual([again.status, again.body], [200, changed.body]);
      }
      await assertSame(api, db);
    }),
    // Each run starts from what the one before has left, so that there is nothing to shrink.
    { numRuns: runs(4), endOnFailure: true },
  );
});

/** Ids are in the file as well, so that nothing is made a second time. */
async function assertSame(api: Api, db: Kysely<Database>): Promise<void> {
  const text = JSON.stringify(await fileOf(api, db));
  const applied = await applyQuickly(db, text);
  assert.ok(applied.ok, JSON.stringify(applied));
  const { created, updated, changes } = applied;
  assert.deepEqual({ created, updated, changes }, { created: 0, updated: 0, changes: [] });
}

async function fileOf(api: Api, db: Kysely<Database>): Promise<object> {
  const state = await readOnly(db, (transaction) => loadResources(transaction));
  const listOf = async (path: string): Promise<object[]> => (await api('GET', path)).body;
  const partners = [...state.demandPartners.values()].map(async (row) => {
    const bidder = state.bidders.get(row.id);
    const items = await listOf(`/demand-partners/${row.id}/line-items/xch/`);
    return {
      ...demandPartnerDocument(row),
      ...(bidder === undefined ? {} : { bidder: BIDDER.document(bidder) }),
      line_items: items.map((item) => written(item)),
    };
  });
  const publishers = (await listOf('/publishers/')).map(async (owner) => {
    const { id } = Object(owner);
    const inside = async (kind: 'app' | 'site'): Promise<object[]> => {
      const places = await listOf(`/publishers/${id}/${kind}s/`);
      return Promise.all(
        places.map(async (place) => {
          const query = `${kind}_id=${Object(place).id}`;
          const spaces = await listOf(`/publishers/${id}/ad-spaces/?${query}`);
          return { ...written(place), ad_spaces: spaces.map((space) => written(space)) };
        }),
      );
    };
    return { ...written(owner), apps: await inside('app'), sites: await inside('site') };
  });
  return {
    exchange: exchangeDocument(state.exchange),
    demand_partners: await Promise.all(partners),
    publishers: await Promise.all(publishers),
    deals: [...state.deals.values()].map((row) => dealDocument(row)),
  };
}

function written(shown: object): object {
  return Object.fromEntries(Object.entries(shown).filter(([key]) => !SHOWN_ONLY.has(key)));
}
