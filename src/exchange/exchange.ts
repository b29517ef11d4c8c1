import { definedField, listField } from '../base/fields.ts';
import type { Problem } from '../base/problem.ts';
import type { BidResponse } from '../openrtb/bid-response.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { WonImp } from '../events/beacon-record.ts';
import type { BidderClient } from '../ports/bidder-client.ts';
import type { NoticeClient } from '../ports/notice-client.ts';
import type { AuctionLimits } from '../limits/auction-limits.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { Matches } from '../matching/match.ts';
import { allowsStorage, privacyFor } from '../privacy/effects.ts';
import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import type { BidderHealth } from './bidder-health.ts';
import { biddableFormats } from './biddable.ts';
import { Composer } from './compose.ts';
import type { CreativeLog } from './creative-log.ts';
import { endAuction, releaseAll, type EndedAuction } from './end-auction.ts';
import { fanOut } from './fan-out.ts';
import { gatherFacts, traitsOf, type Caller, type Enrichment, type Facts } from './facts.ts';
import { keepsakesOf, type Keepsake } from './keepsakes.ts';
import type { Market } from './market.ts';
import { MarkupMemory } from './markup-memory.ts';
import type { ExchangeMetrics } from './metrics.ts';
import { withNamedPlace } from './named-place.ts';
import { planCalls, type PlannedCall, type PlanRules } from './plan.ts';
import type { CalledAuction, DecidedAuction } from './decided-auction.ts';
import { publisherDecides, recordWonImp, type AuctionLines } from './record.ts';
import { Reservations } from './reservations.ts';
import type { WinnerBeacons } from './respond.ts';
import type { NameSeat } from './seat-non-bids.ts';
import { narrowSeats, seatRulesOf } from './seats.ts';
import { findSlots, type Slot } from './slots.ts';
import { treatmentOf } from './treatment.ts';
import type { Winner } from './winners.ts';

/** Kept back from the publisher's `tmax` for deciding, recording and the way back. */
const RESPONSE_RESERVE_MS = 10;
/** Tests of one process that keep their messages. */
const TEST_MESSAGES_PER_SECOND = 10;

/** Where records go; `append` calls back once the kernel has the line, or with why it has not. */
export interface RecordSink {
  append(line: string, done?: (error: Error | null) => void): void;
}

/** What the exchange works with. Clocks and chance come from outside, so that tests can hold them. */
export interface ExchangeParts {
  readonly client: BidderClient;
  /** Calls the win notices that bring markup; all others are the courier's. */
  readonly noticeClient: NoticeClient;
  /** Seals what a page calls for one winner. */
  readonly seal: (imp: WonImp, notices: WonNotices) => WinnerBeacons;
  /** Names a demand partner to a publisher that is not to know who it is. */
  readonly nameSeat: NameSeat;
  /** Incarnation of the node's data directory. */
  readonly node: string;
  readonly money: RecordSink;
  /** Why a record of money that is made now would not be written; null where it can be expected to be. */
  readonly unwritable: () => Error | null;
  readonly trace: RecordSink;
  readonly enrichment: Enrichment;
  readonly metrics: ExchangeMetrics;
  readonly limits: AuctionLimits;
  readonly health: BidderHealth;
  readonly creatives: CreativeLog;
  /** Told what no step of an auction should throw; the auction goes on without what failed. */
  readonly onFault: (error: unknown) => void;
  readonly createAuctionId: () => string;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
}

/** What the beacons of a winner make due, macros substituted; empty for none. */
export interface WonNotices {
  readonly nurl: string;
  readonly burl: string;
}

const NO_NOTICES: WonNotices = { nurl: '', burl: '' };

/** What a publisher's request comes to. */
export type AuctionAnswer =
  | {
      readonly kind: 'filled';
      readonly response: BidResponse;
      /** For the user's browser, where the request came from one; left out where there is none. */
      readonly keepsakes?: readonly Keepsake[];
    }
  | {
      readonly kind: 'unfilled';
      /** By which it can be explained; a response has it as `bidid`. */
      readonly auctionId: string;
      /** Left out unless the publisher is told what lost. */
      readonly response?: BidResponse;
      readonly keepsakes?: readonly Keepsake[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not_ready' }
  /** Its time was over before it began: whoever asked has gone on without an answer. */
  | { readonly kind: 'late' }
  /** The record could not be written, so the auction does not count and nobody may be told of it. */
  | { readonly kind: 'unrecorded'; readonly error: Error };

/** A valid request and the market that it came to. */
interface AskedAuction {
  readonly request: IncomingRequest;
  readonly facts: Facts;
  /** What the browser's cookie holds of it; undefined where none was read. */
  readonly matches: Matches | undefined;
  readonly market: Market;
  readonly slots: readonly [Slot, ...Slot[]];
  /** When the request arrived, on the monotonic clock. */
  readonly startMs: number;
  readonly isFinal: boolean;
}

/** Holds auctions: the life of an ad request from its validated body to its answer. */
export class Exchange {
  readonly #parts: ExchangeParts;
  #market: Market | null = null;
  readonly #lateMarkup: MarkupMemory;
  /** Anybody may ask for tests, whose messages are large. */
  readonly #tests = createRateLimiter((_, ratePerSecond) => ratePerSecond);

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#lateMarkup = new MarkupMemory(parts.now);
  }

  /** The market that the next auctions use; those under way keep theirs. */
  get market(): Market | null {
    return this.#market;
  }

  useMarket(market: Market): void {
    this.#market = market;
  }

  /** Why auctions cannot be recorded at the moment, so that none is held; null where they can. */
  unrecordable(): Error | null {
    return this.#parts.unwritable();
  }

  /**
   * Holds the auction of one ad request.
   *
   * @param startMs when the request arrived, on the monotonic clock.
   * @param isFinal the winner is shown, whoever else might decide: a tag has nobody to choose.
   */
  async hold(
    incoming: IncomingRequest,
    caller: Caller,
    startMs: number,
    isFinal = false,
  ): Promise<AuctionAnswer> {
    const market = this.#market;
    const { metrics, now } = this.#parts;
    if (market === null) {
      metrics.countFailed('not_ready');
      return { kind: 'not_ready' };
    }
    const request = withNamedPlace(incoming, market);
    const facts = gatherFacts(request, caller, this.#parts.enrichment);
    const { secure, countryAlpha2: country, os } = facts;
    const found = findSlots(request, market, { secure, country, os });
    if (!found.ok) {
      metrics.countFailed('invalid');
      return { kind: 'invalid', problems: found.problems };
    }
    const [first, ...others] = found.value;
    if (first === undefined) throw new Error('a valid request without an impression');
    const slots: readonly [Slot, ...Slot[]] = [first, ...others];

    // Bidders would be asked for bids in an auction that nobody may be told of.
    const obstacle = this.unrecordable();
    if (obstacle !== null) {
      metrics.countFailed('unrecorded');
      return { kind: 'unrecorded', error: obstacle };
    }
    if (now() - startMs >= tmaxOf(request, market)) {
      metrics.countRefused('late');
      return { kind: 'late' };
    }
    const reservations = new Reservations(this.#parts.limits);
    const { matches } = caller.user ?? {};
    const called = await this.#ask({ request, facts, matches, market, slots, startMs, isFinal });
    const ended = await endAuction(called, {
      client: this.#parts.noticeClient,
      lateMarkup: this.#lateMarkup,
      node: this.#parts.node,
      reservations,
      seal: (auction, winner) => this.#seal(auction, winner),
      nameSeat: this.#parts.nameSeat,
      mayKeepTest: () => this.#tests.take('messages', TEST_MESSAGES_PER_SECOND, startMs),
      onFault: this.#onFault,
      now,
    });
    const error = await this.#record(ended.lines);
    if (error !== null) {
      releaseAll(reservations, this.#onFault);
      metrics.countFailed('unrecorded');
      return { kind: 'unrecorded', error };
    }
    return this.#answer(ended);
  }

  /** Asks the bidders; from here on the auction ends in one record. */
  async #ask(asked: AskedAuction): Promise<CalledAuction> {
    const { request, facts, market, slots, startMs } = asked;
    const { client, now } = this.#parts;
    const id = this.#parts.createAuctionId();
    const atMs = this.#parts.unixTime();
    const decides = !asked.isFinal && publisherDecides(request, slots[0].space.publisher);
    const { exchange: settings } = market.snapshot;
    const traffic = treatmentOf(facts.invalidTraffic, settings, slots[0].space.publisher);
    // Nobody is asked, and the auction ends at once; its record keeps the reports honest.
    const isRefused = traffic?.treatment === 'refuse';
    const calls = isRefused ? [] : this.#plan({ market, slots, request, facts });
    const tmaxMs = tmaxOf(request, market);
    const deadlineMs = startMs + tmaxMs - RESPONSE_RESERVE_MS;
    const results = await fanOut({
      auctionId: id,
      calls,
      composer: new Composer({
        request,
        slots,
        facts,
        exchange: settings,
        publisherDecides: decides,
        matches: mayKeep({ market, facts }) ? asked.matches : undefined,
      }),
      client,
      health: this.#parts.health,
      giveBackQps: (call) => this.#giveBackQps(call),
      onFault: this.#onFault,
      deadlineMs: deadlineMs - this.#lateMarkup.reserveMs(calls, tmaxMs),
      now,
    });
    const auction = { id, atMs, startMs, deadlineMs, tmaxMs, request, market, slots, facts };
    return { ...auction, results, publisherDecides: decides, traffic };
  }

  #plan(
    auction: Pick<DecidedAuction, 'market' | 'slots' | 'facts' | 'request'>,
  ): readonly PlannedCall[] {
    const { market, slots, facts, request } = auction;
    const { limits, health, now } = this.#parts;
    const nowMs = now();
    const seats = seatRulesOf(request);
    return planCalls(market, slots, {
      match: (slot) => narrowSeats(market.eligibility.match(traitsOf(slot, facts)), seats),
      biddableFormats: (slot, bidder) => biddableFormats(slot, { bidder, os: facts.os }),
      effectsFor: (bidder) => privacyFor(facts.signals, bidder.gvlId),
      takeBidderQps: (partner, { maxQps }) =>
        maxQps === null || limits.takeQps(partnerKey(partner), maxQps, nowMs),
      takeLineItemQps: (lineItem) => {
        const { maxQps } = lineItem.capping;
        return maxQps === null || limits.takeQps(lineItemKey(lineItem), maxQps, nowMs);
      },
      giveBackQps: (call) => this.#giveBackQps(call),
      budget: (lineItem) => (request.test === 1 ? null : limits.budget(lineItem)),
      admit: ({ id }) => health.admit(id, nowMs),
      test: request.test === 1,
    });
  }

  #giveBackQps({ partner, lineItems }: Parameters<PlanRules['giveBackQps']>[0]): void {
    const { limits } = this.#parts;
    for (const lineItem of lineItems) limits.giveBackQps(lineItemKey(lineItem));
    if (partner !== null) limits.giveBackQps(partnerKey(partner));
  }

  /** What is sealed of a test, or of marked traffic, makes nothing due. */
  #seal(auction: DecidedAuction, winner: Winner): WinnerBeacons {
    const imp = recordWonImp(auction, winner);
    const { nurl, burl } = winner;
    return this.#parts.seal(imp, imp.test === 1 ? NO_NOTICES : { nurl, burl });
  }

  /** Resolves when the money stream has the record; whether the trace got there nobody asks. */
  #record({ money, trace }: AuctionLines): Promise<Error | null> {
    try {
      if (trace !== null) this.#parts.trace.append(trace);
    } catch (error) {
      this.#onFault(error);
    }
    return new Promise((resolve) => {
      try {
        this.#parts.money.append(money, resolve);
      } catch (error) {
        this.#onFault(error);
        resolve(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** The auction counts: whatever fails now, the publisher gets what is on record. */
  #answer({ auction, response }: EndedAuction): AuctionAnswer {
    let keepsakes: readonly Keepsake[] = [];
    try {
      this.#parts.metrics.countAuction(auction, this.#parts.now() - auction.startMs);
      if (auction.request.test !== 1) this.#parts.creatives.note(auction);
      if (mayKeep(auction)) keepsakes = keepsakesOf(auction.results);
    } catch (error) {
      this.#onFault(error);
    }
    const kept = listField('keepsakes', keepsakes);
    if (response !== null && auction.winners.size > 0) return { kind: 'filled', response, ...kept };
    const told = definedField('response', response);
    return { kind: 'unfilled', auctionId: auction.id, ...told, ...kept };
  }

  /** An arrow, because it goes to others. */
  readonly #onFault = (error: unknown): void => {
    this.#parts.metrics.countFault();
    this.#parts.onFault(error);
  };
}

/** Whether the exchange's cookie may be used at all. */
function mayKeep({ market, facts }: Pick<DecidedAuction, 'market' | 'facts'>): boolean {
  return allowsStorage(facts.signals, market.snapshot.exchange.gvlId);
}

function partnerKey({ id }: DemandPartner): string {
  return `partner ${id}`;
}

function lineItemKey({ id }: LineItem): string {
  return `line item ${id}`;
}

/** The time for an auction: the publisher's, within the exchange's bounds. */
function tmaxOf(request: IncomingRequest, market: Market): number {
  const { tmaxDefaultMs, tmaxMaxMs } = market.snapshot.exchange;
  return Math.min(request.tmax ?? tmaxDefaultMs, tmaxMaxMs);
}
