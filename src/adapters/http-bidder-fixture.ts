import { afterEach } from 'node:test';

import type {
  AnswerHeaders,
  BidderCall,
  BidderClient,
  BidderReply,
} from '../ports/bidder-client.ts';
import type { BidderClientOptions } from './http-bidders.ts';

/** The client that the suites are about. */
export interface Subject {
  readonly create: (options: BidderClientOptions) => BidderClient;
  /** The address of the module that exports `create`, and nothing else that can be called. */
  readonly module: string;
  /** How often each property is tried. */
  readonly runs: number;
}

/** A client that may connect to this machine; time limits short enough for tests. */
export function createClient(
  { create }: Pick<Subject, 'create'>,
  options: Partial<BidderClientOptions> = {},
): BidderClient {
  return create({
    isAddressAllowed: () => true,
    connectionsMax: 64,
    inFlightMax: 64,
    lateGraceMs: 80,
    now: () => performance.now(),
    ...options,
  });
}

/** Clients of a suite, which are closed after each test, as is whatever has its closer added. */
export function openClients(subject: Subject) {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  const client = (options: Partial<BidderClientOptions> = {}): BidderClient => {
    const created = createClient(subject, options);
    closers.push(() => created.close());
    return created;
  };
  return { client, closers };
}

/** What a call to a bidder may be given; `withinMs` stands for the deadline. */
export type TestCall = Partial<Omit<BidderCall, 'deadlineMs'>> & {
  readonly withinMs?: number;
  readonly onHead?: (headers: AnswerHeaders) => void;
};

/** Asks and waits; throws if the client settles twice, or before `ask` has returned. */
export function ask(
  client: BidderClient,
  endpoint: string,
  call: TestCall = {},
  onLate?: () => void,
): Promise<BidderReply> {
  const { withinMs = 2000, onHead, ...fields } = call;
  return new Promise((resolve) => {
    let settled = 0;
    let returned = false;
    const deadlineMs = performance.now() + withinMs;
    client.ask(
      {
        endpoint,
        openrtbVersion: '2.5',
        headers: null,
        body: '{"id":"1"}',
        gzip: false,
        inFlightMax: null,
        ...fields,
        deadlineMs,
      },
      (reply) => {
        settled += 1;
        if (!returned || settled > 1) throw new Error('settled twice, or before ask returned');
        resolve(reply);
      },
      onLate,
      onHead,
    );
    returned = true;
  });
}
