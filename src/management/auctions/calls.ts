import { nameOf, type Names } from './names.ts';
import { offeredImps, type AuctionParts, type CallPart } from './parts.ts';
import { describeError, describeNoBid, describeThrottle } from './call-reasons.ts';
import type { CallView } from './schema.ts';
import { counted, impressions, listed, milliseconds } from './wording.ts';

const US_PER_MS = 1_000;

/** The bid requests of an auction, those included that a limit held back. */
export function viewCalls(parts: AuctionParts, names: Names): CallView[] {
  return parts.calls.map((call) => {
    const { record, trace } = call;
    const isSent = record.outcome !== 'throttled';
    const partner = names.partner(record.demand_partner_id);
    return {
      demand_partner: partner,
      request_id: trace?.request_id ?? null,
      outcome: record.outcome,
      reason: record.reason,
      detail: trace?.detail ?? null,
      imps: [...offeredImps(call)],
      deals: trace === null ? null : [...trace.deals],
      line_items: record.lineitem_ids.map((id) => names.lineItem(partner.id, id)),
      at: trace === null || trace.at === 0 ? null : trace.at,
      sent_after_ms: trace !== null && trace.sent_us >= 0 ? trace.sent_us / US_PER_MS : null,
      tmax_ms: trace !== null && isSent ? trace.tmax_ms : null,
      answered_after_ms: isSent ? record.latency_us / US_PER_MS : null,
      status: trace !== null && trace.status > 0 ? trace.status : null,
      response_bytes: trace !== null && trace.status > 0 ? trace.response_bytes : null,
      request: textOrNull(trace?.request),
      response: textOrNull(trace?.response),
      sentence: describeCall(call, nameOf(partner), bidsOf(parts, call)),
    };
  });
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** How many bids an answer had; null where that cannot be told from the records. */
function bidsOf(parts: AuctionParts, { record }: CallPart): number | null {
  const isPartners = (each: { readonly demand_partner_id: number }): boolean =>
    each.demand_partner_id === record.demand_partner_id;
  const answers = parts.calls.filter((call) => isPartners(call.record) && hasBids(call));
  if (answers.length !== 1 || parts.isClipped) return null;
  return parts.bids.filter((bid) => isPartners(bid.record)).length;
}

function hasBids({ record }: CallPart): boolean {
  return record.outcome === 'bid';
}

/**
 * What became of one bid request.
 *
 * @param bids how many the answer had, null where it is not known.
 */
export function describeCall(call: CallPart, name: string, bids: number | null): string {
  const { record, trace } = call;
  const { outcome, reason, latency_us: latencyUs } = record;
  const asked = `${name} was asked for ${askedFor(call)}`;
  const after = `after ${milliseconds(latencyUs)}`;
  switch (outcome) {
    case 'bid':
      return `${asked} and answered ${after} with ${bids === null ? 'bids' : counted(bids, 'bid')}.`;
    case 'no_bid':
      return `${asked} and answered ${after} without a bid: ${describeNoBid(reason, trace?.detail ?? '')}.`;
    case 'timeout':
      return `${asked} and had not answered ${after}, when the auction stopped waiting.`;
    case 'error':
      return `${asked} and the call failed ${after}: ${describeError(reason)}.`;
    case 'throttled':
      return `${name} matched ${impressions(offeredImps(call))} and was not asked: ${describeThrottle(reason)}.`;
  }
}

function askedFor(call: CallPart): string {
  const { trace } = call;
  const imps = impressions(offeredImps(call));
  if (trace === null) return imps;
  const deals = trace.deals.length === 0 ? '' : ` with ${dealsText(trace.deals)}`;
  const sent = trace.sent_us < 0 ? '' : `, ${milliseconds(trace.sent_us)} into the auction`;
  return `${imps}${deals}${sent}, with ${trace.tmax_ms} ms to answer,`;
}

function dealsText(deals: readonly string[]): string {
  return `${deals.length === 1 ? 'deal' : 'deals'} ${listed([...deals])}`;
}
