import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowing, aPartner } from '../../auction/eligibility-fixtures.ts';
import type { AuctionRecord } from '../../events/auction-record.ts';
import type { Entity, LineItem } from '../../snapshot/entities.ts';
import { explainAuction } from './explain-auction.ts';
import { ACME, aFound, aLineItem, BOLT, NOW_MS, twoPartners } from './fixtures.ts';
import type { NotCalledView } from './schema.ts';

function boltOf(
  entities: readonly Entity[],
  auction: Partial<AuctionRecord> = {},
): NotCalledView | undefined {
  const surroundings = { snapshot: twoPartners(...entities), nowMs: NOW_MS };
  const view = explainAuction(aFound({ auction }), { role: 'operator' }, surroundings);
  assert.ok(view?.view === 'operator');
  assert.ok(view.not_called.every(({ demand_partner: { id } }) => id !== ACME));
  return view.not_called.find(({ demand_partner: { id } }) => id === BOLT);
}

function item(differs: Partial<LineItem> = {}): LineItem {
  return aLineItem(502, BOLT, 'Bolt US banners', differs);
}

test('a partner that is paused, has no bidder or no line item says so', () => {
  const paused = aPartner(BOLT, { name: 'Bolt DSP', status: 'PAUSED' });
  assert.equal(boltOf([paused])?.sentence, 'Bolt DSP was not asked: it is not active.');
  const mute = aPartner(BOLT, { name: 'Bolt DSP', bidder: null });
  assert.equal(boltOf([mute])?.sentence, 'Bolt DSP was not asked: it has no bidder.');
  const none = 'Bolt DSP was not asked: it has no active line item.';
  assert.equal(boltOf([])?.sentence, none);
  const idle = boltOf([item({ status: 'PAUSED' })]);
  assert.equal(idle?.sentence, none);
  assert.equal(idle?.line_items[0]?.sentence, 'Line item 502 (Bolt US banners) is PAUSED.');
});

test('targeting names the keys that refuse', () => {
  const germans = item({ targeting: { geo: { countries: allowing('DE') } } });
  const bolt = boltOf([germans]);
  assert.equal(bolt?.reason, 'targeting');
  assert.equal(
    bolt?.sentence,
    'Bolt DSP was not asked: none of its line items matches. Line item 502 (Bolt US banners) does not match: its geo.countries refuses banner of impression 1.',
  );
  assert.deepEqual(bolt?.line_items[0]?.refusals, [
    { imp: 0, format: 'banner', key: 'geo.countries' },
  ]);
});

test('of many line items a sentence names three', () => {
  const targeting = { os: allowing('iOS') };
  const items = [1, 2, 3, 4, 5].map((id) => aLineItem(id, BOLT, `No. ${id}`, { targeting }));
  const bolt = boltOf(items);
  assert.equal(bolt?.line_items.length, 5);
  assert.match(bolt?.sentence ?? '', /\(No\. 3\)[^(]* 2 more line items neither\.$/);
});

test('coordinates that privacy took are told from what nobody can explain', () => {
  const located = item({ targeting: { geo: { is_geo_data_required: true } } });
  assert.equal(boltOf([located], { has_location: 1 })?.reason, 'location_withheld');
  assert.equal(boltOf([located], { has_location: 0 })?.reason, 'targeting');
  assert.equal(boltOf([item()])?.reason, 'unexplained');
});

test('a configuration that has changed since is named plainly', () => {
  const surroundings = { snapshot: twoPartners(), nowMs: NOW_MS };
  const explain = (snapshot: string) =>
    explainAuction(aFound({ auction: { snapshot } }), { role: 'operator' }, surroundings);
  assert.equal(explain('e1.1')?.configuration.is_present, true);
  assert.match(
    explain('e1.7')?.configuration.sentence ?? '',
    /^The configuration has changed since the auction, from e1\.7 to e1\.1: /,
  );
});

test('a partner is told of its own line items that were left out, and of no other', () => {
  const own = aLineItem(501, ACME, 'Asked');
  const left = aLineItem(503, ACME, 'On phones', { targeting: { os: allowing('iOS') } });
  const limited = aLineItem(504, ACME, 'Limited');
  const surroundings = { snapshot: twoPartners(own, left, limited, item()), nowMs: NOW_MS };
  const reader = { role: 'demand-partner', demandPartnerId: ACME } as const;
  const view = explainAuction(aFound(), reader, surroundings);
  assert.ok(view?.view === 'demand-partner');
  assert.deepEqual(
    view.not_matched.map(({ sentence }) => sentence),
    [
      'Line item 503 (On phones) does not match: its os refuses banner of impression 1.',
      'Line item 504 (Limited) matches by its targeting: it was left out for its limits, or because privacy took away the coordinates that it asks for.',
    ],
  );
});
