import type { BeaconEnd } from './beacon-caller.ts';
import { Recent } from './ledger.ts';
import type { BeaconKind, Winner } from './winners.ts';

/** What became of the beacons of one kind. sent = acknowledged + refused + abandoned + under way. */
export interface BeaconTally {
  /** Beacons that were begun, however often each was tried. */
  sent: number;
  acknowledged: number;
  /** By a status that repetition does not change; a sound tracker refuses none. */
  refused: number;
  /** Without an acknowledgement: the tracker may have counted them or not. */
  abandoned: number;
  /** Tries beyond the first, made because there was no acknowledgement. */
  retries: number;
  /** Sent again on purpose, after the acknowledgement. */
  repeats: number;
}

/** What a publisher, or all of them together, knows of its ads. */
export interface AudienceTotals {
  /** Bids in the exchange's answers. */
  winners: number;
  /** Winners where the publisher decides. */
  undecided: number;
  /** Those of them that it has not taken. */
  dropped: number;
  /** Winners that came when there were ads enough on pages already. */
  shed: number;
  /** Beacons that were due and had no address, or none on this machine. */
  unaddressed: number;
  readonly beacons: Readonly<Record<BeaconKind, BeaconTally>>;
  /** Prices told with the acknowledged impressions, in micro-dollars CPM. */
  toldMicros: number;
}

/** One winner and what of it was acknowledged. */
export interface AudienceEntry {
  readonly winner: Winner;
  /** Whether the publisher took it. */
  readonly taken: boolean;
  readonly acknowledged: Set<BeaconKind>;
  /** Beacons of which nobody knows whether they counted. */
  readonly uncertain: Set<BeaconKind>;
}

/** The publishers' own account: what they were told, what they told, and what was acknowledged. */
export class AudienceLedger {
  readonly totals: AudienceTotals = noTotals();
  readonly #byPublisher = new Map<string, AudienceTotals>();
  readonly #entries: Recent<AudienceEntry>;

  constructor(keepMax: number) {
    this.#entries = new Recent(keepMax);
  }

  /** The totals of one publisher, by its id as its requests name it. */
  of(publisherId: string): Readonly<AudienceTotals> {
    return this.#byPublisher.get(publisherId) ?? noTotals();
  }

  get publisherIds(): readonly string[] {
    return [...this.#byPublisher.keys()];
  }

  /** The last winners, oldest first. */
  get entries(): readonly Readonly<AudienceEntry>[] {
    return this.#entries.list();
  }

  open(winner: Winner, taken: boolean): AudienceEntry {
    this.#count(winner, (totals) => {
      totals.winners += 1;
      if (winner.decides) totals.undecided += 1;
      if (!taken) totals.dropped += 1;
    });
    const entry: AudienceEntry = { winner, taken, acknowledged: new Set(), uncertain: new Set() };
    this.#entries.add(entry);
    return entry;
  }

  shed(winner: Winner): void {
    this.#count(winner, (totals) => {
      totals.shed += 1;
    });
  }

  unaddressed({ winner }: AudienceEntry): void {
    this.#count(winner, (totals) => {
      totals.unaddressed += 1;
    });
  }

  sent({ winner }: AudienceEntry, kind: BeaconKind): void {
    this.#count(winner, ({ beacons }) => {
      beacons[kind].sent += 1;
    });
  }

  ended(entry: AudienceEntry, kind: BeaconKind, end: BeaconEnd): void {
    if (end.kind === 'acknowledged') entry.acknowledged.add(kind);
    if (end.kind === 'abandoned') entry.uncertain.add(kind);
    this.#count(entry.winner, (totals) => {
      totals.beacons[kind][end.kind] += 1;
      totals.beacons[kind].retries += Math.max(0, end.tries - 1);
      if (kind === 'impression' && end.kind === 'acknowledged') {
        totals.toldMicros += entry.winner.toldMicros;
      }
    });
  }

  repeated({ winner }: AudienceEntry, kind: BeaconKind): void {
    this.#count(winner, ({ beacons }) => {
      beacons[kind].repeats += 1;
    });
  }

  #count({ publisherId }: Winner, add: (totals: AudienceTotals) => void): void {
    const known = this.#byPublisher.get(publisherId);
    const own = known ?? noTotals();
    if (known === undefined) this.#byPublisher.set(publisherId, own);
    add(own);
    add(this.totals);
  }
}

function noTotals(): AudienceTotals {
  return {
    winners: 0,
    undecided: 0,
    dropped: 0,
    shed: 0,
    unaddressed: 0,
    beacons: { win: noTally(), impression: noTally(), view: noTally(), click: noTally() },
    toldMicros: 0,
  };
}

function noTally(): BeaconTally {
  return { sent: 0, acknowledged: 0, refused: 0, abandoned: 0, retries: 0, repeats: 0 };
}
