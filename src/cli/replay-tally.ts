import type { RecordedAuction } from '../analytics/recorded-wire.ts';
import { disagreement, objectToRecords } from '../auction/replay-compare.ts';
import {
  isContested,
  isMeant,
  replay,
  UNCHANGED,
  whyUndecidable,
  type ReplayChange,
  type Undecidable,
} from '../auction/replay.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import {
  addWin,
  noSums,
  recordedWins,
  replayedWins,
  type CountedWin,
  type Sums,
} from './replay-sums.ts';

/** As many auctions that disagree are named. */
const EXAMPLES_MAX = 20;

/** What is compared: as it was, with the change, and with what the change may let in besides. */
export interface Compared {
  readonly recorded: Sums;
  readonly changed: Sums;
  /** With bids that were refused at the floor, as if nothing else were wrong with any of them. */
  readonly atMost: Sums;
}

/** Auctions of which a different share was traced, so that they are scaled apart. */
export interface Stratum extends Compared {
  auctions: number;
  /** Those that were decided again and agreed. */
  replayed: number;
}

export interface Disagreement {
  readonly auction_id: string;
  readonly detail: string;
}

/** Decides auctions again as they come, and keeps nothing of them but sums. */
export class ReplayTally {
  readonly #change: ReplayChange;
  readonly #changes: boolean;
  auctions = 0;
  /** Impressions that are meant, and those of them that won and were billed. */
  impressions = 0;
  billed = 0;
  /** All wins on record, whether or not they can be decided again. */
  readonly recorded = noSums();
  agreeing = 0;
  /** Of those agreeing: nobody's bid competed. */
  uncontested = 0;
  disagreeing = 0;
  readonly disagreements: Disagreement[] = [];
  readonly undecidable: Record<Undecidable, number> = { no_trace: 0, bids_dropped: 0 };
  readonly strata = { filled: noStratum(), unfilled: noStratum() };
  /** Wins of bids whose creative nobody has looked at. */
  uncheckedWins = 0;
  readonly byZone = new Map<number, Compared>();
  readonly byPartner = new Map<number, Compared>();

  /** @param changes false where nothing is to be otherwise: then all are only decided again. */
  constructor(change: ReplayChange, changes: boolean) {
    this.#change = change;
    this.#changes = changes;
  }

  take(auction: RecordedAuction): void {
    this.auctions += 1;
    for (const imp of auction.imps) {
      if (!isMeant(imp, this.#change)) continue;
      this.impressions += 1;
      this.billed += imp.billed;
    }
    const wins = recordedWins(auction, this.#change);
    for (const win of wins) addWin(this.recorded, win);
    const stratum = this.#stratumOf(auction);
    if (stratum !== null) stratum.auctions += 1;

    const why = whyUndecidable(auction, this.#change);
    if (why !== null) {
      this.undecidable[why] += 1;
      return;
    }
    const detail = objectToRecords(auction) ?? disagreement(auction, replay(auction, UNCHANGED));
    if (detail !== null) {
      this.#disagree({ auction_id: auction.auction_id, detail });
      return;
    }
    this.agreeing += 1;
    if (stratum === null) {
      this.uncontested += 1;
      return;
    }
    stratum.replayed += 1;
    this.#compare(auction, stratum, wins);
  }

  /** Null for an auction in which there was nothing to decide. */
  #stratumOf(auction: RecordedAuction): Stratum | null {
    if (!isContested(auction, this.#change)) return null;
    const isFilled = auction.imps.some(({ filled }) => filled === 1);
    return isFilled ? this.strata.filled : this.strata.unfilled;
  }

  #disagree(found: Disagreement): void {
    this.disagreeing += 1;
    if (this.disagreements.length < EXAMPLES_MAX) this.disagreements.push(found);
  }

  #compare(auction: RecordedAuction, stratum: Stratum, wins: readonly CountedWin[]): void {
    const change = this.#change;
    const again = (admitsUnchecked: boolean): readonly CountedWin[] =>
      replayedWins(auction, change, replay(auction, { change, admitsUnchecked }));
    const changed = this.#changes ? again(false) : wins;
    const letsIn =
      change.floorMicros !== null &&
      auction.bids.some(({ loss_reason: reason }) => reason === LossReason.BelowFloor);
    const atMost = letsIn ? again(true) : changed;
    for (const { isUnchecked } of atMost) if (isUnchecked) this.uncheckedWins += 1;
    const outcomes = { recorded: wins, changed, atMost };
    for (const name of ['recorded', 'changed', 'atMost'] as const) {
      for (const win of outcomes[name]) {
        addWin(stratum[name], win);
        addWin(entryOf(this.byZone, win.zoneId)[name], win);
        addWin(entryOf(this.byPartner, win.demandPartnerId)[name], win);
      }
    }
  }
}

function noStratum(): Stratum {
  return { auctions: 0, replayed: 0, ...nothing() };
}

function nothing(): Compared {
  return { recorded: noSums(), changed: noSums(), atMost: noSums() };
}

function entryOf(map: Map<number, Compared>, key: number): Compared {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = nothing();
    map.set(key, entry);
  }
  return entry;
}
