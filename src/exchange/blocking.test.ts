import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BLOCKING } from '../auction/fixtures.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { Blocking, Entity } from '../snapshot/entities.ts';
import { aMarket, anAdSpace, aPublisher, aSite } from './fixtures.ts';
import { holdOne, type HeldAuction } from './held-fixture.ts';

/** Each list: what is blocked, a bid against it, where bidders are told, and why the bid loses. */
const LISTS: readonly {
  readonly blocking: Partial<Blocking>;
  readonly bid: Partial<Bid>;
  readonly told: (asked: HeldAuction['asked']) => unknown;
  readonly reason: number;
}[] = [
  {
    blocking: { categories: ['IAB7-39'] },
    bid: { cat: ['IAB7-39'] },
    told: ({ bcat }) => bcat,
    reason: 209,
  },
  {
    blocking: { advertisers: ['rival.example'] },
    bid: { adomain: ['www.rival.example'] },
    told: ({ badv }) => badv,
    reason: 205,
  },
  {
    blocking: { apps: ['com.rival.app'] },
    bid: { bundle: 'com.rival.app' },
    told: ({ bapp }) => bapp,
    reason: 206,
  },
  {
    blocking: { attributes: [8] },
    bid: { attr: [8] },
    told: ({ imp }) => imp[0]?.banner?.battr,
    reason: 210,
  },
];

type Level = 'exchange' | 'publisher' | 'site' | 'ad space' | 'request';

/** Who blocks, as entities of a market and as a part of the request. */
async function blockedAt(level: Level, blocking: Blocking) {
  const { exchange } = (await aMarket()).snapshot;
  const entities: Record<Level, Entity[]> = {
    exchange: [{ ...exchange, blocking }],
    publisher: [aPublisher({ blocking })],
    site: [aSite({ blocking })],
    'ad space': [anAdSpace({ blocking })],
    request: [],
  };
  const { categories, advertisers, apps, attributes } = blocking;
  const own = level === 'request';
  const battr = own && attributes.length > 0 ? { battr: [...attributes] } : {};
  return {
    market: await aMarket(...entities[level]),
    request: {
      imp: [{ id: 'i', tagid: '4001', banner: battr }],
      ...(own ? { bcat: [...categories], badv: [...advertisers], bapp: [...apps] } : {}),
    },
  };
}

for (const level of ['exchange', 'publisher', 'site', 'ad space', 'request'] as const) {
  test(`what the ${level} blocks is told to bidders, and a bid against it loses`, async () => {
    for (const { blocking, bid, told, reason } of LISTS) {
      // One after the other, so that a failure names its list.
      // oxlint-disable-next-line no-await-in-loop
      const { market, request } = await blockedAt(level, { ...NO_BLOCKING, ...blocking });
      // oxlint-disable-next-line no-await-in-loop
      const { asked, record } = await holdOne(market, request, [{ ...bid, price: 2 }, {}]);
      assert.deepEqual(told(asked), Object.values(blocking)[0]);
      assert.deepEqual(
        record.bids.map(({ loss_reason }) => loss_reason),
        [reason, 0],
      );
    }
  });
}
