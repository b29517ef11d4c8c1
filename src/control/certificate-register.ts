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
  readonly host: CertifiedHost;
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
  #seen: ReadonlyMap<string, Seen> = new Map();
  #hasLooked = false;

  constructor(options: CertificateRegisterOptions) {
    this.#options = options;
  }

  /** Whether it has looked at all of them once. */
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

  /** Looks at what is new, what is not well, and what was not looked at for long. */
  async look(): Promise<void> {
    const { lists, now } = this.#options;
    const hosts = (await Promise.all(lists.map((list) => list()))).flat();
    const before = this.#seen;
    const due = hosts.filter((host) => {
      const seen = before.get(keyOf(host));
      if (seen === undefined || this.#stateOf(seen.validToMs) !== 'valid') return true;
      return now() - seen.seenMs >= GOOD_FOR_MS;
    });
    const found = new Map<string, Seen>();
    for (let at = 0; at < due.length; at += ASKED_AT_ONCE) {
      const asked = due.slice(at, at + ASKED_AT_ONCE).map((host) => this.#lookAt(host));
      // Some at a time.
      // oxlint-disable-next-line no-await-in-loop
      for (const seen of await Promise.all(asked)) {
        if (seen !== null) found.set(keyOf(seen.host), seen);
      }
    }
    // Hosts that nobody has any more are forgotten.
    this.#hosts = hosts;
    this.#hasLooked = true;
    this.#seen = new Map(
      hosts.flatMap((host): [string, Seen][] => {
        const seen = found.get(keyOf(host)) ?? before.get(keyOf(host));
        return seen === undefined ? [] : [[keyOf(host), seen]];
      }),
    );
  }

  async #lookAt(host: CertifiedHost): Promise<Seen | null> {
    const { read, now } = this.#options;
    const validToMs = await read(host);
    return validToMs === null ? null : { host, validToMs, seenMs: now() };
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
