import { Counter, Histogram, type Registry } from 'prom-client';
import type { DecidedAuction } from './decided-auction.ts';

/** Upper bounds in seconds; an auction without bidders takes one, one at its deadline hundreds of ms. */
const AUCTION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2];

/** The counters of the exchange role. */
export interface ExchangeMetrics {
  countAuction(auction: DecidedAuction, durationMs: number): void;
  /** An ad request that did not become a recorded auction: nobody was told a price. */
  countFailed(reason: FailedOutcome): void;
  /** An ad request that the process had no time for. */
  countRefused(reason: OverloadReason): void;
  /** A step of an auction threw; the auction has ended all the same. */
  countFault(): void;
}

/** Why an ad request failed: refused, or not answered with an auction's outcome. */
export type FailedOutcome =
  | 'invalid'
  | 'aborted'
  | 'not_ready'
  | 'overloaded'
  | 'unrecorded'
  | 'internal';

/**
 * Why there is no time for an ad request: too many auctions are under way, the process's time is spent, or
 * its publisher's part of it is; or its own time was over when it began.
 */
export type OverloadReason = 'full' | 'busy' | 'share' | 'late';

export function createExchangeMetrics(registry: Registry): ExchangeMetrics {
  const auctions = new Tally(registry, {
    name: 'rialto_auctions_total',
    help: 'Ad requests by outcome: filled, unfilled, or why no auction counts (invalid, aborted by the client, not_ready, overloaded, unrecorded, internal).',
    labelNames: ['outcome'],
  });
  const refused = new Tally(registry, {
    name: 'rialto_auctions_refused_total',
    help: "Ad requests that the process had no time for (outcome overloaded), by reason: its time is spent (busy), or its publisher's part of it (share); auctions under way are as many as may be (full); the publisher's tmax was over before it began (late).",
    labelNames: ['reason'],
  });
  const impressions = new Tally(registry, {
    name: 'rialto_impressions_offered_total',
    help: 'Impressions of recorded auctions, by whether somebody won them.',
    labelNames: ['filled'],
  });
  const calls = new PartnerTally(registry, {
    name: 'rialto_bid_requests_total',
    help: 'Planned bid requests by demand partner and outcome; throttled ones were not sent.',
    labelNames: ['demand_partner', 'outcome', 'reason'],
  });
  const bids = new PartnerTally(registry, {
    name: 'rialto_bids_total',
    help: 'Bids by demand partner and OpenRTB loss reason code; 0 won.',
    labelNames: ['demand_partner', 'reason'],
  });
  const invalid = new Tally(registry, {
    name: 'rialto_invalid_traffic_total',
    help: 'Recorded auctions for what is no person, by kind (spider, datacenter) and treatment (ignore, mark: not billed, refuse: nobody was asked).',
    labelNames: ['kind', 'treatment'],
  });
  const faults = new Counter({
    name: 'rialto_auction_faults_total',
    help: 'Steps of auctions that threw an error, which is in the log: more than 0 is a defect. The auction is recorded all the same, without a winner if it was decided by then.',
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'rialto_auction_duration_seconds',
    help: 'Time from an ad request to its recorded auction, in seconds.',
    buckets: AUCTION_SECONDS,
    registers: [registry],
  });
  return {
    countAuction(auction, durationMs) {
      auctions.add(auction.winners.size > 0 ? 'filled' : 'unfilled');
      const { traffic } = auction;
      if (traffic !== null) invalid.add(`${traffic.kind} ${traffic.treatment}`);
      for (const slot of auction.slots) {
        impressions.add(auction.winners.has(slot.imp.slot) ? 'true' : 'false');
      }
      for (const { call, outcome, reason } of auction.results) {
        calls.add(call.partner.id, reason === '' ? outcome : `${outcome} ${reason}`);
      }
      for (const { result, reason } of auction.bids) bids.add(result.call.partner.id, reason);
      seconds.observe(durationMs / 1000);
    },
    countFailed(reason) {
      auctions.add(reason);
    },
    countRefused(reason) {
      auctions.add('overloaded');
      refused.add(reason);
    },
    countFault() {
      faults.inc();
    },
  };
}

interface TallyOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
}

/**
 * Counts in a plain map, which costs a tenth of a counter with labels, and becomes a counter when
 * somebody reads it. A key is the values of the labels, with a space between them.
 */
class Tally {
  readonly #counts = new Map<string, number>();

  constructor(registry: Registry, options: TallyOptions) {
    registerCounter(registry, options, () => this.#counts);
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/**
 * The same by demand partner, whose id is the first label. Nothing is joined to be counted: a key is what stands in
 * the auction, the values of the other labels, of which the last may be missing.
 */
class PartnerTally {
  readonly #counts = new Map<number, Map<string | number, number>>();

  constructor(registry: Registry, options: TallyOptions) {
    const counts = this.#counts;
    registerCounter(registry, options, function* joined() {
      for (const [partner, keys] of counts) {
        for (const [key, count] of keys) yield [`${partner} ${key}`, count];
      }
    });
  }

  add(partner: number, key: string | number): void {
    let counts = this.#counts.get(partner);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(partner, counts);
    }
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function registerCounter(
  registry: Registry,
  options: TallyOptions,
  read: () => Iterable<[key: string, count: number]>,
): void {
  const counter: Counter = new Counter({
    ...options,
    registers: [registry],
    collect() {
      counter.reset();
      for (const [key, count] of read()) {
        const values = key.split(' ');
        while (values.length < options.labelNames.length) values.push('');
        counter.labels(...values).inc(count);
      }
    },
  });
}
