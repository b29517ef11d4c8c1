import { createServer, type Server } from 'node:http';
import { answerTo, describeBid } from './stub-bid.ts';

/**
 * Bidders that cost as little as a bidder can: one bid at a fixed price for the first impression,
 * with everything that a real one carries; its notices come back here.
 *
 * Usage: node bench/stub-bidders.ts PRICE…; prints their ports as one line of JSON.
 */
const prices = process.argv.slice(2).map(Number);

const ports = await Promise.all(
  prices.map(async (price, index) => {
    let tail = '';
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(204).end();
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = answerTo(text, index, tail);
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
    });
    const port = await listen(server);
    tail = describeBid(price, index, `http://127.0.0.1:${port}`);
    return port;
  }),
);
console.log(JSON.stringify({ ports }));
// The parent holds the other end: without it there is nothing to measure.
process.stdin.on('end', () => process.exit(0)).resume();

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
