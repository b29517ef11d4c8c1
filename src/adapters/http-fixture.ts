import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

/** A partner's server on a port of its own, for the tests of the clients. */
export interface TestServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The address of its bidder, an http one with a path. */
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

/** A server that speaks HTTP; `answer` gets each request with its whole body. */
export async function startServer(answer: Answer): Promise<TestServer> {
  let requests = 0;
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  });
  return listen(server, () => requests);
}

/** A server that does with each request's connection what `misbehave` says. */
export async function startRawServer(misbehave: (socket: Socket) => void): Promise<TestServer> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      if (!/(?:GET|POST) /.test(chunk.toString('latin1'))) return;
      requests += 1;
      misbehave(socket);
    });
  });
  return listen(server, () => requests);
}

async function listen(server: Server, requests: () => number): Promise<TestServer> {
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
    origin: `http://127.0.0.1:${port}`,
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
