import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Service, type Script } from './bidder-service.ts';
import { assertFaultRates } from './faults.ts';
import { Ledger, type BidderCounts, type ReceivedNotice, type ReceivedRequest } from './ledger.ts';
import type { Matched } from './match-service.ts';
import { assertNoticeFaultRates, type NoticeFailure } from './notice-faults.ts';
import type { NoticeLedger } from './notice-ledger.ts';
import { DEFAULT_PROFILE, type BidderProfile } from './profile.ts';
import { createRandom } from './random.ts';

/** How to start a bidder; everything may be left out. */
export interface BidderOptions {
  /** What differs from `DEFAULT_PROFILE`. */
  readonly profile?: Partial<BidderProfile>;
  /** Everything that looks like chance follows from it and from the order of the requests. */
  readonly seed?: string | number;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  readonly host?: string;
  /** How many requests and notices are remembered, 1,000 by default. */
  readonly keepMax?: number;
}

/** A running bidder. */
export interface SimBidder {
  /** Where bid requests go, such as `http://127.0.0.1:41234/bid`. */
  readonly url: string;
  readonly port: number;
  readonly profile: BidderProfile;
  /** The last bid requests, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** The last notices, oldest first. */
  readonly notices: readonly ReceivedNotice[];
  readonly counts: Readonly<BidderCounts>;
  /** The last browsers that came to match users at `/match`, oldest first. */
  readonly matched: readonly Matched[];
  /** The notices by their ids, with what they told. */
  readonly noticeLedger: NoticeLedger;
  /** Turns it into a bidder that differs from `DEFAULT_PROFILE` in this alone; its name and seats stay. */
  become(differs: Partial<BidderProfile>): void;
  /** Hands every answer from now on to a script; `() => 'default'` takes it back. */
  respondWith(script: Script): void;
  /** Lets every notice from now on meet a fault; undefined takes it back. */
  failNotices(failure: NoticeFailure | undefined): void;
  /** Ends everything at once: connections, delayed answers and the listening socket. */
  close(): Promise<void>;
}

/**
 * Starts a bidder on a real HTTP server: bid requests at `POST /bid`, notices at
 * `/notice/{win,billing,loss,impression}`, browsers to be matched at `/match`. Rejects when it cannot listen; throws a RangeError for
 * fault rates that are none.
 */
export async function startBidder(options: BidderOptions = {}): Promise<SimBidder> {
  const { seed = 1, port = 0, host = '127.0.0.1', keepMax = 1000 } = options;
  const profile = { ...DEFAULT_PROFILE, ...options.profile };
  assertFaultRates(profile.faults);
  assertNoticeFaultRates(profile.noticeFaults);
  const ledger = new Ledger(keepMax);
  const service = new Service(profile, createRandom(seed), ledger);
  const server = createServer((request, response) => service.serve(request, response));
  // Longer than any client keeps an idle connection, so that the client is who closes it.
  server.keepAliveTimeout = 120_000;
  server.listen(port, host);
  // `once` rejects when the server emits an error first, such as a port in use.
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  service.origin = `http://${host}:${address.port}`;
  return {
    url: `${service.origin}/bid`,
    port: address.port,
    profile,
    get requests() {
      return ledger.requests.list();
    },
    get notices() {
      return ledger.notices.list();
    },
    counts: ledger.counts,
    matched: service.matches.matched,
    noticeLedger: ledger.noticeLedger,
    become(differs) {
      const { name, seats } = profile;
      Object.assign(profile, DEFAULT_PROFILE, { name, seats }, differs);
    },
    respondWith(script) {
      service.script = script;
    },
    failNotices(failure) {
      service.notices.failure = failure;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Every timer hangs on the `close` of its response, so this ends the timers as well.
        server.closeAllConnections();
      }),
  };
}
