import { BoundedCache } from '../base/bounded-cache.ts';
import { parseIpAddress } from '../privacy/ip-address.ts';
import { Allowance } from './allowance.ts';

/** Wrong secrets for one client id from one address: ten, then one every ten seconds. */
const PAIR_RATE = { atOnce: 10, refillMs: 10_000 };
/** From one address for all client ids: several programs behind it may be misconfigured. */
export const ADDRESS_RATE = { atOnce: 50, refillMs: 2_000 };
/** For one client id from all addresses that are strange to it: ten times what one of them may use. */
const CLIENT_RATE = { atOnce: 100, refillMs: 1_000 };

/** How long an address is known to be a client's after its right secret came from there. */
const KNOWN_FOR_MS = 86_400_000;
const KNOWN_PAIRS_MAX = 16_384;

/** Households and servers get this much of an IPv6 address to choose the rest of by themselves. */
const IPV6_NETWORK_BYTES = 8;

/** Who tries, and from where. */
export interface Attempt {
  readonly clientId: string;
  /** The network of the client's address; see `networkOf`. */
  readonly network: string;
}

/**
 * Keeps secrets from being guessed without locking out those who know theirs. Only wrong secrets
 * count. An address from which a client's right secret has come is held to that pair's own
 * allowance alone, so that neither strangers' wrong secrets nor those of other programs at the same
 * address keep it out. A strange address is held to the three allowances together; the client's is
 * used up by ten addresses or more, never by one.
 */
export class GuessThrottle {
  readonly #pairs = new Allowance(PAIR_RATE);
  readonly #addresses = new Allowance(ADDRESS_RATE);
  readonly #clients = new Allowance(CLIENT_RATE);
  /** When the right secret last came, by pair. */
  readonly #known = new BoundedCache<number>(KNOWN_PAIRS_MAX);

  /** How long the attempt has to wait; 0 when it may be made now. */
  waitMs(attempt: Attempt, nowMs: number): number {
    const pairMs = this.#pairs.waitMs(keyOf(attempt), nowMs);
    if (this.#isKnown(attempt, nowMs)) return pairMs;
    const addressMs = this.#addresses.waitMs(attempt.network, nowMs);
    return Math.max(pairMs, addressMs, this.#clients.waitMs(attempt.clientId, nowMs));
  }

  /**
   * Counts an attempt as wrong before it is known to be: a thousand at the same time would
   * otherwise all be made.
   *
   * @returns what takes it back when the secret was right, or was not looked at.
   */
  take(attempt: Attempt, nowMs: number): () => void {
    const pair = keyOf(attempt);
    this.#pairs.take(pair, nowMs);
    if (this.#isKnown(attempt, nowMs)) return () => this.#pairs.giveBack(pair);
    this.#addresses.take(attempt.network, nowMs);
    this.#clients.take(attempt.clientId, nowMs);
    return () => {
      this.#pairs.giveBack(pair);
      this.#addresses.giveBack(attempt.network);
      this.#clients.giveBack(attempt.clientId);
    };
  }

  /** The client's right secret has come from this address. */
  noteRight(attempt: Attempt, nowMs: number): void {
    this.#known.set(keyOf(attempt), nowMs);
  }

  #isKnown(attempt: Attempt, nowMs: number): boolean {
    const sinceMs = this.#known.get(keyOf(attempt));
    return sinceMs !== undefined && nowMs - sinceMs < KNOWN_FOR_MS;
  }
}

/** An address as it is counted: IPv4 as it is, of IPv6 the first 64 bits; others are all the same. */
export function networkOf(address: string | null): string {
  const parsed = address === null ? null : parseIpAddress(address);
  if (parsed === null) return 'unknown';
  const bytes = parsed.toByteArray();
  return bytes.length === 4
    ? parsed.toString()
    : Buffer.from(bytes.slice(0, IPV6_NETWORK_BYTES)).toString('hex');
}

/** A network has no space in it. */
function keyOf({ clientId, network }: Attempt): string {
  return `${network} ${clientId}`;
}
