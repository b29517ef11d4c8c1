import type { LineItem } from '../snapshot/entities.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { compileTargeting } from './targeting.ts';
import { FORMATS, type TargetingKey } from './targeting-rules.ts';
import type { ImpTraits } from './targeting-traits.ts';

/** Why a demand partner would or would not be asked for an impression. */
export interface Explanation {
  /** Only an `eligible` partner is asked, for the line items that take at least one format. */
  readonly partner: 'eligible' | 'unknown' | 'not_active' | 'no_bidder';
  /** All of them, in ascending order of id, whatever state the partner is in. */
  readonly lineItems: readonly LineItemExplanation[];
}

export interface LineItemExplanation {
  readonly lineItem: LineItem;
  /** The formats that its targeting takes: a bit mask. */
  readonly formats: number;
  /** For each format that it does not take, the first key that refuses. */
  readonly failures: readonly { readonly format: number; readonly key: TargetingKey }[];
}

/** Asks every line item of one partner, by its targeting and not by the index. */
export function explainEligibility(
  snapshot: Snapshot,
  traits: ImpTraits,
  demandPartnerId: number,
): Explanation {
  const lineItems = snapshot.lineItems.get(demandPartnerId) ?? [];
  return {
    partner: explainPartner(snapshot, demandPartnerId),
    lineItems: lineItems.map((lineItem) => explainLineItem(lineItem, traits)),
  };
}

function explainPartner(snapshot: Snapshot, demandPartnerId: number): Explanation['partner'] {
  const partner = snapshot.demandPartners.get(demandPartnerId);
  if (partner === undefined) return 'unknown';
  if (partner.status !== 'ACTIVE') return 'not_active';
  return partner.bidder === null ? 'no_bidder' : 'eligible';
}

function explainLineItem(lineItem: LineItem, traits: ImpTraits): LineItemExplanation {
  const matcher = compileTargeting(lineItem.targeting);
  const failures: { format: number; key: TargetingKey }[] = [];
  let formats = 0;
  for (const format of FORMATS) {
    if ((traits.formats & format) === 0) continue;
    const key = matcher.failedKey(traits, format);
    if (key === null) formats |= format;
    else failures.push({ format, key });
  }
  return { lineItem, formats, failures };
}
