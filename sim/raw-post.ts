import { Agent, request as send, type IncomingHttpHeaders } from 'node:http';
import type { BidResponse } from '../src/openrtb/bid-response.ts';
import type { SimBidder } from './bidder.ts';

/** The bid request of the tests: one banner. */
export const REQUEST = {
  id: 'request-1',
  imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.2 }],
  tmax: 100,
};

/** What came back, by whichever way it ended. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly elapsedMs: number;
  /** Why the exchange of messages broke off, if it did. */
  readonly error: string | undefined;
}

interface SendOptions {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** When to give up, in milliseconds. */
  readonly giveUpMs?: number;
}

/**
 * Posts to a bidder as bare as node:http allows, and tells how it ended, whichever way that was:
 * no retries, no decoding, a connection of its own. For tests of what is on the wire.
 */
export async function post(bidder: SimBidder, options: SendOptions = {}): Promise<Received> {
  const { body = JSON.stringify(REQUEST), headers = {}, giveUpMs = 5000 } = options;
  const startedAt = performance.now();
  let status = 0;
  let answered: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const end = (error?: string): void =>
      resolve({
        status,
        headers: answered,
        body: Buffer.concat(chunks),
        elapsedMs: performance.now() - startedAt,
        error,
      });
    const call = send(bidder.url, { method: 'POST', headers, agent: new Agent() }, (response) => {
      status = response.statusCode ?? 0;
      answered = response.headers;
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => end());
      response.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
    call.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    setTimeout(() => {
      end('GAVE_UP');
      call.destroy();
    }, giveUpMs).unref();
    call.end(body);
  });
}

/** The bids in an answer. */
export function bidsIn({ body }: Received): NonNullable<BidResponse['seatbid']>[number]['bid'] {
  const response: BidResponse = JSON.parse(body.toString());
  return response.seatbid?.flatMap(({ bid }) => bid) ?? [];
}
