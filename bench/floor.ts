import { createServer } from 'node:http';
import { Pool, type Dispatcher } from 'undici';

/**
 * The floor that the exchange is measured against: a bare relay on the same `node:http` and
 * `undici`. It parses the request, forwards it to all bidders, parses the answers and returns the
 * highest bid. It checks, enriches, records and counts nothing.
 *
 * Usage: node bench/floor.ts BIDDER_URL…; prints its port as one line of JSON.
 */
const bidders = process.argv.slice(2).map((address) => {
  const url = new URL(address);
  return { pool: new Pool(url.origin, { connections: 256, pipelining: 1 }), path: url.pathname };
});

interface RelayedBid {
  readonly price: number;
}

interface RelayedResponse {
  readonly seatbid?: readonly { readonly bid: readonly RelayedBid[] }[];
}

/** Collects one answer. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #done: (answer: RelayedResponse | null) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;

  constructor(done: (answer: RelayedResponse | null) => void) {
    this.#done = done;
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number): void {
    this.#status = statusCode;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#status !== 200) return this.#done(null);
    this.#done(JSON.parse(Buffer.concat(this.#chunks).toString()));
  }

  onResponseError(): void {
    this.#done(null);
  }
}

const HEADERS = ['content-type', 'application/json', 'x-openrtb-version', '2.5'];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const { id }: { id: string } = JSON.parse(body);
    let open = bidders.length;
    let best: RelayedBid | null = null;
    const settle = (answer: RelayedResponse | null): void => {
      for (const { bid } of answer?.seatbid ?? []) {
        for (const each of bid) if (best === null || each.price > best.price) best = each;
      }
      open -= 1;
      if (open > 0) return;
      const text = JSON.stringify({ id, seatbid: [{ bid: [best] }] });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    };
    for (const { pool, path } of bidders) {
      pool.dispatch({ path, method: 'POST', headers: HEADERS, body }, new Relay(settle));
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  console.log(JSON.stringify({ port: address.port }));
});
// The parent holds the other end: without it there is nothing to measure.
process.stdin.on('end', () => process.exit(0)).resume();
