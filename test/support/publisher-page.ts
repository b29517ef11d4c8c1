import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { serve } from '../../sim/test-server.ts';
import type { SimBidder } from '../../sim/bidder.ts';
import { until } from './wait.ts';

/** Serves a page from a site of its own, foreign to the exchange. @returns its address. */
export async function servePage(t: TestContext, html: string): Promise<string> {
  const origin = await serve(t, (request, response) => {
    if (request.url !== '/') return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(html);
  });
  return `${origin.replace('127.0.0.1', 'planet.example')}/`;
}

/** A page with the tag and what stands in its body. */
export function pageWithTag(
  { node }: { readonly node: { readonly urls: { readonly exchange: string } } },
  body: string,
): string {
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Daily Planet</title>' +
    `<body style="margin:0"><h1>Daily Planet</h1>${body}` +
    `<script async src="${node.urls.exchange}/tag.js"></script></body></html>`
  );
}

/** Lets a bidder answer every request with this markup, at a price above every floor. */
export function bidWith(bidder: SimBidder, markup: string): void {
  bidder.respondWith(({ id, imp: [imp] }) => {
    const deal = imp?.pmp?.deals?.[0];
    const bid = {
      id: `bid-${bidder.counts.requests}`,
      impid: imp?.id,
      price: 8,
      adm: markup,
      crid: 'crafted',
      adomain: ['shop.example'],
      w: imp?.banner?.w ?? 300,
      h: imp?.banner?.h ?? 250,
      ...(deal === undefined ? {} : { dealid: deal.id }),
    };
    const seat = bidder.profile.seats[0];
    return {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, cur: 'USD', seatbid: [{ seat, bid: [bid] }] }),
    };
  });
}

/** What slots have told a page's listeners, oldest first: `filled 4004`. */
export function toldBy(page: Page): Promise<readonly string[]> {
  return page.evaluate('window.told');
}

/** Listens to everything, before the tag is there. */
export const LISTENING =
  '<script>window.told=[];window.rialto=window.rialto||{cmd:[]};rialto.cmd.push(function(api){' +
  "['filled','empty','rendered','viewable','clicked','error'].forEach(function(name){" +
  "api.on(name,function(event){told.push(name+' '+event.adSpace)})})})</script>";

/** Waits until slots have told something so often. */
export async function untilTold(page: Page, what: string, count = 1): Promise<void> {
  await until(`${what} was told ${count} times`, 10_000, async () => {
    return (await toldBy(page)).filter((each) => each === what).length >= count;
  });
}
