import { LossReason } from '../openrtb/loss-reason.ts';
import type { BidResponse } from '../openrtb/bid-response.ts';
import { conclude, type Conclusion } from './conclude.ts';
import type { CalledAuction, DecidedAuction } from './decided-auction.ts';
import { isUnbilled, writeLines, type AuctionLines } from './record.ts';
import type { Reservations } from './reservations.ts';
import { respond, type WinnerBeacons } from './respond.ts';
import type { NameSeat } from './seat-non-bids.ts';
import { Settlement } from './settle.ts';
import { traceDepthOf } from './trace.ts';
import type { Winner } from './winners.ts';

export interface EndingParts extends Pick<Conclusion, 'client' | 'lateMarkup' | 'now'> {
  /** Incarnation of the node's data directory. */
  readonly node: string;
  readonly reservations: Reservations;
  readonly seal: (auction: DecidedAuction, winner: Winner) => WinnerBeacons;
  readonly nameSeat: NameSeat;
  readonly mayKeepTest: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** An auction at its end: what goes on record of it, and what the publisher is told then. */
export interface EndedAuction {
  readonly auction: DecidedAuction;
  readonly lines: AuctionLines;
  /** Null where nobody won, unless the publisher is told what lost. */
  readonly response: BidResponse | null;
}

/**
 * Takes an auction whose bidders have answered to its end. Everything that may fail is done here,
 * before the record is written: whatever throws, the auction has one record, and what it reserved is
 * released unless that record has winners.
 *
 * @throws what keeps even the record of a failed auction from being written.
 */
export async function endAuction(called: CalledAuction, parts: EndingParts): Promise<EndedAuction> {
  const { reservations, onFault, now } = parts;
  let settlement: Settlement | null = null;
  try {
    const isBilled = !isUnbilled(called);
    // A win notice may be what a bidder is paid by: nothing is called, or counted, of a test or of
    // traffic that is not billed.
    const takesLateMarkup = !called.publisherDecides && isBilled;
    settlement = new Settlement(called.id, called.results, takesLateMarkup);
    const winners = await conclude({
      auctionId: called.id,
      atMs: called.atMs,
      slots: called.slots,
      settlement,
      reservations: isBilled ? reservations : null,
      client: parts.client,
      lateMarkup: parts.lateMarkup,
      deadlineMs: called.deadlineMs,
      now,
    });
    const { bids } = settlement;
    const auction = { ...called, durationMs: now() - called.startMs, bids, winners };
    const response = answerOf(auction, parts);
    return { auction, lines: linesOf(auction, parts), response };
  } catch (error) {
    onFault(error);
    releaseAll(reservations, onFault);
    return endWithoutWinner(called, settlement, parts);
  }
}

/** Gives back what was reserved, whatever one of the reservations has against it. */
export function releaseAll(reservations: Reservations, onFault: (error: unknown) => void): void {
  try {
    reservations.releaseAll();
  } catch (error) {
    onFault(error);
  }
}

function answerOf(auction: DecidedAuction, { seal, nameSeat }: EndingParts): BidResponse | null {
  return respond(auction, (winner) => seal(auction, winner), nameSeat);
}

/** A trace is for looking things up: without it the auction counts all the same. */
function linesOf(auction: DecidedAuction, parts: EndingParts): AuctionLines {
  const { node, mayKeepTest, onFault } = parts;
  try {
    return writeLines(auction, traceDepthOf(auction, mayKeepTest), node);
  } catch (error) {
    onFault(error);
    return writeLines(auction, 'none', node);
  }
}

const FAILED = { reason: LossReason.InternalError, detail: 'the exchange failed in this auction' };

/** The bids that competed have lost by our fault, and are told so; failing that, they are left out. */
function endWithoutWinner(
  called: CalledAuction,
  settlement: Settlement | null,
  parts: EndingParts,
): EndedAuction {
  settlement?.forfeitAll(() => true, FAILED);
  const durationMs = parts.now() - called.startMs;
  const failed = { ...called, durationMs, bids: settlement?.bids ?? [], winners: new Map() };
  try {
    return { auction: failed, lines: linesOf(failed, parts), response: answerOf(failed, parts) };
  } catch (error) {
    parts.onFault(error);
    const auction = { ...failed, bids: [] };
    return { auction, lines: writeLines(auction, 'none', parts.node), response: null };
  }
}
