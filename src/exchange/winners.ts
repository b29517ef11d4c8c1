import type { Objection } from '../auction/objection.ts';
import { substituteMacros } from '../auction/macros.ts';
import type { Candidate } from '../auction/offer.ts';
import { shareOf } from '../base/money.ts';
import { BURL_BYTES_MAX, expiryOf, NURL_BYTES_MAX } from '../beacons/beacon.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { macrosOf } from './bid-macros.ts';
import type { SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';

/** A winner, with what it costs the buyer and brings the publisher. */
export interface Winner {
  readonly settled: SettledBid;
  readonly candidate: Candidate;
  /** What the buyer pays and what the publisher gets, in micro-dollars CPM. */
  readonly clearingMicros: number;
  readonly payoutMicros: number;
  /** What the publisher is told, on its own basis: the payout, or the clearing price. */
  readonly toldMicros: number;
  /** The bid's win and billing notices with their macros substituted; empty for none. */
  readonly nurl: string;
  readonly burl: string;
  /** Unix time in milliseconds from which the impression does not count any more. */
  readonly expiresMs: number;
}

/** The winners by slot, and what keeps some of them from winning. */
export interface FoundWinners {
  readonly winners: Map<number, Winner>;
  readonly objections: readonly { readonly settled: SettledBid; readonly objection: Objection }[];
}

/**
 * What the bids of a decided auction have won.
 *
 * @param atMs Unix time of the ad request in milliseconds.
 */
export function findWinners(
  slots: readonly Slot[],
  bids: readonly SettledBid[],
  atMs: number,
): FoundWinners {
  const winners = new Map<number, Winner>();
  const objections: { settled: SettledBid; objection: Objection }[] = [];
  for (const settled of bids) {
    const { candidate } = settled;
    if (settled.reason !== LossReason.Won || candidate === null) continue;
    const slot = slots[candidate.imp.slot];
    if (slot === undefined) {
      throw new Error(`a winner for slot ${candidate.imp.slot} of ${slots.length}`);
    }
    const winner = createWinner(settled, candidate, { slot, atMs });
    const objection = objectToLength(winner);
    if (objection === null) winners.set(candidate.imp.slot, winner);
    else objections.push({ settled, objection });
  }
  return { winners, objections };
}

function createWinner(
  settled: SettledBid,
  candidate: Candidate,
  { slot, atMs }: { readonly slot: Slot; readonly atMs: number },
): Winner {
  const { bid } = candidate;
  const { clearingMicros } = settled;
  const { revenueShareBps, priceBasis } = slot.space.publisher;
  const payoutMicros = shareOf(clearingMicros, revenueShareBps);
  const values = macrosOf(settled, bid);
  // The store refuses records with half a surrogate pair, and with one of them the whole batch.
  const fill = (url: string | undefined): string =>
    url === undefined ? '' : substituteMacros(url, values, 'url').toWellFormed();
  return {
    settled,
    candidate,
    clearingMicros,
    payoutMicros,
    toldMicros: priceBasis === 'net' ? payoutMicros : clearingMicros,
    nurl: fill(bid.nurl),
    burl: fill(bid.burl),
    expiresMs: expiryOf(atMs, bid.exp),
  };
}

/** What a beacon makes due has to fit into its address, price and all. */
function objectToLength({ nurl, burl }: Winner): Objection | null {
  return (
    objectTo('burl', Buffer.byteLength(burl), BURL_BYTES_MAX) ??
    objectTo('nurl', Buffer.byteLength(nurl), NURL_BYTES_MAX)
  );
}

function objectTo(name: string, bytes: number, bytesMax: number): Objection | null {
  if (bytes <= bytesMax) return null;
  const detail = `${name} has ${bytes} bytes with its macros; allowed: ${bytesMax}`;
  return { reason: LossReason.InvalidResponse, detail };
}
