import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { BeaconKind, BeaconRecord } from '../../src/events/beacon-record.ts';
import { readCatalogue } from '../../sim/catalogue.ts';
import { startSite } from '../../sim/site.ts';
import { beaconRecords } from '../support/beacons.ts';
import { openPage, quiet } from '../support/browser.ts';
import { startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import {
  bidWith,
  LISTENING,
  pageWithTag,
  servePage,
  toldBy,
  untilTold,
} from '../support/publisher-page.ts';
import { until } from '../support/wait.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/exchange.yaml', import.meta.url));

/** Fills every ad space. */
const RICH = { price: { medianUsd: 8, spread: 0 } };
const BOX = '<div data-rialto="4004" data-rialto-size="300x250"></div>';
const PLAIN = '<div style="width:300px;height:250px;background:teal">An ad without links</div>';

/** Opens a page with the tag that listens to everything. */
async function visit(t: TestContext, exchange: StartedExchange, body: string): Promise<Page> {
  const page = await openPage(t);
  // For tests that move it; it goes on as ever.
  await page.clock.install();
  await page.goto(await servePage(t, pageWithTag(exchange, LISTENING + body)));
  return page;
}

/** What was counted since, as `impression 4004`, sorted. */
async function counted(
  { node }: StartedExchange,
  before: readonly BeaconRecord[],
): Promise<readonly string[]> {
  const records = await beaconRecords(node.dataDirectory);
  return records
    .slice(before.length)
    .map(({ kind, zone_id: adSpace }) => `${kind} ${adSpace}`)
    .toSorted();
}

async function untilCounted(
  { page, exchange }: { readonly page: Page; readonly exchange: StartedExchange },
  before: readonly BeaconRecord[],
  ...expected: readonly `${BeaconKind} ${number}`[]
): Promise<void> {
  await until(`${expected.join(', ')} on the disk`, 10_000, async () => {
    return (await counted(exchange, before)).length >= expected.length;
  });
  // What comes twice is under way by now.
  await quiet(page);
  assert.deepEqual(await counted(exchange, before), [...expected].toSorted());
}

test('a page with the tag', async (whole) => {
  const exchange = await startExchange({ t: whole, acme: RICH });
  const { acme, node } = exchange;
  whole.beforeEach(() => acme.respondWith(() => 'default'));
  const before = (): Promise<BeaconRecord[]> => beaconRecords(node.dataDirectory);

  await whole.test('shows an ad and counts impression, view and click once each', async (t) => {
    const earlier = await before();
    const page = await visit(t, exchange, BOX);
    await untilTold(page, 'viewable 4004');
    const frame = page.locator('[data-rialto] iframe');
    const { width, height } = (await frame.boundingBox()) ?? assert.fail();
    assert.deepEqual([width, height], [300, 250]);
    // Twice, into new tabs: the markup carries the click address, so that the tag counts nothing.
    for (let times = 0; times < 2; times += 1) {
      const opened = page.waitForEvent('popup');
      await frame.click();
      await (await opened).close();
    }
    await untilCounted({ page, exchange }, earlier, 'impression 4004', 'view 4004', 'click 4004');
    assert.deepEqual(await toldBy(page), ['filled 4004', 'rendered 4004', 'viewable 4004']);
  });

  await whole.test('asks for its ads in parallel and shows each in its place', async (t) => {
    const earlier = await before();
    const page = await openPage(t);
    const order: string[] = [];
    const note = (what: string, url: string): void => {
      const adSpace = /\/ad\/(\d+)/.exec(url)?.[1];
      if (adSpace !== undefined) order.push(`${what} ${adSpace}`);
    };
    page.on('request', (request) => note('asked', request.url()));
    page.on('response', (response) => note('answered', response.url()));
    const body = `${LISTENING}${BOX}<div data-rialto="4005"></div>`;
    await page.goto(await servePage(t, pageWithTag(exchange, body)));
    await untilTold(page, 'viewable 4004');
    await untilTold(page, 'viewable 4005');
    assert.deepEqual(order.slice(0, 2), ['asked 4004', 'asked 4005']);
    assert.equal(await page.locator('[data-rialto="4004"] iframe').count(), 1);
    assert.equal(await page.locator('[data-rialto="4005"] iframe').count(), 1);
    await untilCounted(
      { page, exchange },
      earlier,
      ...(['impression 4004', 'impression 4005', 'view 4004', 'view 4005'] as const),
    );
  });

  await whole.test('counts a click into markup that has no click address, once', async (t) => {
    bidWith(acme, PLAIN);
    const earlier = await before();
    const page = await visit(t, exchange, `${BOX}<div data-rialto="4005"></div>`);
    await untilTold(page, 'rendered 4004');
    await untilTold(page, 'rendered 4005');
    await page.locator('[data-rialto="4004"] iframe').click();
    // From one ad straight into the other: the page itself had lost the focus before.
    await page.locator('[data-rialto="4005"] iframe').click();
    await untilTold(page, 'clicked 4005');
    await page.locator('h1').click();
    await page.locator('[data-rialto="4004"] iframe').click();
    await until('clicks on the disk', 5_000, async () => {
      return (await counted(exchange, earlier)).filter((each) => /click/.test(each)).length === 2;
    });
    await quiet(page);
    const clicks = (await counted(exchange, earlier)).filter((each) => each.startsWith('click'));
    assert.deepEqual(clicks, ['click 4004', 'click 4005']);
  });

  await whole.test('counts no click for a key that moves the focus into an ad', async (t) => {
    bidWith(acme, `<button>First</button>${PLAIN}`);
    const page = await visit(t, exchange, `<button id="ours">Ours</button>${BOX}`);
    await untilTold(page, 'rendered 4004');
    await page.locator('#ours').focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'IFRAME');
    await page.clock.runFor(400);
    await quiet(page);
    assert.ok(!(await toldBy(page)).includes('clicked 4004'));
  });

  await whole.test(
    'asks for a lazy ad when it comes near, and counts the view when it is seen',
    async (t) => {
      const earlier = await before();
      const page = await visit(
        t,
        exchange,
        '<div style="height:2000px"></div><div data-rialto="4005" data-rialto-size="300x250" data-rialto-lazy="300"></div>' +
          '<div style="height:2000px"></div>',
      );
      await quiet(page);
      assert.deepEqual(await toldBy(page), []);
      await page.evaluate('scrollTo(0, 1100)');
      await untilTold(page, 'rendered 4005');
      await page.clock.runFor(1_200);
      await quiet(page);
      assert.deepEqual(await counted(exchange, earlier), ['impression 4005']);
      await page.evaluate('scrollTo(0, 1700)');
      await untilCounted({ page, exchange }, earlier, 'impression 4005', 'view 4005');
    },
  );

  await whole.test(
    'refreshes after half a minute and not before, while the ad is in sight',
    async (t) => {
      const earlier = await before();
      const page = await openPage(t);
      await page.clock.install();
      const body = `${LISTENING}<div data-rialto="4004" data-rialto-refresh="5"></div><div style="height:3000px"></div>`;
      await page.goto(await servePage(t, pageWithTag(exchange, body)));
      await untilTold(page, 'viewable 4004');
      await page.clock.fastForward(20_000);
      await page.evaluate('scrollTo(0, 2000)');
      await quiet(page);
      await page.clock.fastForward(20_000);
      await quiet(page);
      assert.equal((await toldBy(page)).filter((each) => each === 'filled 4004').length, 1);
      await page.evaluate('scrollTo(0, 0)');
      await untilTold(page, 'viewable 4004', 2);
      assert.equal(await page.locator('[data-rialto] iframe').count(), 1);
      await untilCounted(
        { page, exchange },
        earlier,
        ...(['impression 4004', 'impression 4004', 'view 4004', 'view 4004'] as const),
      );
    },
  );

  await whole.test(
    'takes an element away that nobody bought, or leaves what is in it',
    async (t) => {
      acme.respondWith(() => ({ status: 204 }));
      const page = await visit(
        t,
        exchange,
        `${BOX}<div data-rialto="4005" data-rialto-collapse="false">Subscribe!</div>`,
      );
      await untilTold(page, 'empty 4004');
      await untilTold(page, 'empty 4005');
      assert.equal(await page.locator('[data-rialto="4004"]').isVisible(), false);
      assert.equal(await page.locator('[data-rialto="4005"]').textContent(), 'Subscribe!');
      // The next ad brings it back.
      acme.respondWith(() => 'default');
      await page.evaluate('rialto.refresh()');
      await untilTold(page, 'rendered 4004');
      await untilTold(page, 'rendered 4005');
      assert.equal(await page.locator('[data-rialto="4004"] iframe').isVisible(), true);
      assert.equal(await page.locator('[data-rialto="4005"]').textContent(), '');
    },
  );

  await whole.test('shows the ads of the demonstration page', async (t) => {
    const site = await startSite(readCatalogue(EXAMPLE), node.urls.exchange);
    t.after(() => site.close());
    const page = await openPage(t);
    await page.goto(site.url);
    await page.locator('#told li', { hasText: 'viewable' }).first().waitFor();
    await page.locator('article [data-rialto]').scrollIntoViewIfNeeded();
    await page.locator('#told li', { hasText: 'rendered' }).nth(2).waitFor();
    assert.equal(await page.locator('[data-rialto] iframe').count(), 3);
  });

  assertInvariants(await exchange.records());
});
