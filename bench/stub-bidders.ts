import { createServer, type Server } from 'node:http';

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
        const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
        const impid = /"imp":\[\{[^}]*?"id":"([^"]+)"/.exec(text)?.[1] ?? '';
        const body = `{"id":"${id}","cur":"USD","seatbid":[{"seat":"stub-${index}","bid":[{"id":"b${index}","impid":"${impid}",${tail}}]}]}`;
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

/** @param origin where the notices of the bid are answered. */
function describeBid(price: number, index: number, origin: string): string {
  const host = `stub-${index}.example`;
  const bid = {
    price,
    adid: `ad-${index}`,
    nurl: `${origin}/win?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    burl: `${origin}/bill?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    lurl: `${origin}/loss?id=\${AUCTION_ID}&reason=\${AUCTION_LOSS}`,
    adm: `<a href="https://${host}/click?id=\${AUCTION_ID}" target="_blank"><img src="https://${host}/creative.png" width="300" height="250" alt=""></a><img src="https://${host}/shown?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}" width="1" height="1" alt="">`,
    adomain: [`advertiser-${index}.example`],
    cid: `campaign-${index}`,
    crid: `creative-${index}`,
    cat: ['IAB3-1'],
    attr: [],
    w: 300,
    h: 250,
  };
  return JSON.stringify(bid).slice(1, -1);
}
