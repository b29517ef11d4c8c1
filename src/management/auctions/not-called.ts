import { explainEligibility, type LineItemExplanation } from '../../auction/eligibility-explain.ts';
import { formatNames } from '../../auction/formats.ts';
import type { ImpTraits } from '../../auction/targeting-traits.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { nameOf, namesIn } from './names.ts';
import type { LineItemView, NotCalledView } from './schema.ts';
import { counted, impressions, listed } from './wording.ts';

/**
 * Why partners and line items were left out: what eligibility says of the auction's impressions with
 * the configuration as it is now. The records tell of those that matched alone.
 */

/** An operator with a thousand partners wants to know of one of them. */
const PARTNERS_MAX = 200;
const LINE_ITEMS_MAX = 50;
/** Line items that a sentence names. */
const NAMED_MAX = 3;

export interface NotCalled {
  readonly shown: NotCalledView[];
  /** How many more there were. */
  readonly dropped: number;
}

/** The partners of which the auction has no bid request, not even one that was held back. */
export function viewNotCalled(
  snapshot: Snapshot,
  traits: readonly ImpTraits[],
  calledIds: ReadonlySet<number>,
): NotCalled {
  const others = [...snapshot.demandPartners.keys()].filter((id) => !calledIds.has(id));
  return {
    shown: others.slice(0, PARTNERS_MAX).map((id) => viewPartner(id, snapshot, traits)),
    dropped: Math.max(0, others.length - PARTNERS_MAX),
  };
}

/** A partner's line items that none of its bid requests was for. */
export function viewNotMatched(
  snapshot: Snapshot,
  traits: readonly ImpTraits[],
  demandPartnerId: number,
  matchedIds: ReadonlySet<number>,
): LineItemView[] {
  return explainLineItems(snapshot, traits, demandPartnerId)
    .filter(({ id }) => !matchedIds.has(id))
    .slice(0, LINE_ITEMS_MAX);
}

function viewPartner(id: number, snapshot: Snapshot, traits: readonly ImpTraits[]): NotCalledView {
  const partner = namesIn(snapshot).partner(id);
  const lineItems = explainLineItems(snapshot, traits, id);
  const reason = reasonOf(id, snapshot, { lineItems, traits });
  return {
    demand_partner: partner,
    reason,
    line_items: lineItems.slice(0, LINE_ITEMS_MAX),
    sentence: `${nameOf(partner)} was not asked: ${describeReason(reason, lineItems)}.`,
  };
}

function explainLineItems(
  snapshot: Snapshot,
  traits: readonly ImpTraits[],
  demandPartnerId: number,
): LineItemView[] {
  const byImp = traits.map((each) => explainEligibility(snapshot, each, demandPartnerId).lineItems);
  const [first = []] = byImp;
  return first.map(({ lineItem }, index) => {
    const refusals = byImp.flatMap((lineItems, imp) => refusalsOf(lineItems[index], imp));
    const isMatching = byImp.some((lineItems) => (lineItems[index]?.formats ?? 0) !== 0);
    const { id, name, status } = lineItem;
    return {
      id,
      name,
      status,
      refusals,
      sentence: `Line item ${id} (${name}) ${describeLineItem(status, refusals, isMatching)}.`,
    };
  });
}

function refusalsOf(
  explained: LineItemExplanation | undefined,
  imp: number,
): LineItemView['refusals'] {
  if (explained === undefined) return [];
  return explained.failures.map(({ format, key }) => ({ imp, format: formatNames(format), key }));
}

function describeLineItem(
  status: string,
  refusals: LineItemView['refusals'],
  isMatching: boolean,
): string {
  if (status !== 'ACTIVE') return `is ${status}`;
  if (!isMatching) return `does not match: ${describeRefusals(refusals)}`;
  return (
    'matches by its targeting: it was left out for its limits, or because privacy took away the ' +
    'coordinates that it asks for'
  );
}

/** The keys that refuse, each with the formats and impressions that it refuses. */
function describeRefusals(refusals: LineItemView['refusals']): string {
  const byKey = Map.groupBy(refusals, ({ key }) => key);
  const clauses = [...byKey].map(([key, some]) => {
    const formats = listed([...new Set(some.map(({ format }) => format))]);
    const imps = impressions([...new Set(some.map(({ imp }) => imp))]);
    return `its ${key} refuses ${formats} of ${imps}`;
  });
  return listed(clauses);
}

function reasonOf(
  id: number,
  snapshot: Snapshot,
  {
    lineItems,
    traits,
  }: { readonly lineItems: readonly LineItemView[]; readonly traits: readonly ImpTraits[] },
): NotCalledView['reason'] {
  const partner = snapshot.demandPartners.get(id);
  if (partner === undefined || partner.status !== 'ACTIVE') return 'not_active';
  if (partner.bidder === null) return 'no_bidder';
  const active = lineItems.filter(({ status }) => status === 'ACTIVE');
  if (active.length === 0) return 'no_line_items';
  const matching = matchingIds(id, snapshot, traits);
  if (matching.size === 0) return 'targeting';
  const items = snapshot.lineItems.get(id) ?? [];
  const areAllLocated = items.every(
    ({ id: itemId, targeting }) =>
      !matching.has(itemId) || targeting.geo?.is_geo_data_required === true,
  );
  return areAllLocated ? 'location_withheld' : 'unexplained';
}

/** The active line items that take some format of some impression. */
function matchingIds(
  id: number,
  snapshot: Snapshot,
  traits: readonly ImpTraits[],
): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const each of traits) {
    for (const { lineItem, formats } of explainEligibility(snapshot, each, id).lineItems) {
      if (lineItem.status === 'ACTIVE' && formats !== 0) ids.add(lineItem.id);
    }
  }
  return ids;
}

function describeReason(
  reason: NotCalledView['reason'],
  lineItems: readonly LineItemView[],
): string {
  switch (reason) {
    case 'not_active':
      return 'it is not active';
    case 'no_bidder':
      return 'it has no bidder';
    case 'no_line_items':
      return 'it has no active line item';
    case 'targeting':
      return `none of its line items matches. ${describeSome(lineItems)}`;
    case 'location_withheld':
      return 'the line items that match ask for coordinates, which privacy took away';
    case 'unexplained':
      return 'its line items match as all is configured now; what was otherwise then is not recorded';
  }
}

function describeSome(lineItems: readonly LineItemView[]): string {
  const shown = lineItems.slice(0, NAMED_MAX).map(({ sentence }) => sentence);
  const more = lineItems.length - shown.length;
  const rest = more > 0 ? ` ${counted(more, 'more line item')} neither` : '';
  return `${shown.join(' ')}${rest}`.replace(/\.$/, '');
}
