import type { Objection } from '../auction/objection.ts';
import { takeLateMarkup } from '../auction/late-markup.ts';
import type { Candidate } from '../auction/offer.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import type { MarkupMemory } from './markup-memory.ts';
import type { Reservations, Uncovered } from './reservations.ts';
import type { SettledBid, Settlement } from './settle.ts';
import type { Slot } from './slots.ts';
import { findWinners, type FoundWinners, type Winner } from './winners.ts';

/**
 * The most win notices that are called for the markup of one impression, of one partner and of all:
 * one that brings none must not take their chance from the others.
 */
const PARTNER_CALLS_MAX = 3;
const IMP_CALLS_MAX = 10;
/** The largest markup in bytes, inflated: as large as an answer that carries markup in its bid. */
const MARKUP_BYTES_MAX = 256 * 1024;
/**
 * So often an auction is decided again because of addresses that are too long; whose are too long
 * after that has no bid left for the impression. Each time costs as much as the auction has bids.
 */
const LENGTH_ROUNDS_MAX = 10;
/** As often because of line items whose budgets do not cover their wins, of which each may be another. */
const BUDGET_ROUNDS_MAX = 10;
/** With less than this left no answer can come in time, so nobody is told that it won. */
const MARKUP_TIME_MIN_MS = 10;

export interface Conclusion {
  readonly auctionId: string;
  /** Unix time of the ad request in milliseconds. */
  readonly atMs: number;
  readonly slots: readonly Slot[];
  readonly settlement: Settlement;
  /** Holds what the winners cost their line items; null where nothing is counted. */
  readonly reservations: Reservations | null;
  readonly client: NoticeClient;
  /** Whose calls are under way, and who has brought markup. */
  readonly lateMarkup: MarkupMemory;
  /** When markup has to be there, on the monotonic clock. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Decides an auction to its end. A winner whose markup comes with the answer to its win notice is
 * told now, because there is nothing to show without it: if none comes in time the bid is forfeit,
 * and the auction is decided and priced again as if it had not been there.
 *
 * @returns the winners by slot; all of them have markup.
 */
export async function conclude(conclusion: Conclusion): Promise<ReadonlyMap<number, Winner>> {
  const { settlement, slots } = conclusion;
  const calls = new MarkupCalls(conclusion);
  let roundsLeft = LENGTH_ROUNDS_MAX;
  let budgetRoundsLeft = BUDGET_ROUNDS_MAX;
  for (;;) {
    settlement.decide();
    const { winners, objections } = findWinners(slots, settlement.bids, conclusion.atMs);
    if (objections.length > 0) {
      roundsLeft -= 1;
      refuseLong(settlement, objections, roundsLeft < 0);
      continue;
    }
    const uncovered = conclusion.reservations?.hold(winners) ?? [];
    if (uncovered.length > 0) {
      budgetRoundsLeft -= 1;
      forfeitUncovered(settlement, uncovered, budgetRoundsLeft < 0);
      continue;
    }
    const waiting = [...winners.values()].filter(({ candidate }) => candidate.adm === null);
    if (waiting.length === 0) return winners;
    const answered = await Promise.all(waiting.map((winner) => calls.ask(winner)));
    for (const [index, { settled, candidate }] of waiting.entries()) {
      const markup = answered[index] ?? TOO_MANY;
      const { adm, objection } = markup;
      if (objection !== null) {
        settlement.forfeit(settled, objection);
        if (markup === TOO_MANY) forfeitLate(settlement, candidate);
        continue;
      }
      const taken = takeLateMarkup(candidate, adm);
      if (taken.ok) {
        settlement.supply(settled, taken.candidate);
        conclusion.lateMarkup.remember(candidate.demandPartnerId);
      } else settlement.forfeit(settled, taken.objection);
    }
  }
}

/**
 * The partner is not asked any more, so what of its bids has no markup for this impression cannot win
 * it. To find that out bid by bid would cost the square of their number. Elsewhere such bids stay: a
 * winner there may have been told a price that they make.
 */
function forfeitLate(settlement: Settlement, { imp, demandPartnerId }: Candidate): void {
  const isLate = ({ candidate }: SettledBid): boolean =>
    candidate?.adm === null &&
    candidate.imp === imp &&
    candidate.demandPartnerId === demandPartnerId;
  settlement.forfeitAll(isLate, TOO_MANY.objection);
}

/**
 * With a bid that its line item's budget does not cover go the line item's others for the same
 * impression: one after the other would cost the square of their number.
 *
 * @param atOnce with all bids of the same partner for the same impression.
 */
function forfeitUncovered(
  settlement: Settlement,
  uncovered: readonly Uncovered[],
  atOnce: boolean,
): void {
  for (const { settled, objection } of uncovered) {
    const { candidate } = settled;
    if (candidate === null) throw new Error(`bid ${settled.bidId} competes no more`);
    const { imp, lineItemId, demandPartnerId } = candidate;
    const isSibling = ({ candidate: other }: SettledBid): boolean =>
      other?.imp.slot === imp.slot && other.lineItemId === lineItemId;
    settlement.forfeitAll(isSibling, objection);
    if (!atOnce) continue;
    const isPartners = ({ candidate: other }: SettledBid): boolean =>
      other?.imp.slot === imp.slot && other.demandPartnerId === demandPartnerId;
    const detail = `too many of its partner's bids were not covered: ${objection.detail}`;
    settlement.forfeitAll(isPartners, { reason: objection.reason, detail });
  }
}

/** @param atOnce with the other bids of the same answer for the same impression. */
function refuseLong(
  settlement: Settlement,
  objections: FoundWinners['objections'],
  atOnce: boolean,
): void {
  for (const { settled, objection } of objections) {
    settlement.forfeit(settled, objection);
    if (!atOnce) continue;
    const detail = `another bid of its answer was too long: ${objection.detail}`;
    const isSibling = ({ result, imp }: SettledBid): boolean =>
      result === settled.result && imp === settled.imp;
    settlement.forfeitAll(isSibling, { reason: objection.reason, detail });
  }
}

/** Markup, or why there is none. */
type AskedMarkup =
  | { readonly adm: string; readonly objection: null }
  | { readonly adm: null; readonly objection: Objection };

const TOO_MANY = none('too many win notices of this partner were called for markup already');

function none(detail: string): Extract<AskedMarkup, { adm: null }> {
  return { adm: null, objection: { reason: LossReason.MissingMarkup, detail } };
}

/** The calls for markup of one auction. */
class MarkupCalls {
  readonly #conclusion: Conclusion;
  /** By impression, and by impression and partner. */
  readonly #counts = new Map<string, number>();

  constructor(conclusion: Conclusion) {
    this.#conclusion = conclusion;
  }

  async ask(winner: Winner): Promise<AskedMarkup> {
    const { demandPartnerId, imp } = winner.candidate;
    const { lateMarkup } = this.#conclusion;
    const isOne = this.#takes(`${imp.slot} ${demandPartnerId}`, PARTNER_CALLS_MAX);
    if (!isOne || !this.#takes(`${imp.slot}`, IMP_CALLS_MAX)) return TOO_MANY;
    if (!lateMarkup.begin(demandPartnerId)) return TOO_MANY;
    try {
      return await askForMarkup(this.#conclusion, winner);
    } finally {
      lateMarkup.end(demandPartnerId);
    }
  }

  #takes(key: string, max: number): boolean {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= max;
  }
}

function askForMarkup(
  conclusion: Conclusion,
  { settled, candidate, nurl }: Winner,
): Promise<AskedMarkup> {
  const { auctionId, settlement, client, deadlineMs, now } = conclusion;
  const leftMs = Math.floor(deadlineMs - now());
  if (leftMs < MARKUP_TIME_MIN_MS) {
    return Promise.resolve(none(`no time was left to bring markup: ${leftMs} ms`));
  }
  const call = {
    url: nurl,
    // Another bid of the same bidder may be asked next for the same impression.
    id: `${auctionId}-${candidate.imp.slot}-win-${settlement.bids.indexOf(settled)}`,
    bodyBytesMax: MARKUP_BYTES_MAX,
    deadlineMs,
  };
  return new Promise<NoticeReply>((resolve) => {
    client.call(call, resolve);
  }).then(readMarkup);
}

function readMarkup(reply: NoticeReply): AskedMarkup {
  switch (reply.kind) {
    case 'answer':
      if (reply.status === 200) return { adm: reply.body, objection: null };
      return none(`the win notice was answered with status ${reply.status}`);
    case 'timeout':
      return none('the win notice was not answered in time');
    case 'error':
      return none(`the win notice failed: ${reply.code}`);
    case 'oversized':
      return none(`the answer to the win notice is larger than ${reply.bytesMax} bytes`);
    case 'busy':
      return none(`${reply.inFlightMax} win notices are open already`);
  }
}
