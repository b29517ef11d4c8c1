import type { AuctionRecord } from '../events/auction-record.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { BidRequest, Imp } from '../openrtb/bid-request.ts';
import { Exchange } from './exchange.ts';
import { aCaller, aRequest, someParts } from './fixtures.ts';
import type { Market } from './market.ts';

/** What the one bidder of an auction was asked, and what the auction left on record. */
export interface HeldAuction {
  readonly asked: BidRequest & { readonly imp: readonly Imp[] };
  readonly record: AuctionRecord;
}

/** Holds an auction in which partner 1001 answers with these bids on the first impression. */
export async function holdOne(
  market: Market,
  request: Parameters<typeof aRequest>[0],
  bids: readonly Partial<Bid>[],
): Promise<HeldAuction> {
  const money: string[] = [];
  let body = '';
  const bid = bids.map((each, index) => ({
    id: `b${index}`,
    impid: '1',
    price: 1,
    adm: '<p>An ad</p>',
    adomain: ['shop.example'],
    ...each,
  }));
  const exchange = new Exchange(
    someParts({
      client: {
        ask: (call, settle) => {
          body = call.body;
          const { id }: BidRequest = JSON.parse(body);
          const answer = JSON.stringify({ id, seatbid: [{ seat: 'seat-1', bid }] });
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body: answer }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      money: {
        append: (line, done) => {
          money.push(line);
          done?.(null);
        },
      },
    }),
  );
  exchange.useMarket(market);
  await exchange.hold(aRequest(request), aCaller({ ip: null }), 1_000);
  return { asked: JSON.parse(body), record: JSON.parse(money[0] ?? 'null') };
}
