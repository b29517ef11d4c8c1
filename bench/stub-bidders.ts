import { createServer } from 'node:http';

/**
 * Bidders that cost as little as a bidder can: one bid at a fixed price for the first impression,
 * with everything that a real one carries.
 *
 * Usage: node bench/stub-bidders.ts PRICE…; prints their ports as one line of JSON.
 */
const prices = process.argv.slice(2).map(Number);

const ports = await Promise.all(
  prices.map(async (price, index) => {
    const tail = describeBid(price, index);
    const server = createServer((request, response) => {
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }),
);
console.log(JSON.stringify({ ports }));
// The parent holds the other end: without it there is nothing to measure.
process.stdin.on('end', () => process.exit(0)).resume();

function describeBid(price: number, index: number): string {
  const host = `stub-${index}.example`;
  const bid = {
    price,
    adid: `ad-${index}`,
    nurl: `https://${host}/win?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    burl: `https://${host}/bill?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}`,
    lurl: `https://${host}/loss?id=\${AUCTION_ID}&reason=\${AUCTION_LOSS}`,
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
