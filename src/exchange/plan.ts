import { FORMAT_VIDEO } from '../auction/formats.ts';
import type { LineItemMatch, PartnerMatch } from '../auction/eligibility.ts';
import type { Offer } from '../auction/offer.ts';
import type { BudgetRefusal } from '../limits/auction-limits.ts';
import type { Effects } from '../privacy/effects.ts';
import type { Bidder, Deal, DemandPartner, LineItem } from '../snapshot/entities.ts';
import type { Market } from './market.ts';
import type { Slot } from './slots.ts';

/** One bid request to be: who gets it, what it offers, and what privacy leaves of the user. */
export interface PlannedCall {
  readonly partner: DemandPartner;
  readonly bidder: Bidder;
  readonly effects: Effects;
  /** At least one, in the order of the publisher's request. */
  readonly offers: readonly Offer[];
  /** The line items that matched, each once. */
  readonly lineItems: readonly LineItem[];
  /** `BidRequest.at`; undefined where every offer is a deal of fixed price. */
  readonly at: 1 | 2 | undefined;
  /** Seats that may answer; null where one of the line items binds no seat. */
  readonly wseat: readonly string[] | null;
  /** Why it is not sent after all; null when it is. */
  readonly throttled: string | null;
}

/** What the plan asks of its surroundings, so that it stays a function of its arguments. */
export interface PlanRules {
  /** The line items that match an impression. */
  match(slot: Slot): readonly PartnerMatch[];
  /** The formats in which an impression can be offered to a bidder at all, as a bit mask. */
  biddableFormats(slot: Slot, bidder: Bidder): number;
  /** What the signals of the request mean for one partner. */
  effectsFor(bidder: Bidder): Effects;
  /** Why a line item's budget lets nothing through; null when it does. */
  budget(lineItem: LineItem): BudgetRefusal | null;
  /** Takes one from the partner's allowance; false when it has none left. */
  takeBidderQps(partner: DemandPartner, bidder: Bidder): boolean;
  /** Takes one from the line item's allowance; false when it has none left. */
  takeLineItemQps(lineItem: LineItem): boolean;
  /** Puts back what a call would have used that is not made after all. */
  giveBackQps(call: { partner: DemandPartner | null; lineItems: readonly LineItem[] }): void;
  /** Why the bidder must not be called; asked last, because the answer may be a probe. */
  admit(partner: DemandPartner): string | null;
  readonly test: boolean;
}

/**
 * Decides whom to ask for what. A partner gets one bid request; a second one only where its seats
 * without a deal would otherwise be silenced by a deal, or where ad spaces of both auction types
 * stand in one request.
 */
export function planCalls(market: Market, slots: readonly Slot[], rules: PlanRules): PlannedCall[] {
  const drafts = new Map<string, Draft>();
  for (const slot of slots) {
    const sale = { ...dealsOf(slot, market), rules };
    for (const match of rules.match(slot)) draftOffers(drafts, slot, match, sale);
  }
  const calls: PlannedCall[] = [];
  for (const draft of drafts.values()) calls.push(finish(draft, rules, slots.length));
  return calls;
}

/** What of an impression is sold by deals, and whether anything else is. */
interface DealSale {
  readonly deals: readonly Deal[];
  readonly isPrivate: boolean;
}

/** A request that makes a private auction of its impression sells by the deals that it names alone. */
function dealsOf({ incoming, space }: Slot, { snapshot }: Market): DealSale {
  const deals = snapshot.deals.get(space.adSpace.id) ?? [];
  if (incoming.pmp?.private_auction !== 1) return { deals, isPrivate: false };
  const named = new Set(incoming.pmp.deals?.map(({ id }) => id));
  return { deals: deals.filter(({ id }) => named.has(id)), isPrivate: true };
}

interface Draft {
  readonly partner: DemandPartner;
  readonly bidder: Bidder;
  readonly effects: Effects;
  readonly firstPrice: boolean;
  readonly offers: Offer[];
  /** Offers of formats that the bidder has neither words nor creatives for. */
  readonly unsayable: Offer[];
}

/** Adds what one impression offers to one partner to the bid request where it belongs. */
function draftOffers(
  drafts: Map<string, Draft>,
  slot: Slot,
  match: PartnerMatch,
  sale: DealSale & { readonly rules: PlanRules },
): void {
  const { partner } = match;
  const bidder = partner.bidder;
  if (bidder === null) throw new Error(`partner ${partner.id} matched without a bidder`);
  const effects = sale.rules.effectsFor(bidder);
  const lineItems = effects.coordinates
    ? match.lineItems
    : match.lineItems.filter(({ requiresLocation }) => !requiresLocation);
  if (lineItems.length === 0 && match.lineItems.length > 0) return;

  const deals = sale.deals.filter(
    (deal) =>
      deal.status === 'ACTIVE' && lineItems.some(({ lineItem }) => isSeatOf(lineItem, deal)),
  );
  const dealt = deals.length === 0 ? [] : lineItems.filter((each) => hasDeal(each, deals));
  const open = dealt.length === 0 ? lineItems : lineItems.filter((each) => !hasDeal(each, deals));
  const formats = sale.rules.biddableFormats(slot, bidder);
  const base = { partner, bidder, effects, firstPrice: slot.imp.firstPrice, formats };
  if (dealt.length > 0) addOffer(drafts, base, offerOf(slot, dealt, deals));
  if (open.length > 0 && !sale.isPrivate)
    addOffer(drafts, base, offerOf(slot, open, []), dealt.length > 0);
}

function isSeatOf(lineItem: LineItem, deal: Deal): boolean {
  return lineItem.seat !== null && deal.seats.includes(lineItem.seat);
}

function hasDeal(match: LineItemMatch, deals: readonly Deal[]): boolean {
  return deals.some((deal) => isSeatOf(match.lineItem, deal));
}

function offerOf(slot: Slot, lineItems: readonly LineItemMatch[], deals: readonly Deal[]): Offer {
  return { imp: slot.imp, lineItems, formats: unionOfFormats(lineItems), deals };
}

function unionOfFormats(lineItems: readonly LineItemMatch[]): number {
  let formats = 0;
  for (const match of lineItems) formats |= match.formats;
  return formats;
}

function addOffer(
  drafts: Map<string, Draft>,
  base: Omit<Draft, 'offers' | 'unsayable'> & { readonly formats: number },
  offer: Offer,
  besideDeals = false,
): void {
  const key = `${base.partner.id} ${base.firstPrice} ${besideDeals}`;
  let draft = drafts.get(key);
  if (draft === undefined) {
    draft = { ...base, offers: [], unsayable: [] };
    drafts.set(key, draft);
  }
  // What the bidder has neither words nor creatives for is left out of the offer.
  const formats = offer.formats & base.formats;
  if (formats === 0) draft.unsayable.push(offer);
  else draft.offers.push(formats === offer.formats ? offer : { ...offer, formats });
}

function finish(draft: Draft, rules: PlanRules, slots: number): PlannedCall {
  const { partner, bidder, effects } = draft;
  const { offers, throttled } = limit(draft, rules);
  const lineItems = uniqueLineItems(offers);
  return {
    partner,
    bidder,
    effects,
    offers: throttled === null ? inPairs(offers, bidder, slots) : offers,
    lineItems,
    at: auctionTypeOf(offers, draft.firstPrice),
    wseat: seatsOf(lineItems),
    throttled,
  };
}

/** What is left of a draft's offers, or all of them and why none is made. */
type Limited = Pick<PlannedCall, 'offers' | 'throttled'>;

/** Applies the limits, cheapest first: what is not sent must not use up an allowance. */
function limit(draft: Draft, rules: PlanRules): Limited {
  const { partner, bidder } = draft;
  const all = draft.offers.length > 0 ? draft.offers : draft.unsayable;
  const refused = (throttled: string): Limited => ({ offers: all, throttled });
  const reason = callable(draft, rules);
  if (reason !== null) return refused(reason);

  const covered = withBudget(all, rules);
  if (covered.offers.length === 0) return refused(covered.refusal ?? 'no_lease');
  const matched = uniqueLineItems(covered.offers);
  const spent = new Set(matched.filter((lineItem) => !rules.takeLineItemQps(lineItem)));
  const offers = withoutLineItems(covered.offers, spent);
  if (offers.length === 0) return refused('lineitem_qps');
  const taken = spent.size > 0 ? matched.filter((lineItem) => !spent.has(lineItem)) : matched;
  if (!rules.takeBidderQps(partner, bidder)) {
    rules.giveBackQps({ partner: null, lineItems: taken });
    return refused('bidder_qps');
  }
  const refusal = rules.admit(partner);
  if (refusal === null) return { offers, throttled: null };
  rules.giveBackQps({ partner, lineItems: taken });
  return refused(refusal);
}

/** The offers to line items whose budget lets them through, and why it does not let others. */
function withBudget(
  offers: readonly Offer[],
  rules: PlanRules,
): { readonly offers: readonly Offer[]; readonly refusal: BudgetRefusal | null } {
  let refusal: BudgetRefusal | null = null;
  const spent = new Set<LineItem>();
  for (const { lineItems } of offers) {
    for (const { lineItem } of lineItems) {
      const why = rules.budget(lineItem);
      if (why === null) continue;
      refusal ??= why;
      spent.add(lineItem);
    }
  }
  return { offers: withoutLineItems(offers, spent), refusal };
}

function callable(draft: Draft, rules: PlanRules): string | null {
  if (draft.partner.stopped) return 'stopped';
  if (draft.effects.reason !== null) return draft.effects.reason;
  // OpenRTB 2.2 cannot say that a request is a test, and nobody may pay for one by mistake.
  if (rules.test && draft.bidder.openrtbVersion === '2.2') return 'test_in_2.2';
  if (draft.offers.length === 0) return 'no_format';
  return null;
}

function uniqueLineItems(offers: readonly Offer[]): readonly LineItem[] {
  const [only] = offers;
  if (offers.length === 1 && only !== undefined) return only.lineItems.map((m) => m.lineItem);
  return [...new Set(offers.flatMap((offer) => offer.lineItems.map((m) => m.lineItem)))].sort(
    (a, b) => a.id - b.id,
  );
}

/** A partner may have thousands of line items on each of fifty impressions: nothing is searched. */
function withoutLineItems(
  offers: readonly Offer[],
  spent: ReadonlySet<LineItem>,
): readonly Offer[] {
  if (spent.size === 0) return offers;
  const left: Offer[] = [];
  for (const offer of offers) {
    const lineItems = offer.lineItems.filter((match) => !spent.has(match.lineItem));
    const formats = offer.formats & unionOfFormats(lineItems);
    if (formats !== 0) left.push(narrowed(offer, lineItems, formats));
  }
  return left;
}

/** An offer to some of its line items, with the deals of those. */
function narrowed(offer: Offer, lineItems: readonly LineItemMatch[], formats: number): Offer {
  const deals = offer.deals.filter((deal) =>
    lineItems.some(({ lineItem }) => isSeatOf(lineItem, deal)),
  );
  return { ...offer, lineItems, formats, deals };
}

/**
 * An interstitial of several formats as a pair of impressions, for a bidder that wants it so: one
 * for its video, one for the rest. Both stand for the same slot, so that at most one is filled.
 */
function inPairs(offers: readonly Offer[], bidder: Bidder, slots: number): readonly Offer[] {
  if (bidder.interstitialImps === 'one') return offers;
  return offers.flatMap((offer) => {
    const { imp, formats, lineItems } = offer;
    const others = formats & ~FORMAT_VIDEO;
    if (!imp.interstitial || others === 0 || others === formats) return [offer];
    const half = (halfFormats: number): Offer => {
      const takers = lineItems.filter((match) => (match.formats & halfFormats) !== 0);
      return narrowed(offer, takers, halfFormats);
    };
    // Behind the numbers that other impressions have.
    const second = { ...imp, id: String(slots + imp.slot + 1) };
    return [half(others), { ...half(FORMAT_VIDEO), imp: second }];
  });
}

/** No value where only fixed-price deals are on offer (spec, BidRequest.at), else 1 or 2. */
function auctionTypeOf(offers: readonly Offer[], firstPrice: boolean): 1 | 2 | undefined {
  const agreed = offers.every(
    (offer) => offer.deals.length > 0 && offer.deals.every((deal) => deal.type === 'fixed_price'),
  );
  if (agreed) return undefined;
  return firstPrice ? 1 : 2;
}

function seatsOf(lineItems: readonly LineItem[]): readonly string[] | null {
  const seats = new Set<string>();
  for (const { seat } of lineItems) {
    if (seat === null) return null;
    seats.add(seat);
  }
  return [...seats];
}
