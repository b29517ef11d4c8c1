import type { FoundAuction, FoundDelivery } from '../../analytics/find-auction.ts';
import type {
  AuctionRecord,
  BidRecord,
  CallRecord,
  NoticeRecord,
} from '../../events/auction-record.ts';
import type { BeaconRecord } from '../../events/beacon-record.ts';
import type { AuctionTrace } from '../../events/trace-record.ts';

/** A bid request as both records tell of it. */
export interface CallPart {
  readonly record: CallRecord;
  /** Null where the trace was not kept. */
  readonly trace: AuctionTrace['calls'][number] | null;
}

/** A bid as both records tell of it. */
export interface BidPart {
  /** Among the bids that the reader sees. */
  readonly index: number;
  readonly record: BidRecord;
  readonly trace: AuctionTrace['bids'][number] | null;
}

/**
 * What of an auction one reader may see, before it is put into words: nothing else of it reaches a
 * view. Only the operator's has all partners' calls and bids.
 */
export interface AuctionParts {
  /** The parts of all partners. */
  readonly isWhole: boolean;
  readonly id: string;
  readonly atMs: number;
  readonly isTest: boolean;
  readonly publisherDecides: boolean;
  /** All that the reader knows of is about one impression, so that it need not be named. */
  readonly isForOne: boolean;
  readonly hasTrace: boolean;
  readonly calls: readonly CallPart[];
  readonly bids: readonly BidPart[];
  /** Losing bids were left out of the record. */
  readonly isClipped: boolean;
  /** `bid` is the index among these `bids`. */
  readonly notices: readonly NoticePart[];
  readonly beacons: readonly BeaconPart[];
  readonly deliveries: readonly FoundDelivery[];
}

type BeaconPart = Pick<BeaconRecord, 'kind' | 'imp' | 'at_ms' | 'notice_url' | 'demand_partner_id'>;
export type NoticePart = Omit<NoticeRecord, 'lineitem_id'>;

/** The impressions that a bid request offered; without a trace the first of them is known. */
export function offeredImps({ record, trace }: CallPart): readonly number[] {
  // A pair of impressions stands for one of the publisher's.
  return trace === null ? [record.imp] : [...new Set(trace.imps)];
}

/** Everything: the operator's. */
export function allParts({ auction, trace, beacons, deliveries }: FoundAuction): AuctionParts {
  const { calls, bids, notices } = auction;
  // What does not run parallel is of no use: there would be no telling which belongs to which.
  const traced = trace?.calls.length === calls.length && trace.bids.length === bids.length;
  return {
    ...headOf(auction),
    isWhole: true,
    isForOne: auction.imps.length === 1,
    hasTrace: trace !== null && traced,
    calls: calls.map((record, index) => ({
      record,
      trace: (traced ? trace.calls[index] : null) ?? null,
    })),
    bids: bids.map((record, index) => ({
      index,
      record,
      trace: (traced ? trace.bids[index] : null) ?? null,
    })),
    notices,
    beacons,
    deliveries,
  };
}

/** One demand partner's, in which its bids and groups are numbered anew; null where it has none. */
export function ownParts(found: FoundAuction, demandPartnerId: number): AuctionParts | null {
  const all = allParts(found);
  const isOwn = (record: { readonly demand_partner_id: number }): boolean =>
    record.demand_partner_id === demandPartnerId;
  const calls = all.calls.filter(({ record }) => isOwn(record));
  if (calls.length === 0) return null;

  const own = all.bids.filter(({ record }) => isOwn(record));
  const groups = new Map<number, number>();
  const bids = own.map(({ record, trace }, index): BidPart => {
    return { index, record, trace: trace === null ? null : { ...trace, group: numberOf(trace) } };
  });
  return {
    ...headOf(found.auction),
    isWhole: false,
    isForOne: new Set(calls.flatMap((call) => offeredImps(call))).size === 1,
    hasTrace: all.hasTrace,
    calls,
    bids,
    notices: all.notices.filter(isOwn).map((notice) =>
      ofBid(
        notice,
        own.findIndex(({ index }) => index === notice.bid),
      ),
    ),
    beacons: all.beacons.filter(isOwn),
    deliveries: all.deliveries.filter(isOwn),
  };

  /** The numbers that groups have in the auction tell how many other partners sent. */
  function numberOf({ group }: { readonly group: number }): number {
    if (group < 0) return group;
    const number = groups.get(group) ?? groups.size;
    groups.set(group, number);
    return number;
  }
}

function ofBid(
  { event, imp, demand_partner_id, unless_won_by_ms, url }: NoticePart,
  bid: number,
): NoticePart {
  return { event, bid, imp, demand_partner_id, unless_won_by_ms, url };
}

function headOf({ auction_id, at_ms, test, fd, bids_dropped }: AuctionRecord) {
  return {
    id: auction_id,
    atMs: at_ms,
    isTest: test === 1,
    publisherDecides: fd === 1,
    isClipped: bids_dropped > 0,
  };
}
