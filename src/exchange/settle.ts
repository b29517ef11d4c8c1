import { canonicalBid } from '../auction/canonical-bid.ts';
import { decide } from '../auction/decide.ts';
import type { AuctionImp, Candidate, Offer } from '../auction/offer.ts';
import type { Objection } from '../auction/objection.ts';
import { minToWinOf } from '../auction/min-to-win.ts';
import {
  validateBid,
  type BidVerdict,
  type Refusal,
  type SubmittedBid,
} from '../auction/validate-bid.ts';
import { describeProblems } from '../base/problem.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { ReceivedResponse } from '../openrtb/validate-response.ts';
import type { CallResult } from './call.ts';

/** The one currency that is traded (spec, section 1). */
const CURRENCY = 'USD';

/** A bid at the end of its auction: what came in, and why it won or lost. */
export interface SettledBid {
  readonly result: CallResult;
  /** Null for a bid that was too malformed to be read. */
  readonly submitted: SubmittedBid | null;
  readonly bidId: string;
  /** `seatbid.seat`; undefined when the bidder named none. */
  readonly seat: string | undefined;
  /** The impression that it is for; null when it names none that was offered. */
  readonly imp: AuctionImp | null;
  /** Bids with the same number win together. */
  readonly group: number | null;
  readonly reason: LossReason;
  /** The values that were compared, in words; empty for a bid that competed. */
  readonly detail: string;
  /** Null for a bid that was refused before it competed. */
  readonly candidate: Candidate | null;
  readonly refusal: Refusal | null;
  /** Micro-dollars CPM; 0 unless the bid won. */
  readonly clearingMicros: number;
  /** The lowest bid that would have won; null where none would have, or it cannot be told. */
  readonly minToWinMicros: number | null;
  /** Its group had lost when the first winner was told so, and stays lost. */
  readonly isOut: boolean;
}

/**
 * The bids of an auction until all is decided. It is decided anew whenever a winner turns out to be
 * none: its markup did not come, or cannot be shown.
 */
export class Settlement {
  readonly #auctionId: string;
  readonly #drafts: Draft[] = [];

  /** Validates all bids. @param takesLateMarkup whether markup may come with the win notice. */
  constructor(auctionId: string, results: readonly CallResult[], takesLateMarkup: boolean) {
    this.#auctionId = auctionId;
    let groups = 0;
    for (const result of results) {
      const { answer } = result;
      if (answer === null) continue;
      groups = draftBids(this.#drafts, result, answer, { groups, takesLateMarkup });
    }
  }

  /** All bids, in the order of the answers. */
  get bids(): readonly SettledBid[] {
    return this.#drafts;
  }

  /** Decides among the bids that still compete, and gives each its one reason. */
  decide(): void {
    refuseBrokenGroups(this.#drafts);
    const competing = this.#drafts.filter((draft) => !draft.isOut);
    const candidates: Candidate[] = [];
    for (const { candidate } of competing) if (candidate !== null) candidates.push(candidate);
    const decisions = decide(this.#auctionId, candidates);
    let next = 0;
    const winners = new Map<number, Candidate>();
    for (const draft of competing) {
      if (draft.candidate === null) continue;
      const decision = decisions[next];
      next += 1;
      if (decision?.candidate !== draft.candidate) throw new Error('decisions are out of order');
      draft.reason = decision.reason;
      draft.clearingMicros = decision.clearingMicros;
      draft.minToWinMicros = decision.minToWinMicros;
      if (draft.reason === LossReason.Won) winners.set(draft.candidate.imp.slot, draft.candidate);
    }
    for (const draft of this.#drafts) tellMinToWin(draft, winners);
  }

  /**
   * The markup of a winner has come. It was told that it won, and stays the winner at its price: only
   * a group that had lost could win after all when another impression's winner is forfeit, and so
   * stays out.
   */
  supply(bid: SettledBid, candidate: Candidate): void {
    this.#draftOf(bid).candidate = candidate;
    for (const draft of this.#drafts) {
      if (draft.group !== null && draft.reason !== LossReason.Won) draft.isOut = true;
    }
  }

  /** A bid that won cannot be shown after all. It competes no more; `decide` comes next. */
  forfeit(bid: SettledBid, { reason, detail }: Objection): void {
    const draft = this.#draftOf(bid);
    if (draft.candidate === null) throw new Error(`bid ${bid.bidId} competes no more`);
    refuse(draft, draft.candidate, { reason, detail });
  }

  /** As `forfeit`, of all bids that compete and are meant; there may be none. */
  forfeitAll(isMeant: (bid: SettledBid) => boolean, objection: Objection): void {
    for (const draft of this.#drafts) {
      if (draft.candidate !== null && isMeant(draft)) refuse(draft, draft.candidate, objection);
    }
  }

  #draftOf(bid: SettledBid): Draft {
    const draft = this.#drafts.find((each) => each === bid);
    if (draft === undefined) throw new Error(`bid ${bid.bidId} is of another auction`);
    return draft;
  }
}

/** A settled bid while it is being settled. */
type Draft = { -readonly [Key in keyof SettledBid]: SettledBid[Key] };

/** Adds the bids of one answer; returns how many groups have been numbered by now. */
function draftBids(
  drafts: Draft[],
  result: CallResult,
  answer: ReceivedResponse,
  { groups, takesLateMarkup }: { readonly groups: number; readonly takesLateMarkup: boolean },
): number {
  const offers = new Map<string, Offer>();
  for (const offer of result.call.offers) offers.set(offer.imp.id, offer);
  const objection = objectToAnswer(result, answer);
  const seen = new Set<string>();
  // A group's number in its answer becomes one that is unique in the auction.
  const numbers = new Map<number, number>();
  const numberOf = (group: number | null): number | null => {
    if (group === null) return null;
    const number = numbers.get(group) ?? groups + numbers.size;
    numbers.set(group, number);
    return number;
  };
  for (const { bid: received, seat, group } of answer.bids) {
    const bid = canonicalBid(received);
    const demandPartnerId = result.call.partner.id;
    const submitted = { bid, seat, group: numberOf(group), demandPartnerId };
    const imp = offers.get(bid.impid)?.imp ?? null;
    const identity = { bidId: bid.id, seat, imp, group: submitted.group };
    const draft = emptyDraft(result, submitted, identity);
    drafts.push(draft);
    if (objection !== null) {
      draft.reason = objection.reason;
      draft.detail = objection.detail;
    } else if (seen.has(bid.id)) {
      draft.detail = `bid id ${bid.id} stands twice in the answer`;
    } else {
      judge(draft, validateBid(submitted, offers, takesLateMarkup));
    }
    seen.add(bid.id);
  }
  for (const { id: bidId = '', impid = '', seat, group, reason, problems } of answer.malformed) {
    const imp = offers.get(impid)?.imp ?? null;
    const draft = emptyDraft(result, null, { bidId, seat, imp, group: numberOf(group) });
    draft.reason = reason;
    draft.detail = describeProblems(problems);
    drafts.push(draft);
  }
  return groups + numbers.size;
}

function emptyDraft(
  result: CallResult,
  submitted: SubmittedBid | null,
  identity: Pick<Draft, 'bidId' | 'seat' | 'imp' | 'group'>,
): Draft {
  const { bidId, seat, imp, group } = identity;
  return {
    result,
    submitted,
    bidId,
    seat,
    imp,
    group,
    reason: LossReason.InvalidResponse,
    detail: '',
    candidate: null,
    refusal: null,
    clearingMicros: 0,
    minToWinMicros: null,
    isOut: false,
  };
}

/** What is wrong with the answer as a whole, and so with every bid in it. */
function objectToAnswer(
  result: CallResult,
  answer: ReceivedResponse,
): { reason: LossReason; detail: string } | null {
  if (answer.id !== result.requestId) {
    const named = answer.id === undefined ? 'names no request' : `is to ${answer.id}`;
    const detail = `the answer ${named}, the request was ${result.requestId}`;
    return { reason: LossReason.InvalidAuctionId, detail };
  }
  if (answer.cur !== undefined && answer.cur !== CURRENCY) {
    const detail = `the answer is in ${answer.cur}, prices must be in ${CURRENCY}`;
    return { reason: LossReason.InvalidResponse, detail };
  }
  return null;
}

function judge(draft: Draft, verdict: BidVerdict): void {
  if (verdict.ok) {
    draft.candidate = verdict.candidate;
    return;
  }
  draft.refusal = verdict.refusal;
  draft.reason = verdict.refusal.reason;
  draft.detail = verdict.refusal.detail;
}

/** Where one bid of a group was refused, the others cannot win either. */
function refuseBrokenGroups(drafts: readonly Draft[]): void {
  const broken = new Set<number>();
  for (const { candidate, group } of drafts) {
    if (candidate === null && group !== null) broken.add(group);
  }
  if (broken.size === 0) return;
  for (const draft of drafts) {
    const { candidate, group } = draft;
    if (candidate === null || group === null || !broken.has(group)) continue;
    const detail = 'another bid of its group was refused';
    refuse(draft, candidate, { reason: LossReason.CreativeFiltered, detail });
  }
}

function refuse(draft: Draft, candidate: Candidate, { reason, detail }: Objection): void {
  const { lineItemId, format, priceMicros, floorMicros } = candidate;
  draft.reason = reason;
  draft.detail = detail;
  draft.refusal = { reason, detail, lineItemId, format, priceMicros, floorMicros };
  draft.candidate = null;
  draft.clearingMicros = 0;
  draft.minToWinMicros = null;
}

/** A bid that failed at its floor is told what it would have taken. */
function tellMinToWin(draft: Draft, winners: ReadonlyMap<number, Candidate>): void {
  const { refusal, imp, submitted } = draft;
  if (refusal === null || imp === null || refusal.priceMicros >= refusal.floorMicros) return;
  const dealid = submitted?.bid.dealid;
  const offer = draft.result.call.offers.find((each) => each.imp === imp);
  const deal = offer?.deals.find(({ id }) => id === dealid) ?? null;
  const contender = { deal, floorMicros: refusal.floorMicros };
  draft.minToWinMicros = minToWinOf(contender, winners.get(imp.slot) ?? null);
}
