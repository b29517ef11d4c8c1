import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

import type { BidderCall, BidderClient, BidderReply } from '../ports/bidder-client.ts';
import { createBidderHttpClient, type BidderHttpOptions } from './bidder-http.ts';

/** A bidder on a port of its own, for the tests of the client. */
export interface TestBidder {
  readonly endpoint: string;
  /** Connections accepted since the start. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Requests whose head has come in. */
  readonly requests: number;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A bidder that speaks HTTP; `answer` gets each request with its whole body. */
export async function startBidder(answer: Answer): Promise<TestBidder> {
  let requests = 0;
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  });
  return listen(server, () => requests);
}

/** A bidder that does with each request's connection what `misbehave` says. */
export async function startRawBidder(misbehave: (socket: Socket) => void): Promise<TestBidder> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      if (!chunk.includes('POST ')) return;
      requests += 1;
      misbehave(socket);
    });
  });
  return listen(server, () => requests);
}

async function listen(server: Server, requests: () => number): Promise<TestBidder> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', 1024, () => resolve());
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    endpoint: `http://127.0.0.1:${port}/bid`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get requests() {
      return requests();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A client that may connect to this machine; time limits short enough for tests. */
export function createClient(options: Partial<BidderHttpOptions> = {}): BidderClient {
  return createBidderHttpClient({
    isAddressAllowed: () => true,
    connectionsMax: 64,
    inFlightMax: 64,
    lateGraceMs: 80,
    now: () => performance.now(),
    ...options,
  });
}

/** What a call to a bidder may be given; `withinMs` stands for the deadline. */
export type TestCall = Partial<Omit<BidderCall, 'deadlineMs'>> & { readonly withinMs?: number };

/** Asks and waits; throws if the client settles twice, or before `ask` has returned. */
export function ask(
  client: BidderClient,
  endpoint: string,
  call: TestCall = {},
): Promise<BidderReply> {
  const { withinMs = 2000, ...fields } = call;
  return new Promise((resolve) => {
    let settled = 0;
    let returned = false;
    const deadlineMs = performance.now() + withinMs;
    client.ask(
      { endpoint, openrtbVersion: '2.5', body: '{"id":"1"}', gzip: false, ...fields, deadlineMs },
      (reply) => {
        settled += 1;
        if (!returned || settled > 1) throw new Error('settled twice, or before ask returned');
        resolve(reply);
      },
    );
    returned = true;
  });
}

/**
 * Waits until `condition` holds; fails after two seconds. It waits a little in any case: undici
 * gives a connection to the next call one turn of the event loop after the answer.
 */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 2000;
  do {
    if (performance.now() > endMs) throw new Error(`still waiting: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  } while (!condition());
}
