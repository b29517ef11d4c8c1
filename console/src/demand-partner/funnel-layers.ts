import type { Funnel, FunnelDrop, FunnelStep } from '../../../src/management/funnel/schema.ts';

type AuctionFilter = NonNullable<FunnelDrop['auction_filter']>;

/** A step of the funnel with what was lost before the next one. */
export interface FunnelLayer {
  readonly step: FunnelStep;
  readonly label: string;
  /** Of the widest step, from 0 to 1. */
  readonly width: number;
  /** Of what came to the step before, from 0; null for the first step, and where that had none. */
  readonly passed: number | null;
  /** The most frequent first. */
  readonly drops: readonly (FunnelDrop & { readonly share: number })[];
}

const LABELS: Readonly<Record<FunnelStep['step'], string>> = {
  matched: 'Matched',
  sent: 'Sent',
  answered: 'Answered',
  bids: 'Bids',
  in_auction: 'In auction',
  won: 'Won',
  billed: 'Billed',
};

/** What there is to draw of a funnel. */
export function layersOf({ steps, drops }: Funnel): readonly FunnelLayer[] {
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const next = steps[index + 1];
    return {
      step,
      label: LABELS[step.step],
      width: step.count / widest,
      passed: before === undefined || before.count === 0 ? null : passedOf(step) / before.count,
      drops: drops
        .filter((drop) => drop.before === next?.step)
        .map((drop) => Object.assign({ share: shareOf(drop.count, step.count) }, drop))
        .toSorted((a, b) => b.count - a.count),
    };
  });
}

/**
 * What the list of auctions is asked for to show those of a drop.
 *
 * @param lineItemId null for all line items.
 */
export function auctionSearchOf(
  filter: AuctionFilter,
  day: string,
  lineItemId: number | null,
): Readonly<Record<string, string | number>> {
  return { day, ...filter, ...(lineItemId === null ? {} : { lineitem_id: lineItemId }) };
}

/** Bids are told by the bid requests that had any, which is what the step before counts. */
function passedOf({ count, requests, carried_over: carried }: FunnelStep): number {
  return (requests ?? count) - carried;
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
