import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowing, aPartner, aSnapshot, forbidding, someTraits } from './eligibility-fixtures.ts';
import { createEligibility, type PartnerMatch } from './eligibility.ts';
import { aLineItem } from './fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { Targeting } from '../resources/targeting.ts';

function item(id: number, demandPartnerId: number, targeting: Targeting = {}) {
  return aLineItem({ id, demandPartnerId, targeting });
}

/** Partner ids with their line item ids: short to compare. */
function ids(matches: readonly PartnerMatch[]): Record<number, number[]> {
  return Object.fromEntries(
    matches.map((match) => [match.partner.id, match.lineItems.map(({ lineItem }) => lineItem.id)]),
  );
}

test('partners and their line items come in ascending order of id', async () => {
  const snapshot = aSnapshot(
    aPartner(12),
    aPartner(3),
    item(9, 3),
    item(41, 12),
    item(7, 12),
    item(8, 3),
  );
  const matches = (await createEligibility(snapshot)).match(someTraits());
  assert.deepEqual(
    matches.map(({ partner }) => partner.id),
    [3, 12],
  );
  assert.deepEqual(ids(matches), { 3: [8, 9], 12: [7, 41] });
});

test('paused and archived partners and line items and partners without a bidder take no part', async () => {
  const snapshot = aSnapshot(
    aPartner(1, { status: 'PAUSED' }),
    aPartner(2, { bidder: null }),
    aPartner(3),
    aPartner(4, { status: 'ARCHIVED' }),
    ...[1, 2, 3, 4].map((id) => item(id, id)),
    aLineItem({ id: 31, demandPartnerId: 3, status: 'PAUSED' }),
    aLineItem({ id: 32, demandPartnerId: 3, status: 'ARCHIVED' }),
    item(99, 1000),
  );
  assert.deepEqual(ids((await createEligibility(snapshot)).match(someTraits())), { 3: [3] });
});

test('a snapshot without line items matches nothing', async () => {
  const eligibility = await createEligibility(aSnapshot(aPartner(1)));
  assert.deepEqual(eligibility.match(someTraits()), []);
});

test('each format of an impression is matched by itself', async () => {
  const snapshot = aSnapshot(
    aPartner(1),
    item(1, 1),
    item(2, 1, { ad_formats: allowing('video') }),
    item(3, 1, { sizes: allowing('320x50') }),
    item(4, 1, { sizes: forbidding('320x50') }),
    item(5, 1, { ad_formats: allowing('native'), sizes: allowing('320x50') }),
  );
  const formats = FORMAT_BANNER | FORMAT_VIDEO | FORMAT_NATIVE;
  const traits = someTraits({ formats, videoSize: { w: 640, h: 360 } });
  const [match] = (await createEligibility(snapshot)).match(traits);
  assert.deepEqual(
    match?.lineItems.map(({ lineItem, formats: taken }) => [lineItem.id, taken]),
    [
      [1, formats],
      [2, FORMAT_VIDEO],
      [3, FORMAT_BANNER],
      [4, FORMAT_VIDEO | FORMAT_NATIVE],
    ],
  );
});

test('a line item that requires geo data matches with a location only, and says so', async () => {
  const snapshot = aSnapshot(
    aPartner(1),
    item(1, 1, { geo: { is_geo_data_required: true } }),
    item(2, 1, { geo: { is_geo_data_required: false } }),
  );
  const eligibility = await createEligibility(snapshot);
  assert.deepEqual(ids(eligibility.match(someTraits({ hasLocation: false }))), { 1: [2] });
  const [match] = eligibility.match(someTraits({ hasLocation: true }));
  assert.deepEqual(
    match?.lineItems.map(({ requiresLocation }) => requiresLocation),
    [true, false],
  );
});

test('equal questions get the same object, and so do partners that a difference does not concern', async () => {
  const snapshot = aSnapshot(
    aPartner(1),
    aPartner(2),
    item(1, 1, { geo: { countries: allowing('US') } }),
    item(2, 1),
    item(3, 2),
  );
  const eligibility = await createEligibility(snapshot);
  const american = eligibility.match(someTraits({ country: 'US' }));
  assert.equal(eligibility.match(someTraits({ country: 'US', language: 'de' })), american);
  const mexican = eligibility.match(someTraits({ country: 'MX' }));
  assert.equal(eligibility.match(someTraits({ country: null })), mexican);
  assert.deepEqual(ids(mexican), { 1: [2], 2: [3] });
  assert.equal(mexican[1], american[1]);
});

test('one ad space in several shapes gets the answer for its shape', async () => {
  const snapshot = aSnapshot(
    aPartner(1),
    item(1, 1, { sizes: allowing('300x250') }),
    item(2, 1, { interstitial: true }),
    item(3, 1, { publishers: allowing('7') }),
  );
  const eligibility = await createEligibility(snapshot);
  const sizes = [{ w: 300, h: 250 }];
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(ids(eligibility.match(someTraits())), {});
    assert.deepEqual(ids(eligibility.match(someTraits({ bannerSizes: sizes }))), { 1: [1] });
    assert.deepEqual(ids(eligibility.match(someTraits({ interstitial: true }))), { 1: [2] });
    assert.deepEqual(ids(eligibility.match(someTraits({ publisherId: 7 }))), { 1: [3] });
  }
});

test('explain names the first key that refuses, for each format', async () => {
  const refusing = { geo: { countries: allowing('CA') }, ad_formats: allowing('video') };
  const snapshot = aSnapshot(
    aPartner(1),
    aPartner(2, { status: 'PAUSED' }),
    aPartner(3, { bidder: null }),
    item(1, 1, refusing),
    item(2, 1),
  );
  const eligibility = await createEligibility(snapshot);
  const formats = FORMAT_BANNER | FORMAT_VIDEO;
  const { partner, lineItems } = eligibility.explain(someTraits({ formats }), 1);
  assert.equal(partner, 'eligible');
  assert.deepEqual(
    lineItems.map(({ lineItem, formats: taken, failures }) => [lineItem.id, taken, failures]),
    [
      [
        1,
        0,
        [
          { format: FORMAT_BANNER, key: 'ad_formats' },
          { format: FORMAT_VIDEO, key: 'geo.countries' },
        ],
      ],
      [2, formats, []],
    ],
  );
  assert.equal(eligibility.explain(someTraits(), 2).partner, 'not_active');
  assert.equal(eligibility.explain(someTraits(), 3).partner, 'no_bidder');
  assert.deepEqual(eligibility.explain(someTraits(), 4), { partner: 'unknown', lineItems: [] });
});

test('the index is built in slices, within one long list too', async () => {
  const codes = Array.from({ length: 5_000 }, (_, number) => `com.app${number}`);
  const pauses = async (...targetings: Targeting[]) => {
    let count = 0;
    await createEligibility(
      aSnapshot(aPartner(1), ...targetings.map((t, id) => item(id, 1, t))),
      () => {
        count += 1;
        return Promise.resolve();
      },
    );
    return count;
  };
  assert.equal(await pauses({}), 0);
  assert.ok((await pauses({ app_bundles: allowing(...codes) })) >= 4);
  assert.ok((await pauses(...codes.map(() => ({})))) >= 4);
});
