import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, adFormatOf } from '../auction/formats.ts';
import { tieBreak } from '../auction/tie-break.ts';
import { BASIS_POINTS } from '../base/money.ts';
import type { AdFormat } from '../events/dimensions.ts';
import type { AuctionTrace } from '../events/trace-record.ts';
import { RECORD_LENGTH_MAX } from '../journal/journal.ts';
import { Redaction } from '../privacy/redaction.ts';
import type { Deal } from '../snapshot/entities.ts';
import type { CallResult } from './call.ts';
import type { DecidedAuction } from './decided-auction.ts';
import type { SettledBid } from './settle.ts';
import { Messages, type KeptMessages } from './trace-messages.ts';

/** What of an auction is kept beside its record: nothing, how it was decided, or the messages too. */
export type TraceDepth = 'none' | 'decisions' | 'messages';

type CallTrace = AuctionTrace['calls'][number];
type BidTrace = AuctionTrace['bids'][number];

/** Characters of what was compared, in words, which hold texts of bidders. */
const DETAIL_LENGTH_MAX = 500;

/**
 * Every win and every test leaves a trace, and of all auctions those whose lot falls into a share.
 * One lot decides both shares, so that what keeps its messages is always kept.
 *
 * @param mayKeepTest asked for a test, which keeps its messages too, unless there are too many.
 */
export function traceDepthOf(
  { id, winners, market, request }: DecidedAuction,
  mayKeepTest: () => boolean,
): TraceDepth {
  if (request.test === 1) return mayKeepTest() ? 'messages' : 'decisions';
  const { traceShareBps, traceBodiesBps } = market.snapshot.exchange;
  const lot = tieBreak(id, 'trace') % BASIS_POINTS;
  if (lot < traceBodiesBps) return 'messages';
  return winners.size > 0 || lot < traceShareBps ? 'decisions' : 'none';
}

/**
 * The trace of an auction as a line; see `AuctionTraceSchema`. Nothing in it identifies the person
 * in front of the device, also where bidders repeat what they were sent. Messages are left out
 * where the line would be longer than the journal takes.
 *
 * @param recorded the bids as they stand in the auction's record.
 */
export function writeTrace(
  auction: DecidedAuction,
  recorded: readonly SettledBid[],
  depth: Exclude<TraceDepth, 'none'>,
): string {
  let line = '';
  for (const kept of depth === 'messages' ? FEWER_MESSAGES : FEWER_MESSAGES.slice(1)) {
    line = JSON.stringify(traceAuction(auction, recorded, kept));
    if (line.length <= RECORD_LENGTH_MAX) break;
  }
  return line;
}

/** What is kept, ever less of it until the line is short enough. */
const FEWER_MESSAGES: readonly KeptMessages[] = ['all', 'unread', 'none'];

function traceAuction(
  auction: DecidedAuction,
  recorded: readonly SettledBid[],
  kept: KeptMessages,
): AuctionTrace {
  const { results, slots } = auction;
  const { publisher } = slots[0].space;
  const redaction = redactionOf(auction);
  const messages = new Messages(redaction, kept);
  const trace: AuctionTrace = {
    kind: 'trace',
    auction_id: auction.id,
    at_ms: auction.atMs,
    publisher_id: publisher.id,
    demand_partner_ids: [...new Set(results.map(({ call }) => call.partner.id))],
    tmax_ms: auction.tmaxMs,
    duration_us: Math.round(auction.durationMs * 1000),
    revenue_share_bps: publisher.revenueShareBps,
    imps: slots.map(({ imp }) => ({
      formats: formatsOf(imp.formats),
      first_price: imp.firstPrice ? 1 : 0,
    })),
    calls: results.map((result) => traceCall(result, auction.startMs, { redaction, messages })),
    bids: recorded.map((bid) => traceBid(bid, redaction)),
  };
  if (auction.traffic !== null) trace.invalid_traffic = auction.traffic;
  return trace;
}

/** What identifies the person; gathered once a text has to be searched for it, which few have. */
function redactionOf({ request, facts }: DecidedAuction): () => Redaction {
  let found: Redaction | null = null;
  return () => {
    if (found === null) {
      found = new Redaction();
      found.device(request.device);
      found.device({ ip: facts.device.ip });
      found.user(request.user);
    }
    return found;
  };
}

/** What was compared, in words. */
function detailOf(detail: string, redaction: () => Redaction): string {
  return detail === '' ? '' : redaction().text(detail, DETAIL_LENGTH_MAX);
}

const BITS = [FORMAT_VIDEO, FORMAT_NATIVE, FORMAT_BANNER];

/** By bit mask: shared, because nobody changes them. */
const FORMATS: readonly AdFormat[][] = Array.from({ length: 8 }, (_, formats) =>
  BITS.filter((bit) => (formats & bit) !== 0).map((bit) => adFormatOf(bit)),
);

function formatsOf(formats: number): AdFormat[] {
  const names = FORMATS[formats];
  if (names === undefined) throw new Error(`${formats} are no formats`);
  return names;
}

function traceCall(
  result: CallResult,
  startMs: number,
  { redaction, messages }: { readonly redaction: () => Redaction; readonly messages: Messages },
): CallTrace {
  const { call, sent, response } = result;
  const imps: number[] = [];
  const deals: string[] = [];
  for (const offer of call.offers) {
    if (!imps.includes(offer.imp.slot)) imps.push(offer.imp.slot);
    for (const { id } of offer.deals) if (!deals.includes(id)) deals.push(id);
  }
  return {
    request_id: result.requestId,
    imps,
    deals,
    at: call.at ?? 0,
    sent_us: sent === null ? -1 : Math.round((sent.atMs - startMs) * 1000),
    tmax_ms: sent?.tmaxMs ?? 0,
    status: result.status,
    response_bytes: Buffer.byteLength(response),
    detail: detailOf(withoutQuotation(result.detail), redaction),
    ...messages.of(result),
  };
}

/** What was wrong with JSON quotes a piece of it, in which half of an id could not be recognised. */
function withoutQuotation(detail: string): string {
  return detail === '' ? '' : detail.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '');
}

function traceBid(settled: SettledBid, redaction: () => Redaction): BidTrace {
  const known = settled.candidate ?? settled.refusal;
  return {
    detail: detailOf(settled.detail, redaction),
    floor_micros: known?.floorMicros ?? 0,
    lineitem_floor_micros: known === null ? 0 : lineItemFloorOf(settled, known.lineItemId),
    deal_type: dealOf(settled)?.type ?? '',
    group: settled.group ?? -1,
    min_to_win_micros: settled.minToWinMicros ?? -1,
    out: settled.isOut ? 1 : 0,
  };
}

function lineItemFloorOf({ result }: SettledBid, lineItemId: number): number {
  return result.call.lineItems.find(({ id }) => id === lineItemId)?.floorMicros ?? 0;
}

/** The deal that a bid was made for; null for an open bid, and for none that it was offered. */
function dealOf({ candidate, submitted, imp, result }: SettledBid): Deal | null {
  if (candidate !== null) return candidate.deal;
  const dealid = submitted?.bid.dealid;
  if (dealid === undefined) return null;
  for (const offer of result.call.offers) {
    const deal = offer.imp === imp ? offer.deals.find(({ id }) => id === dealid) : undefined;
    if (deal !== undefined) return deal;
  }
  return null;
}
