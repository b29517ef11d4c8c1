import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { beaconRecords } from '../support/beacons.ts';
import { openPage, quiet } from '../support/browser.ts';
import { startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { bidWith, servePage } from '../support/publisher-page.ts';
import { until } from '../support/wait.ts';

const RICH = { price: { medianUsd: 8, spread: 0 } };
const PLAIN = '<div style="width:300px;height:250px;background:teal">An ad without links</div>';

/** The page of the publisher's guide, whose script takes an empty frame away. */
function framePage({ node }: StartedExchange, adSpaces: readonly string[]): string {
  const frames = adSpaces.map(
    (adSpace) =>
      `<iframe src="${node.urls.exchange}/ad/${adSpace}?w=300&h=250" width="300" height="250" style="border:0" scrolling="no"></iframe>`,
  );
  return (
    `<!doctype html><h1>Daily Planet</h1><script>window.heard=[];addEventListener('message',function(event){
    if(!event.data||!event.data.rialto)return;heard.push(event.data.rialto);
    if(event.data.rialto.filled)return;
    document.querySelectorAll('iframe').forEach(function(frame){
      if(frame.contentWindow===event.source)frame.remove()})})</script>` + frames.join('')
  );
}

/** Kinds of the beacons since, sorted. */
async function countedSince({ node }: StartedExchange, before: number): Promise<readonly string[]> {
  const records = await beaconRecords(node.dataDirectory);
  return records
    .slice(before)
    .map(({ kind }) => kind)
    .toSorted();
}

async function untilCounted(
  { page, exchange }: { readonly page: Page; readonly exchange: StartedExchange },
  before: number,
  ...expected: readonly string[]
): Promise<void> {
  await until(`${expected.join(', ')} on the disk`, 10_000, async () => {
    return (await countedSince(exchange, before)).length >= expected.length;
  });
  await quiet(page);
  assert.deepEqual(await countedSince(exchange, before), expected);
}

async function visit(t: TestContext, html: string): Promise<Page> {
  const page = await openPage(t);
  await page.goto(await servePage(t, html));
  return page;
}

test('documents of /ad and /vast in a browser', async (whole) => {
  const exchange = await startExchange({ t: whole, acme: RICH });
  const { acme, node } = exchange;
  whole.beforeEach(() => acme.respondWith(() => 'default'));
  const before = async (): Promise<number> => (await beaconRecords(node.dataDirectory)).length;

  await whole.test(
    'a frame counts its impression, view and click once, and tells its page',
    async (t) => {
      bidWith(acme, PLAIN);
      const earlier = await before();
      const page = await visit(t, framePage(exchange, ['4004']));
      await untilCounted({ page, exchange }, earlier, 'impression', 'view');
      assert.deepEqual(await page.evaluate('heard'), [
        { ad_space: '4004', filled: true, w: 300, h: 250 },
      ]);
      await page.locator('iframe').click();
      await page.locator('h1').click();
      await page.locator('iframe').click();
      await untilCounted({ page, exchange }, earlier, 'click', 'impression', 'view');
    },
  );

  await whole.test('a key or a script that moves the focus into a frame is no click', async (t) => {
    bidWith(
      acme,
      '<button id="own">Own</button><script>setTimeout(function(){own.focus();console.log("focused")},500)</script>',
    );
    const earlier = await before();
    const page = await openPage(t);
    const focused = page.waitForEvent('console', (message) => message.text() === 'focused');
    await page.goto(await servePage(t, framePage(exchange, ['4004'])));
    await untilCounted({ page, exchange }, earlier, 'impression', 'view');
    await page.locator('h1').click();
    await page.keyboard.press('Tab');
    await focused;
    await quiet(page);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'IFRAME');
    await untilCounted({ page, exchange }, earlier, 'impression', 'view');
  });

  await whole.test(
    'a click that the markup counts is not counted by the document as well',
    async (t) => {
      const earlier = await before();
      const page = await visit(t, framePage(exchange, ['4004']));
      await untilCounted({ page, exchange }, earlier, 'impression', 'view');
      const opened = page.waitForEvent('popup');
      await page.locator('iframe').click();
      await opened;
      await untilCounted({ page, exchange }, earlier, 'click', 'impression', 'view');
    },
  );

  await whole.test('a page takes away the frame that nobody bought, and no other', async (t) => {
    bidWith(acme, PLAIN);
    const answer = { status: 204 };
    const page = await openPage(t);
    await page.route('**/ad/4005**', (route) => {
      acme.respondWith(() => answer);
      return route.continue();
    });
    await page.goto(await servePage(t, framePage(exchange, ['4004'])));
    await page.locator('iframe').waitFor();
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend','<iframe src="${node.urls.exchange}/ad/4005"></iframe>')`,
    );
    await until('the empty frame is gone', 5_000, async () => {
      return JSON.stringify(await page.evaluate('heard')).includes('"filled":false');
    });
    assert.equal(await page.locator('iframe').count(), 1);
  });

  await whole.test('in an app an ad waits for MRAID, and counts when that shows it', async (t) => {
    bidWith(acme, PLAIN);
    const earlier = await before();
    const page = await openPage(t);
    await page.route('**/mraid.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: MRAID }),
    );
    await page.clock.install();
    await page.goto(`${node.urls.exchange}/ad/4001?mraidver=3`);
    assert.equal(await page.locator('div').textContent(), 'An ad without links');
    await quiet(page);
    assert.deepEqual(await countedSince(exchange, earlier), []);
    await page.evaluate('container.ready()');
    await untilCounted({ page, exchange }, earlier, 'impression');
    await page.evaluate('container.expose(49)');
    await page.clock.runFor(1_200);
    await quiet(page);
    await page.evaluate('container.expose(80)');
    await untilCounted({ page, exchange }, earlier, 'impression', 'view');
  });

  await whole.test('a player follows our wrapper from a page, and its calls count', async (t) => {
    const earlier = await before();
    const page = await visit(t, `<!doctype html><h1>Player</h1><script>${PLAYER}</script>`);
    const played: unknown = await page.evaluate(
      `play(${JSON.stringify(`${node.urls.exchange}/vast/4002?vastver=3`)})`,
    );
    assert.match(String(played), /^https:\/\/media\.[\w.]+\/spot-\d+\.mp4$/);
    await untilCounted({ page, exchange }, earlier, 'click', 'impression');
  });

  assertInvariants(await exchange.records());
});

/** A container as an app's web view has it, worked by the test. */
const MRAID = `
var heard = {}, state = 'loading';
window.container = {
  ready: function () { state = 'default'; (heard.ready || []).forEach(function (f) { f() }) },
  expose: function (percent) { (heard.exposureChange || []).forEach(function (f) { f(percent) }) },
};
window.mraid = {
  getState: function () { return state },
  getVersion: function () { return '3.0' },
  isViewable: function () { return false },
  addEventListener: function (name, f) { (heard[name] = heard[name] || []).push(f) },
};`;

/** The least that a player does: unwraps, takes the file, calls what both documents ask for. */
const PLAYER = `
function load(url) {
  return fetch(url).then(function (answer) { return answer.text() }).then(function (text) {
    return new DOMParser().parseFromString(text, 'application/xml');
  });
}
function call(vast, selector) {
  return Promise.all(Array.from(vast.querySelectorAll(selector)).map(function (each) {
    return new Promise(function (done) {
      var image = new Image();
      image.onload = image.onerror = done;
      image.src = each.textContent.trim();
    });
  }));
}
function play(url) {
  return load(url).then(function (wrapper) {
    return load(wrapper.querySelector('VASTAdTagURI').textContent).then(function (inline) {
      var both = [wrapper, inline];
      return Promise.all(both.map(function (vast) {
        return call(vast, 'Impression, Tracking[event=start], Tracking[event=complete], ClickTracking');
      })).then(function () { return inline.querySelector('MediaFile').textContent.trim() });
    });
  });
}`;
