import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { startExchange } from '../support/exchange.ts';
import { beaconsWhen, pageWithTag, servePage } from '../support/publisher-page.ts';

test('x', async (t) => {
  const exchange = await startExchange({ t, acme: { price: { medianUsd: 8, spread: 0 } } });
  const page = await openPage(t);
  page.on('console', (m) => console.log('console', m.text()));
  page.on('requestfailed', (m) => console.log('failed', m.url(), m.failure()));
  const url = await servePage(
    t,
    pageWithTag(
      exchange,
      '<div data-rialto="4004" data-rialto-size="300x250"></div><hr><div data-rialto="4005"></div>',
    ),
  );
  await page.goto(url);
  const records = await beaconsWhen(exchange, 'view', 2);
  console.log(records.map((r) => [r.kind, r.zone_id, r.auction_id]));
  await page.screenshot({ path: '/tmp/w7-shot.png' });
  assert.ok(true);
});
