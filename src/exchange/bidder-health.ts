import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Breaker, type BreakerWatcher } from './breaker.ts';
import type { CallResult } from './call.ts';
import { LatencyCounts, registerHealthMetrics, type BidderFigures } from './health-metrics.ts';
import { ALLOWANCE_MAX_MS, TmaxAllowance } from './tmax-allowance.ts';

/** How the bidders fare, as this process sees them. */
export interface BidderHealth {
  /**
   * Asks whether a partner's bidder may be called. To be let through may be a probe, so only a call
   * that is then made may ask.
   *
   * @returns why it must not be called; null when it may.
   */
  admit(partnerId: number, nowMs: number): 'unhealthy' | null;
  /** Takes note of what became of a call that was let through, also if it was not sent. */
  observe(result: CallResult, nowMs: number): void;
  /** A timed-out call was answered after all, so long after it was sent. */
  observeLate(partnerId: number, latencyMs: number, tmaxMs: number): void;
  /** What to take off the time left when a bidder is told its `tmax`: the way there and back. */
  allowanceMs(partnerId: number): number;
}

export interface BidderHealthOptions {
  readonly registry: Registry;
  /** Told once when a bidder is no longer called, and once when it is again. */
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Calls to an endpoint whose connection is in use; `BidderClient.inFlight`. */
  readonly inFlight: (endpoint: string) => number;
  /** The monotonic clock that calls are timed with, in milliseconds. */
  readonly now: () => number;
}

export function createBidderHealth(options: BidderHealthOptions): BidderHealth {
  const { registry, logger, inFlight, now } = options;
  const patients = new Map<number, Patient>();
  registerHealthMetrics(registry, function* readFigures() {
    for (const patient of patients.values()) yield patient.figures(now(), inFlight);
  });
  const patientOf = (partnerId: number): Patient => {
    let patient = patients.get(partnerId);
    if (patient === undefined) {
      patient = new Patient(partnerId, logger);
      patients.set(partnerId, patient);
    }
    return patient;
  };
  return {
    admit: (partnerId, nowMs) => (patientOf(partnerId).breaker.admit(nowMs) ? null : 'unhealthy'),
    observe: (result, nowMs) => patientOf(result.call.partner.id).observe(result, nowMs),
    observeLate: (partnerId, latencyMs, tmaxMs) =>
      patientOf(partnerId).allowance.late(latencyMs, tmaxMs),
    allowanceMs: (partnerId) => patientOf(partnerId).allowance.ms,
  };
}

/** How much of the bidder's usual time a new answer says. */
const USUAL_WEIGHT = 1 / 16;
/** A deadline may be called so much early. */
const DEADLINE_EARLY_MS = 1;
/** The deadline is at most 50 ms after what was told; a timeout 20 ms after it was noticed late. */
const NOTICED_LATE_MS = ALLOWANCE_MAX_MS + 20;
/** A bidder that has not answered in time for so long is not excused any more. */
const EXCUSED_WITHIN_MS = 5_000;

/** One demand partner's bidder. Of fixed shape: a call changes numbers and allocates nothing. */
class Patient implements BreakerWatcher {
  readonly breaker = new Breaker(this);
  readonly allowance = new TmaxAllowance();
  readonly #latencies = new LatencyCounts();
  readonly #partnerId: number;
  readonly #logger: BidderHealthOptions['logger'];
  #endpoint = '';
  /** How long its answers take that come in time, in milliseconds. */
  #usualMs = 0;
  #answeredMs = Number.NEGATIVE_INFINITY;
  /** What its last call failed with: outcome and reason. */
  #outcome = '';
  #reason = '';

  constructor(partnerId: number, logger: BidderHealthOptions['logger']) {
    this.#partnerId = partnerId;
    this.#logger = logger;
  }

  observe(result: CallResult, nowMs: number): void {
    const { outcome, reason, sent } = result;
    if (outcome === 'throttled' || sent === null) {
      this.breaker.giveBack();
      return;
    }
    this.#endpoint = result.call.bidder.endpoint;
    const latencyMs = result.latencyUs / 1000;
    if (result.status !== 0) this.#latencies.add(latencyMs);
    if (outcome === 'bid' || (outcome === 'no_bid' && !isSpoiled(reason))) {
      const isFirst = this.#answeredMs === Number.NEGATIVE_INFINITY;
      this.#usualMs += (latencyMs - this.#usualMs) * (isFirst ? 1 : USUAL_WEIGHT);
      this.#answeredMs = nowMs;
      this.allowance.answered(latencyMs, sent.tmaxMs);
      this.breaker.succeeded(sent.atMs, nowMs);
    } else if (outcome !== 'timeout' || !this.#isExcused(result, sent.tmaxMs, nowMs)) {
      this.#outcome = outcome;
      this.#reason = reason;
      this.breaker.failed(sent.atMs, nowMs);
    }
  }

  /**
   * A timeout says nothing of a bidder that got less time than was agreed, and less than it takes
   * when it has enough; nor one that this process was too busy to notice in time. As long as the
   * bidder answers now and then: else there is nobody to be excused.
   */
  #isExcused({ call, latencyUs }: CallResult, tmaxMs: number, nowMs: number): boolean {
    const answersAtTimes = nowMs - this.#answeredMs < EXCUSED_WITHIN_MS;
    if (!answersAtTimes && !this.breaker.isOpen) return false;
    const latencyMs = latencyUs / 1000;
    const hadAgreedTime = latencyMs >= call.bidder.timeoutMs - DEADLINE_EARLY_MS;
    const hadUsualTime = tmaxMs >= this.#usualMs;
    return latencyMs > tmaxMs + NOTICED_LATE_MS || (!hadAgreedTime && !hadUsualTime);
  }

  opened(inARow: number, failing: number): void {
    this.#logger.warn(
      {
        demandPartnerId: this.#partnerId,
        endpoint: this.#endpoint,
        failuresInARow: inARow,
        failingShare: Math.round(failing * 100) / 100,
        lastFailure: [this.#outcome, this.#reason].filter((word) => word !== '').join(' '),
      },
      'a bidder fails and is only probed, once a second',
    );
  }

  closed(openMs: number): void {
    this.#logger.info(
      { demandPartnerId: this.#partnerId, openSeconds: Math.round(openMs / 100) / 10 },
      'a bidder answers its probes and is called again',
    );
  }

  figures(nowMs: number, inFlight: (endpoint: string) => number): BidderFigures {
    return {
      demandPartner: String(this.#partnerId),
      breakerOpen: this.breaker.isOpen,
      calledShare: this.breaker.share(nowMs),
      probes: this.breaker.probes,
      allowanceMs: this.allowance.ms,
      inFlight: inFlight(this.#endpoint),
      latencies: this.#latencies,
    };
  }
}

/** Nothing can be done with such an answer, and nobody meant it so: it is no bid, and a failure. */
export function isSpoiled(reason: string): boolean {
  return reason === 'malformed' || reason === 'oversized';
}
