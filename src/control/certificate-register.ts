import type { CertifiedHost, ReadCertificate, WatchedCertificate } from '../ports/certificates.ts';

const DAY_MS = 86_400_000;
/** A certificate that is well is looked at again after so long; one that is not, at each look. */
const GOOD_FOR_MS = 15 * 60_000;
/** Hosts that are asked at a time. */
const ASKED_AT_ONCE = 8;

export interface CertificateRegisterOptions {
  /** What shows certificates; further lists, such as our own nodes, stand beside it. */
  readonly lists: readonly (() => Promise<readonly CertifiedHost[]>)[];
  readonly read: ReadCertificate;
  /** How long before its end a certificate is said to expire. */
  readonly warnDays: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

interface Seen {
  readonly validToMs: number;
  readonly seenMs: number;
}

/**
 * Until when the certificates are valid that others show us. In memory: each control looks for itself.
 * What cannot be asked keeps what was seen of it last.
 */
export class CertificateRegister {
  readonly #options: CertificateRegisterOptions;
  #hosts: readonly CertifiedHost[] = [];
  #seen = new Map<string, Seen>();
  #hasLooked = false;

  constructor(options: CertificateRegisterOptions) {
    this.#options = options;
  }

  /** Whether it knows which hosts there are; those not seen yet are unknown. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** In the order of their hosts in the lists. */
  get certificates(): WatchedCertificate[] {
    return this.#hosts.map((host) => {
      const { demandPartnerId, of, hostname, port } = host;
      const validToMs = this.#seen.get(keyOf(host))?.validToMs ?? null;
      const state = validToMs === null ? 'unknown' : this.#stateOf(validToMs);
      return { demandPartnerId, of, host: `${hostname}:${port}`, validToMs, state };
    });
  }

  /** Looks at what is new, what is not well, and what was not looked at for long, until the signal ends it. */
  async look(signal: AbortSignal): Promise<void> {
    const { lists, now } = this.#options;
    const hosts = (await Promise.all(lists.map((list) => list()))).flat();
    // Hosts that nobody has any more are forgotten.
    const keys = new Set(hosts.map((host) => keyOf(host)));
    this.#seen = new Map([...this.#seen].filter(([key]) => keys.has(key)));
    this.#hosts = hosts;
    this.#hasLooked = true;
    const due = hosts.filter((host) => {
      const seen = this.#seen.get(keyOf(host));
      if (seen === undefined || this.#stateOf(seen.validToMs) !== 'valid') return true;
      return now() - seen.seenMs >= GOOD_FOR_MS;
    });
    // Some at a time; each is known as soon as it is seen, so that those that hang keep nobody waiting.
    const waiting = due.values();
    const ask = async (): Promise<void> => {
      for (const host of waiting) {
        if (signal.aborted) return;
        // oxlint-disable-next-line no-await-in-loop
        await this.#lookAt(host, signal);
      }
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  }

  async #lookAt(host: CertifiedHost, signal: AbortSignal): Promise<void> {
    const { read, now } = this.#options;
    const validToMs = await read(host, signal);
    if (validToMs !== null) this.#seen.set(keyOf(host), { validToMs, seenMs: now() });
  }

  #stateOf(validToMs: number): WatchedCertificate['state'] {
    const { warnDays, now } = this.#options;
    const leftMs = validToMs - now();
    if (leftMs <= 0) return 'expired';
    return leftMs <= warnDays * DAY_MS ? 'expiring' : 'valid';
  }
}

function keyOf({ demandPartnerId, hostname, port }: CertifiedHost): string {
  return `${demandPartnerId ?? ''} ${hostname}:${port}`;
}
