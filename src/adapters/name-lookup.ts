import dns from 'node:dns';
import type { LookupFunction } from 'node:net';

/** How long one question to a name server may take, and how often it is asked. */
const QUESTION_MS = 1_000;
const TRIES = 1;

/** Lookups by the system that may be under way at a time; libuv gives names two of its threads. */
const SYSTEM_LOOKUPS_MAX = 1;

/** What of a resolver is used; `node:dns` has it. */
export interface NameServers {
  resolve4(hostname: string, callback: Answered): void;
  resolve6(hostname: string, callback: Answered): void;
}

type Answered = (error: NodeJS.ErrnoException | null, addresses: string[]) => void;

export interface NameLookupOptions {
  readonly servers?: NameServers;
  readonly system?: LookupFunction;
}

/**
 * Looks names up without a thread for each: the system's own lookup takes one of the few that libuv
 * has for names until the name server answers, so that two names whose server never does would keep
 * everybody else's from being found. Names without a dot, and such as only the system knows (its hosts
 * file), are asked of the system, one at a time.
 */
export function createNameLookup(options: NameLookupOptions = {}): LookupFunction {
  const { servers = new dns.Resolver({ timeout: QUESTION_MS, tries: TRIES }) } = options;
  const { system = dns.lookup } = options;
  let underway = 0;
  const askSystem: LookupFunction = (hostname, lookupOptions, callback) => {
    underway += 1;
    system(hostname, lookupOptions, (...answer) => {
      underway -= 1;
      callback(...answer);
    });
  };
  return (hostname, lookupOptions, callback) => {
    if (!hostname.includes('.')) {
      askSystem(hostname, lookupOptions, callback);
      return;
    }
    askServers(servers, hostname, (error, found) => {
      if (error === null) {
        callback(null, found);
      } else if (error.code !== dns.TIMEOUT && underway < SYSTEM_LOOKUPS_MAX) {
        askSystem(hostname, lookupOptions, callback);
      } else {
        callback(error, []);
      }
    });
  };
}

/** Addresses of both families; an error when there is none of either. */
function askServers(
  servers: NameServers,
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void,
): void {
  const found: dns.LookupAddress[] = [];
  let failure: NodeJS.ErrnoException | null = null;
  let left = 2;
  const take =
    (family: 4 | 6): Answered =>
    (error, addresses) => {
      left -= 1;
      // A server that did not answer says more than one that knows no such address.
      if (error !== null && failure?.code !== dns.TIMEOUT) failure = error;
      if (error === null) for (const address of addresses) found.push({ address, family });
      if (left > 0) return;
      found.sort((a, b) => a.family - b.family);
      if (found.length > 0) done(null, found);
      else done(failure ?? new Error(`${hostname} has no address.`), []);
    };
  servers.resolve4(hostname, take(4));
  servers.resolve6(hostname, take(6));
}
