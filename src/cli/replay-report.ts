import { WHOLE_PPM } from '../analytics/recorded-wire.ts';
import type { ReplayExtent } from '../commands/replay.ts';
import type { ReplayOptions } from './replay-options.ts';
import { noSums, type Sums } from './replay-sums.ts';
import type { Compared, Disagreement, ReplayTally, Stratum } from './replay-tally.ts';

/** Money as decimal integers: sums of micro-dollars CPM, of which 1e9 are one dollar. */
export interface Figures {
  readonly filled: number;
  readonly gross_cpm_micros: string;
  readonly payout_cpm_micros: string;
}

/** As it was, with the change, and at most, if every bid that the change lets in is sound. */
export interface Comparison {
  readonly recorded: Figures;
  readonly changed: Figures;
  readonly at_most: Figures;
}

export interface Traced {
  readonly auctions: number;
  readonly replayed: number;
}

/** What `rialto replay` found, in the form that `--json` prints. */
export interface ReplayReport {
  readonly from: string;
  readonly to: string;
  /** Null where any will do. */
  readonly publisher_id: number | null;
  readonly ad_space_id: number | null;
  readonly demand_partner_id: number | null;
  /** Null for a replay of everything as it was. */
  readonly change: {
    readonly floor_micros: number | null;
    readonly auction_type: 'first_price' | 'second_price' | null;
  } | null;
  readonly auctions: {
    readonly matching: number;
    /** Fewer than those where a sample was taken. */
    readonly read: number;
    readonly agreeing: number;
    /** Of those agreeing: no bid competed, and none could. */
    readonly uncontested: number;
    readonly disagreeing: number;
    readonly no_trace: number;
    readonly bids_dropped: number;
  };
  /** The first of those that disagree. */
  readonly disagreements: readonly Disagreement[];
  /** All that was read, by the records alone. */
  readonly recorded: Figures & { readonly impressions: number; readonly billed: number };
  /** Auctions in which there was something to decide, by whether an impression was filled. */
  readonly traced: { readonly filled: Traced; readonly unfilled: Traced };
  /** Of the auctions that were decided again. */
  readonly replayed: Comparison & { readonly unchecked_wins: number };
  /** An estimate for all matching auctions; null where they cannot be told from what was decided. */
  readonly scaled: Comparison | null;
  /** Everything that matches was decided again, so that nothing is scaled. */
  readonly is_whole: boolean;
  readonly ad_spaces: readonly (Comparison & { readonly id: number })[];
  readonly demand_partners: readonly (Comparison & { readonly id: number })[];
}

export function reportOf(
  options: ReplayOptions,
  tally: ReplayTally,
  extent: ReplayExtent,
): ReplayReport {
  const { choice, change } = options;
  const { filled, unfilled } = tally.strata;
  const total = add(filled, unfilled);
  const isWhole =
    extent.samplePpm === WHOLE_PPM && [filled, unfilled].every((each) => missingIn(each) === 0);
  return {
    from: new Date(choice.from_ms).toISOString(),
    to: new Date(choice.to_ms).toISOString(),
    publisher_id: choice.publisher_id || null,
    ad_space_id: choice.zone_id || null,
    demand_partner_id: choice.demand_partner_id || null,
    change: options.changes
      ? { floor_micros: change.floorMicros, auction_type: options.auctionType }
      : null,
    auctions: {
      // More may have come meanwhile.
      matching: Math.max(extent.counted, tally.auctions),
      read: tally.auctions,
      agreeing: tally.agreeing,
      uncontested: tally.uncontested,
      disagreeing: tally.disagreeing,
      no_trace: tally.undecidable.no_trace,
      bids_dropped: tally.undecidable.bids_dropped,
    },
    disagreements: tally.disagreements,
    recorded: {
      impressions: tally.impressions,
      ...figuresOf(tally.recorded),
      billed: tally.billed,
    },
    traced: { filled: tracedOf(filled), unfilled: tracedOf(unfilled) },
    replayed: { ...comparisonOf(total), unchecked_wins: tally.uncheckedWins },
    scaled: scaledOf(tally, extent),
    is_whole: isWhole,
    ad_spaces: entriesOf(tally.byZone),
    demand_partners: entriesOf(tally.byPartner),
  };
}

function missingIn({ auctions, replayed }: Stratum): number {
  return auctions - replayed;
}

function tracedOf({ auctions, replayed }: Stratum): Traced {
  return { auctions, replayed };
}

/**
 * What is on record is known of all auctions that were read; only the difference is taken from those
 * that were decided again, each kind of auction by the share of it that was.
 */
function scaledOf(tally: ReplayTally, { counted, samplePpm }: ReplayExtent): Comparison | null {
  const whole = samplePpm === WHOLE_PPM || tally.auctions === 0;
  const factor = whole ? 1 : counted / tally.auctions;
  const strata = Object.values(tally.strata);
  if (strata.some(({ auctions, replayed }) => auctions > 0 && replayed === 0)) return null;
  const estimate = (name: keyof Compared): Figures => {
    const figures = { ...tally.recorded };
    for (const stratum of strata) {
      if (stratum.auctions === 0) continue;
      const weight = stratum.auctions / stratum.replayed;
      const { [name]: then, recorded: before } = stratum;
      figures.filled += (then.filled - before.filled) * weight;
      figures.grossCpmMicros += times(then.grossCpmMicros - before.grossCpmMicros, weight);
      figures.payoutCpmMicros += times(then.payoutCpmMicros - before.payoutCpmMicros, weight);
    }
    return figuresOf({
      filled: Math.round(figures.filled * factor),
      grossCpmMicros: times(figures.grossCpmMicros, factor),
      payoutCpmMicros: times(figures.payoutCpmMicros, factor),
    });
  };
  return {
    recorded: estimate('recorded'),
    changed: estimate('changed'),
    at_most: estimate('atMost'),
  };
}

/** Exact where nothing is scaled. */
function times(sum: bigint, weight: number): bigint {
  return weight === 1 ? sum : BigInt(Math.round(Number(sum) * weight));
}

function add(a: Compared, b: Compared): Compared {
  const sum = (name: keyof Compared): Sums => {
    const total = noSums();
    for (const each of [a[name], b[name]]) {
      total.filled += each.filled;
      total.grossCpmMicros += each.grossCpmMicros;
      total.payoutCpmMicros += each.payoutCpmMicros;
    }
    return total;
  };
  return { recorded: sum('recorded'), changed: sum('changed'), atMost: sum('atMost') };
}

function comparisonOf({ recorded, changed, atMost }: Compared): Comparison {
  return {
    recorded: figuresOf(recorded),
    changed: figuresOf(changed),
    at_most: figuresOf(atMost),
  };
}

function figuresOf({ filled, grossCpmMicros, payoutCpmMicros }: Sums): Figures {
  return {
    filled,
    gross_cpm_micros: String(grossCpmMicros),
    payout_cpm_micros: String(payoutCpmMicros),
  };
}

/** Those that earn most first. */
function entriesOf(map: ReadonlyMap<number, Compared>): (Comparison & { readonly id: number })[] {
  return [...map]
    .toSorted(([a, { recorded: one }], [b, { recorded: other }]) => {
      return Number(other.grossCpmMicros - one.grossCpmMicros) || a - b;
    })
    .map(([id, compared]) => ({ id, ...comparisonOf(compared) }));
}
