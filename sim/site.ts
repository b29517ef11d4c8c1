import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import { frontPage } from './front-page.ts';
import { aborted, stopSignal } from './stop-signal.ts';

/** How `sim site` was called. */
export interface SiteOptions {
  readonly config: string;
  /** Address of the exchange, as a browser reaches it. */
  readonly url: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** Prints one line of JSON when the publisher's site can be visited: its address. */
export async function runSite({ config, url, port }: SiteOptions): Promise<void> {
  const stop = stopSignal(true);
  const site = await startSite(readCatalogue(config), url, port);
  try {
    process.stdout.write(`${JSON.stringify({ ready: true, url: site.url })}\n`);
    await aborted(stop);
  } finally {
    await site.close();
  }
}

/** A site that people can visit. */
export interface SimSite {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the front page of the first site that has an ad space for banners, on this machine only.
 * Throws a RangeError when the configuration has none.
 */
export async function startSite(
  { adSpaces }: Catalogue,
  exchangeUrl: string,
  port = 0,
): Promise<SimSite> {
  const banners = adSpaces.filter(({ medium, banner }) => medium.kind === 'site' && banner);
  const medium = banners[0]?.medium;
  if (medium === undefined) throw new RangeError('no site with an ad space for banners');
  const html = frontPage({
    name: medium.name,
    exchangeUrl: exchangeUrl.replace(/\/$/, ''),
    adSpaces: banners.filter((each) => each.medium.id === medium.id),
  });
  const server = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? '/').replace(/\?.*/, '');
    response.writeHead(path === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(path === '/' ? html : '');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return {
    url: `http://localhost:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
