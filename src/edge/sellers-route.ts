import type { Market } from '../exchange/market.ts';
import { describeSellers } from '../exchange/sellers.ts';
import { answerError } from './answer.ts';
import type { HttpPair } from './auction-route.ts';

/** Crawlers come once a day; a new publisher should not have to wait for that. */
const CACHED_S = 300;

/** Answers `GET /sellers.json` from a market. */
export type SellersRoute = (http: HttpPair, market: Market | null) => void;

/** Makes the route, which writes the document once for each configuration. */
export function createSellersRoute(): SellersRoute {
  let written: { readonly market: Market; readonly text: string | null } | null = null;

  return ({ request, response }, market) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answerError(response, 'method_not_allowed');
    }
    if (market === null) return answerError(response, 'not_ready');
    if (written?.market !== market) written = { market, text: textOf(market) };
    const { text } = written;
    if (text === null) return answerError(response, 'no_sellers');
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': `public, max-age=${CACHED_S}`,
      // Public by intent: tools that check it run in browsers too.
      'access-control-allow-origin': '*',
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
}

function textOf({ snapshot }: Market): string | null {
  const sellers = describeSellers(snapshot);
  return sellers === null ? null : `${JSON.stringify(sellers, null, 2)}\n`;
}
