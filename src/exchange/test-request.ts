import { LINE_ITEM } from '../resources/line-item.ts';
import { explainEligibility, type LineItemExplanation } from '../auction/eligibility-explain.ts';
import type { LineItemMatch } from '../auction/eligibility.ts';
import { UNKNOWN_NETWORK } from '../enrich/network.ts';
import type { AnswerHeaders, BidderCall, BidderClient } from '../ports/bidder-client.ts';
import { privacyFor } from '../privacy/effects.ts';
import type { Bidder, DemandPartner, LineItem } from '../snapshot/entities.ts';
import { SnapshotBuilder, type Snapshot } from '../snapshot/snapshot.ts';
import { biddableFormats } from './biddable.ts';
import type { CallResult } from './call.ts';
import { Composer } from './compose.ts';
import { gatherFacts, traitsOf, type Enrichment, type Facts } from './facts.ts';
import { fanOut } from './fan-out.ts';
import { createMarket } from './market.ts';
import { planCalls, type PlannedCall } from './plan.ts';
import { Settlement, type SettledBid } from './settle.ts';
import { findSlots, type Slot } from './slots.ts';
import { testPlace, testRequest, type TestWish } from './test-place.ts';
import { TmaxAllowance } from './tmax-allowance.ts';

/** What a test request is sent with. */
export interface TestRequestParts {
  readonly client: BidderClient;
  readonly createAuctionId: () => string;
  /** The monotonic clock that calls are timed with, in milliseconds. */
  readonly now: () => number;
}

/** A partner that can be asked. */
export type AskablePartner = DemandPartner & { readonly bidder: Bidder };

/** A test request, what was answered, and how an auction judges it. */
export interface TestRun {
  readonly call: PlannedCall;
  readonly sent: BidderCall;
  /** Null without an answer. */
  readonly headers: AnswerHeaders | null;
  readonly result: CallResult;
  readonly bids: readonly SettledBid[];
  /** Why no ACTIVE line item matched; empty where one did. */
  readonly refusals: readonly LineItemExplanation[];
  /** False where it was offered to a line item that is made up, since none is ACTIVE. */
  readonly hasLineItem: boolean;
}

/** The time that an auction keeps for itself, and the least that a bidder gets here. */
const RESERVE_MS = 10;
const TIME_MIN_MS = 100;

/**
 * Sends one bid request for a place that is made up, by the partner's own settings, and judges the
 * answer as an auction does. Limits, budgets, the breaker and a stop do not hold it back; nothing of
 * it is recorded, and no notice is called.
 *
 * @returns null where the bidder has neither words nor creatives for the format.
 */
export async function sendTestRequest(
  snapshot: Snapshot,
  partner: AskablePartner,
  wish: TestWish,
  { client, createAuctionId, now }: TestRequestParts,
): Promise<TestRun | null> {
  const request = testRequest(wish);
  const market = await createMarket(snapshotOf(snapshot, partner, wish), pause);
  const facts = gatherFacts(request, SERVER, NOTHING_DETECTED);
  const found = findSlots(request, market, {
    secure: true,
    country: facts.countryAlpha2,
    os: facts.os,
  });
  const [slot] = found.ok ? found.value : [];
  if (slot === undefined) throw new Error('the place of a test request was refused');
  const { lineItems, refusals, hasLineItem } = lineItemsFor(market.snapshot, partner, slot, facts);
  const calls = planCalls(market, [slot], {
    match: () => [{ partner: { ...partner, status: 'ACTIVE', stopped: false }, lineItems }],
    biddableFormats: (each, bidder) => biddableFormats(each, { bidder, os: facts.os }),
    effectsFor: (bidder) => privacyFor(facts.signals, bidder.gvlId),
    ...NO_LIMITS,
  });
  const [call] = calls;
  if (call === undefined || call.throttled !== null) return null;

  const id = createAuctionId();
  const seen: { sent: BidderCall | null; headers: AnswerHeaders | null } = {
    sent: null,
    headers: null,
  };
  const { exchange } = snapshot;
  const faults: unknown[] = [];
  const [result] = await fanOut({
    auctionId: id,
    calls: [call],
    composer: new Composer({ request, slots: [slot], facts, exchange, publisherDecides: false }),
    client: {
      ...IDLE_CLIENT,
      ask: (asked, settle, onLate) => {
        seen.sent = asked;
        client.ask(asked, settle, onLate, (headers) => (seen.headers = headers));
      },
    },
    health: ALWAYS_WELL,
    giveBackQps: () => {},
    onFault: (error) => void faults.push(error),
    deadlineMs: now() + Math.max(TIME_MIN_MS, exchange.tmaxDefaultMs - RESERVE_MS),
    now,
  });
  if (faults.length > 0) throw faults[0];
  const { sent, headers } = seen;
  if (result === undefined || sent === null) throw new Error('a test request was not sent');
  const settlement = new Settlement(id, [result], true);
  settlement.decide();
  return { call, sent, headers, result, bids: settlement.bids, refusals, hasLineItem };
}

/** The partner alone, with the made-up place and what holds everywhere. */
function snapshotOf(snapshot: Snapshot, partner: AskablePartner, wish: TestWish): Snapshot {
  const builder = new SnapshotBuilder(snapshot.version);
  builder.add(snapshot.exchange);
  builder.add({ ...partner, status: 'ACTIVE', stopped: false });
  for (const lineItem of snapshot.lineItems.get(partner.id) ?? []) builder.add(lineItem);
  for (const review of snapshot.creativeReviews) {
    if (review.publisherId === null) builder.add(review);
  }
  for (const entity of testPlace(wish)) builder.add(entity);
  return builder.build();
}

/** The ACTIVE line items that match; all of them where none does, and a made-up one without any. */
function lineItemsFor(
  snapshot: Snapshot,
  partner: AskablePartner,
  slot: Slot,
  facts: Facts,
): Pick<TestRun, 'refusals' | 'hasLineItem'> & { readonly lineItems: readonly LineItemMatch[] } {
  const { lineItems } = explainEligibility(snapshot, traitsOf(slot, facts), partner.id);
  const active = lineItems.filter(({ lineItem }) => lineItem.status === 'ACTIVE');
  const matching = active.filter(({ formats }) => formats !== 0);
  const matchOf = (lineItem: LineItem, formats: number): LineItemMatch => {
    return { lineItem, formats, requiresLocation: false };
  };
  if (matching.length > 0) {
    const matches = matching.map(({ lineItem, formats }) => matchOf(lineItem, formats));
    return { lineItems: matches, refusals: [], hasLineItem: true };
  }
  const offered = active.length > 0 ? active.map(({ lineItem }) => lineItem) : [madeUp(partner)];
  return {
    lineItems: offered.map((lineItem) => matchOf(lineItem, slot.imp.formats)),
    refusals: active,
    hasLineItem: active.length > 0,
  };
}

/** Takes the bids that name no seat. */
function madeUp({ id }: AskablePartner): LineItem {
  return {
    kind: 'lineItem',
    id: 0,
    demandPartnerId: id,
    ...LINE_ITEM.entity(LINE_ITEM.initial),
    name: 'Rialto test line item',
  };
}

/** A publisher's server: all of the device stands in the request. */
const SERVER = {
  ip: null,
  secure: true,
  fromBrowser: false,
  userAgent: null,
  referer: null,
  acceptLanguage: null,
};

const NOTHING_DETECTED: Enrichment = {
  detectDevice: () => {
    return { devicetype: null, make: null, model: null, os: null, osv: null, browser: null };
  },
  networkOf: () => UNKNOWN_NETWORK,
  findInvalidTraffic: () => null,
};

/** OpenRTB 2.2 cannot say that a request is a test; whoever sends one is told so. */
const NO_LIMITS = {
  budget: () => null,
  takeBidderQps: () => true,
  takeLineItemQps: () => true,
  giveBackQps: () => {},
  admit: () => null,
  test: false,
} as const;

const ALWAYS_WELL = {
  admit: () => null,
  observe: () => {},
  observeLate: () => {},
  allowanceMs: () => new TmaxAllowance().ms,
} as const;

const IDLE_CLIENT = { inFlight: () => 0, close: () => Promise.resolve() } as const;

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
