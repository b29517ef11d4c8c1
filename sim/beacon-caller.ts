import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** How a beacon is repeated until it is acknowledged. */
export interface Patience {
  /** How often one beacon is tried. */
  readonly triesMax: number;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The wait after the first failure; it doubles with each further one, up to `retryLastMs`. */
  readonly retryFirstMs: number;
  readonly retryLastMs: number;
}

/** About half a minute in all: longer than a killed tracker takes to be back. */
export const DEFAULT_PATIENCE: Patience = {
  triesMax: 20,
  timeoutMs: 3000,
  retryFirstMs: 100,
  retryLastMs: 2000,
};

/** How a beacon ended. */
export type BeaconEnd =
  /** A 2xx, or the redirect of a click, which is not followed. */
  | { readonly kind: 'acknowledged'; readonly status: number; readonly tries: number }
  /** A status that says that no repetition will help. */
  | { readonly kind: 'refused'; readonly status: number; readonly tries: number }
  /** No acknowledgement in all its tries, or stopped: it may have counted, or not. */
  | { readonly kind: 'abandoned'; readonly reason: string; readonly tries: number };

/** Calls beacons as a page does, by GET, without credentials or redirects. */
export class BeaconCaller {
  readonly #patience: Patience;
  readonly #agent: Agent;
  readonly #stopping = new AbortController();

  /** @param connections the most at a time. */
  constructor(patience: Patience = DEFAULT_PATIENCE, connections = 64) {
    this.#patience = patience;
    this.#agent = new Agent({ connections, pipelining: 1 });
  }

  /** Calls a beacon until it is acknowledged. */
  async call(url: URL): Promise<BeaconEnd> {
    const { triesMax, retryFirstMs, retryLastMs } = this.#patience;
    let [tries, waitMs, reason] = [0, retryFirstMs, 'stopped'];
    while (tries < triesMax && !this.#stopping.signal.aborted) {
      tries += 1;
      const outcome = await this.#try(url);
      if (typeof outcome === 'string') reason = outcome;
      else if (isAcknowledged(outcome)) return { kind: 'acknowledged', status: outcome, tries };
      else if (isFinal(outcome)) return { kind: 'refused', status: outcome, tries };
      else reason = String(outcome);
      if (tries < triesMax) await this.#wait(waitMs);
      waitMs = Math.min(retryLastMs, 2 * waitMs);
    }
    return { kind: 'abandoned', reason, tries };
  }

  /** Ends what is under way, which is then abandoned. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#agent.destroy();
  }

  /** The status of the whole answer, or the code of the error that came instead. */
  async #try(url: URL): Promise<number | string> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#patience.timeoutMs);
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: this.#agent,
        signal: deadline.signal,
      });
      await body.dump();
      return statusCode;
    } catch (error) {
      if (deadline.signal.aborted) return 'TIMEOUT';
      if (!(error instanceof Error)) return 'UNKNOWN';
      return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns early when it is told to stop. */
  async #wait(waitMs: number): Promise<void> {
    await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

function isAcknowledged(status: number): boolean {
  return (status >= 200 && status < 300) || status === 302;
}

/** RFC 9110: these three of the client errors say that the same request may succeed later. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 421, 429]);

function isFinal(status: number): boolean {
  return status < 500 && !MAY_PASS.has(status);
}
