import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pageOf } from './page-of.ts';

const entry = (resource: string, id: string, owner: { partner?: number; publisher?: number }) => ({
  resource,
  resource_id: id,
  demand_partner_id: owner.partner ?? null,
  publisher_id: owner.publisher ?? null,
});

it('leads to the page of what an entry is about, where it has one', () => {
  for (const [subject, page] of [
    [entry('line item', '501', { partner: 1 }), '/demand-partners/1/line-items/501'],
    [entry('bidder of demand partner', '1', { partner: 1 }), '/demand-partners/1/bidder'],
    [entry('account of', 'demand partner 1', { partner: 1 }), '/operator/demand-partners/1'],
    [entry('ad space', '4', { publisher: 2 }), '/publishers/2/ad-spaces/4'],
    [entry('site', '3', { publisher: 2 }), '/publishers/2/properties/sites/3'],
    [entry('publisher', '2', { publisher: 2 }), '/operator/publishers/2'],
    [entry('deal', 'a/b', {}), '/operator/deals/a%2Fb'],
    [entry('user', 'a@b.example', {}), '/operator/users'],
    [entry('application', 'ops', {}), null],
  ] as const) {
    assert.equal(pageOf(subject), page);
  }
});
