import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterCount, olderOf, questionOf, readAuctionSearch } from './list-search.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12, 34, 56);

describe('what the address of the auctions says', () => {
  it('leaves out what cannot be meant', () => {
    const search = { outcome: 'maybe', country: 'usa', lineitem_id: '501', filled: 'yes', x: 1 };
    assert.deepEqual(readAuctionSearch(search), { country: 'USA', lineitem_id: 501 });
  });

  it('asks for the last hour by saying nothing, and for hours to the minute', () => {
    assert.deepEqual(questionOf({}, NOW_MS), {});
    assert.deepEqual(questionOf({ window: '6h', outcome: 'bid' }, NOW_MS), {
      outcome: 'bid',
      from: '2026-11-22T06:34:00.000Z',
    });
  });

  it('asks for a day from midnight to midnight', () => {
    assert.deepEqual(questionOf({ day: '2026-11-20' }, NOW_MS), {
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
    });
  });

  it('asks for an older part by the window that the newest were of', () => {
    const next =
      '/api/auctions/?outcome=bid&from=2026-11-22T11%3A34%3A56.000Z&to=2026-11-22T12%3A34%3A56.000Z&before=1795000000000-ab';
    const older = olderOf(next);
    assert.deepEqual(older, {
      from: '2026-11-22T11:34:56.000Z',
      to: '2026-11-22T12:34:56.000Z',
      before: '1795000000000-ab',
    });
    assert.deepEqual(questionOf({ window: '6h', outcome: 'bid', ...older }, NOW_MS), {
      outcome: 'bid',
      ...older,
    });
  });

  it('counts the filters without the time', () => {
    assert.equal(filterCount({ day: '2026-11-20', outcome: 'bid', live: '1', loss_reason: 0 }), 2);
  });
});
