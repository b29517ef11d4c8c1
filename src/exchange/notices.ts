import { substituteMacros } from '../auction/macros.ts';
import { NURL_BYTES_MAX } from '../beacons/beacon.ts';
import type { NoticeRecord } from '../events/auction-record.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { macrosOf } from './bid-macros.ts';
import type { SettledBid } from './settle.ts';
import type { Winner } from './winners.ts';

/** What decides which notices an auction makes due. */
export interface NoticeRules {
  /** Nothing of a test is told to anybody. */
  readonly test: boolean;
  /** The publisher decides: a win is confirmed by a beacon, and lost when it expires without. */
  readonly publisherDecides: boolean;
  /** Whether those who lost are told the clearing price. */
  readonly tellsPrice: boolean;
}

/**
 * Characters of all loss notices of an auction, an equal part for each partner. They stand in the
 * auction's record, where they must leave room for every bid.
 */
const LOSSES_LENGTH_MAX = 512 * 1024;

/**
 * The notices that an auction makes due. The courier calls them once they are in the journal; a win
 * notice that has brought its markup has been called, and is not due any more.
 *
 * @param bids as they are recorded: a notice names its bid by its place among them.
 */
export function noticesOf(
  bids: readonly SettledBid[],
  winners: ReadonlyMap<number, Winner>,
  rules: NoticeRules,
): NoticeRecord[] {
  const notices: NoticeRecord[] = [];
  if (rules.test) return notices;
  const partners = new Set(bids.map(partnerOf));
  const lossesLengthMax = LOSSES_LENGTH_MAX / partners.size;
  const lossesLength = new Map<number, number>();
  for (const [index, settled] of bids.entries()) {
    if (settled.imp === null || settled.submitted === null) continue;
    const winner = winners.get(settled.imp.slot);
    const won = settled.reason === LossReason.Won;
    const url = won && !rules.publisherDecides ? winUrl(winner) : lossUrl(settled, winner, rules);
    if (url === '') continue;
    const partnerId = partnerOf(settled);
    const event = won && !rules.publisherDecides ? 'win' : 'loss';
    if (event === 'loss') {
      const length = (lossesLength.get(partnerId) ?? 0) + url.length;
      if (length > lossesLengthMax) continue;
      lossesLength.set(partnerId, length);
    }
    notices.push({
      event,
      bid: index,
      imp: settled.imp.slot,
      demand_partner_id: partnerId,
      lineitem_id: (settled.candidate ?? settled.refusal)?.lineItemId ?? 0,
      unless_won_by_ms: won && rules.publisherDecides ? (winner?.expiresMs ?? 0) : 0,
      url,
    });
  }
  return notices;
}

function partnerOf({ result }: SettledBid): number {
  return result.call.partner.id;
}

function winUrl(winner: Winner | undefined): string {
  if (winner === undefined) throw new Error('a bid won a slot that has no winner');
  const { adm, bid } = winner.candidate;
  return adm === bid.adm ? winner.nurl : '';
}

/** Empty where the bidder wants to hear nothing, or the address is too long to be kept. */
function lossUrl(settled: SettledBid, winner: Winner | undefined, rules: NoticeRules): string {
  const bid = settled.submitted?.bid;
  if (bid?.lurl === undefined) return '';
  const won = settled.reason === LossReason.Won;
  const values = macrosOf(settled, bid, {
    lossReason: won ? LossReason.Expired : settled.reason,
    priceMicros: rules.tellsPrice ? (winner?.clearingMicros ?? null) : null,
  });
  const url = substituteMacros(bid.lurl, values, 'url').toWellFormed();
  return Buffer.byteLength(url) <= NURL_BYTES_MAX ? url : '';
}
