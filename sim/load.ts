import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Audience } from './audience.ts';
import { assertLoopback } from './loopback.ts';
import { percentilesOf, type Percentiles } from './percentiles.ts';

/** The longest that a run may be asked for, in milliseconds. */
export const DURATION_MAX_MS = 15 * 60_000;

/** The most requests that a run may be asked for. */
export const REQUESTS_MAX = 5_000_000;

/** What both kinds of load have in common. */
export interface LoadOptions<Body> {
  /** Where to POST; only loopback is accepted. */
  readonly url: string;
  /** The next body: a text goes out as it is, anything else as JSON. */
  readonly next: () => Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long one answer may take, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
  /** The most connections at a time. */
  readonly connections?: number;
  readonly onResponse?: (body: Body, status: number, text: string) => void;
  readonly onError?: (body: Body, code: string) => void;
  /**
   * Who looks at the ads in the answers. The run does not wait for their beacons: that is
   * `audience.settled()`.
   */
  readonly audience?: Audience;
  /** Stops the run early: nothing more is sent, what is under way is awaited. */
  readonly signal?: AbortSignal;
}

/** Workers that each send a request when their last one is answered. */
export interface ClosedLoopOptions<Body> extends LoadOptions<Body> {
  readonly workers: number;
  /** How many requests in all. */
  readonly requests: number;
  /** When to stop even with requests left, in milliseconds; 60,000 by default. */
  readonly durationMaxMs?: number;
}

/** Requests that are sent at their time, whether or not earlier ones have been answered. */
export interface OpenLoopOptions<Body> extends LoadOptions<Body> {
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** Requests under way above which an arrival is counted as shed instead; 10,000 by default. */
  readonly inFlightMax?: number;
}

/** What a run saw. sent = the sum of `statuses` + the sum of `errors`. */
export interface LoadResult {
  readonly sent: number;
  /** Arrivals that were not sent because too many were under way: the client's limit. */
  readonly shed: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** By error code, such as ECONNREFUSED, ECONNRESET or TIMEOUT. */
  readonly errors: Readonly<Record<string, number>>;
  /** Of all answers, whatever their status. In an open loop it counts from the time of arrival. */
  readonly latencyMs: Percentiles;
  readonly latencyMsByStatus: Readonly<Record<string, Percentiles>>;
  readonly durationMs: number;
}

/** Runs a closed loop. Throws a RangeError for a target or a size out of bounds. */
export async function runClosedLoop<Body>(options: ClosedLoopOptions<Body>): Promise<LoadResult> {
  const { workers, requests, durationMaxMs = 60_000 } = options;
  assertBounds({ requests, durationMs: durationMaxMs });
  const run = new Run({ connections: workers, ...options });
  const endsAt = performance.now() + durationMaxMs;
  let left = requests;
  const work = async (): Promise<void> => {
    while (left > 0 && performance.now() < endsAt && !run.stopped) {
      left -= 1;
      await run.send(performance.now());
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return run.finish();
}

/** Runs an open loop. Throws a RangeError for a target or a size out of bounds. */
export async function runOpenLoop<Body>(options: OpenLoopOptions<Body>): Promise<LoadResult> {
  const { ratePerSecond, durationMs, inFlightMax = 10_000 } = options;
  const arrivals = Math.ceil((ratePerSecond * durationMs) / 1000);
  assertBounds({ requests: arrivals, durationMs });
  const run = new Run({ connections: 256, ...options });
  const startedAt = performance.now();
  const timeOf = (arrival: number): number => startedAt + (arrival * 1000) / ratePerSecond;
  const underWay = new Set<Promise<void>>();
  let arrival = 0;
  while (arrival < arrivals && !run.stopped) {
    // After a pause of this process, all that was due meanwhile goes out at once, and late: its
    // latency counts from when it should have been sent.
    for (; arrival < arrivals && timeOf(arrival) <= performance.now(); arrival += 1) {
      if (underWay.size >= inFlightMax) run.shed += 1;
      else {
        const sending = run.send(timeOf(arrival)).finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
    }
    // A short nap, so that a stop does not wait for the next arrival of a slow rate.
    await sleep(Math.min(100, Math.max(1, timeOf(arrival) - performance.now())));
  }
  await Promise.all(underWay);
  return run.finish();
}

function assertBounds({ requests, durationMs }: { requests: number; durationMs: number }): void {
  if (!(requests >= 1 && requests <= REQUESTS_MAX)) {
    throw new RangeError(`a run has 1 to ${REQUESTS_MAX} requests, not ${requests}`);
  }
  if (!(durationMs > 0 && durationMs <= DURATION_MAX_MS)) {
    throw new RangeError(`a run lasts up to ${DURATION_MAX_MS} ms, not ${durationMs}`);
  }
}

/** How one request ended: with an answer, whatever its status, or with an error's code. */
type Outcome = { readonly status: number; readonly text: string } | { readonly code: string };

/** One run: its connections and what it has seen so far. */
class Run<Body> {
  shed = 0;
  readonly #options: LoadOptions<Body>;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #startedAt = performance.now();
  readonly #latenciesMs = new Map<number, number[]>();
  readonly #errors = new Map<string, number>();
  #sent = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: LoadOptions<Body> & { readonly connections: number }) {
    const url = assertLoopback(options.url);
    this.#options = options;
    this.#path = `${url.pathname}${url.search}`;
    this.#timeoutMs = options.timeoutMs ?? 5000;
    this.#pool = new Pool(url.origin, { connections: options.connections, pipelining: 1 });
  }

  get stopped(): boolean {
    return this.#failure !== undefined || this.#options.signal?.aborted === true;
  }

  /** Sends one request and records its end. What a callback throws stops the run and ends it. */
  async send(dueAt: number): Promise<void> {
    try {
      const body = this.#options.next();
      this.#sent += 1;
      this.#record(body, dueAt, await this.#exchange(body));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #record(body: Body, dueAt: number, outcome: Outcome): void {
    if ('code' in outcome) {
      this.#errors.set(outcome.code, (this.#errors.get(outcome.code) ?? 0) + 1);
      this.#options.onError?.(body, outcome.code);
      return;
    }
    const latencyMs = performance.now() - dueAt;
    const known = this.#latenciesMs.get(outcome.status);
    if (known) known.push(latencyMs);
    else this.#latenciesMs.set(outcome.status, [latencyMs]);
    if (outcome.status === 200) this.#options.audience?.receive(body, outcome.text);
    this.#options.onResponse?.(body, outcome.status, outcome.text);
  }

  async #exchange(body: Body): Promise<Outcome> {
    // One absolute deadline: undici's own timeouts would let a body drip for ever.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMs);
    try {
      const response = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: { 'content-type': 'application/json', ...this.#options.headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: deadline.signal,
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      return { code: deadline.signal.aborted ? 'TIMEOUT' : codeOf(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async finish(): Promise<LoadResult> {
    const durationMs = performance.now() - this.#startedAt;
    await this.#pool.destroy();
    if (this.#failure) throw this.#failure.error;
    const byStatus = [...this.#latenciesMs].map(
      ([status, list]) => [String(status), list] as const,
    );
    return {
      sent: this.#sent,
      shed: this.shed,
      statuses: Object.fromEntries(byStatus.map(([status, list]) => [status, list.length])),
      errors: Object.fromEntries(this.#errors),
      latencyMs: percentilesOf(byStatus.flatMap(([, list]) => list)),
      latencyMsByStatus: Object.fromEntries(
        byStatus.map(([status, list]) => [status, percentilesOf(list)]),
      ),
      durationMs,
    };
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
