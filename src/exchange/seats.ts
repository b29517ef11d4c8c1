import type { LineItemMatch, PartnerMatch } from '../auction/eligibility.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';

/** The seats to which a publisher's request sells, as it says in `wseat` and `bseat`. */
export interface SeatRules {
  /** Null for all. */
  readonly allowed: ReadonlySet<string> | null;
  readonly blocked: ReadonlySet<string>;
}

/** Null where the request says nothing: an empty list narrows nothing. */
export function seatRulesOf({ wseat = [], bseat = [] }: IncomingRequest): SeatRules | null {
  if (wseat.length === 0 && bseat.length === 0) return null;
  return { allowed: wseat.length === 0 ? null : new Set(wseat), blocked: new Set(bseat) };
}

/**
 * The matches whose seats the request sells to. A line item without a seat, which takes the bids of any,
 * does not match where the request allows some alone; where it blocks some, its bids are held against them.
 */
export function narrowSeats(
  matches: readonly PartnerMatch[],
  rules: SeatRules | null,
): readonly PartnerMatch[] {
  if (rules === null) return matches;
  const isSold = ({ lineItem: { seat } }: LineItemMatch): boolean =>
    seat === null ? rules.allowed === null : isSeatSold(seat, rules);
  const narrowed: PartnerMatch[] = [];
  for (const { partner, lineItems } of matches) {
    const sold = lineItems.filter(isSold);
    if (sold.length > 0) narrowed.push({ partner, lineItems: sold });
  }
  return narrowed;
}

function isSeatSold(seat: string, { allowed, blocked }: SeatRules): boolean {
  return (allowed === null || allowed.has(seat)) && !blocked.has(seat);
}
