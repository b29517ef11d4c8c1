import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { answerTagFile } from '../../src/edge/tag-files.ts';
import { serve } from '../../sim/test-server.ts';
import { openPage, quiet } from '../support/browser.ts';
import { LISTENING, pageWithTag, servePage, toldBy, untilTold } from '../support/publisher-page.ts';
import { until } from '../support/wait.ts';

/** An exchange that remembers what it was asked, and answers each time alike. */
interface Stub {
  readonly url: string;
  readonly asked: URL[];
  /** Beacons that came, by path. */
  readonly fired: string[];
  answer: { readonly status: number; readonly body: object };
}

async function startStub(t: TestContext): Promise<Stub> {
  const asked: URL[] = [];
  const fired: string[] = [];
  const url = await serve(t, (request, response) => {
    const path = request.url ?? '/';
    if (answerTagFile(path, request, response)) return;
    if (!path.startsWith('/ad/')) {
      fired.push(path);
      response.writeHead(path.startsWith('/down') ? 503 : 204).end();
      return;
    }
    asked.push(new URL(path, url));
    response.writeHead(stub.answer.status, {
      'access-control-allow-origin': String(request.headers.origin),
      'access-control-allow-credentials': 'true',
    });
    response.end(JSON.stringify(stub.answer.body));
  });
  const stub: Stub = { url, asked, fired, answer: { status: 200, body: anAd(url) } };
  return stub;
}

function anAd(url: string, differs: object = {}): object {
  const beacons = { impression: `${url}/imp/I`, view: `${url}/view/V`, click: `${url}/click/C` };
  return { id: 'a1', adm: '<b id="ad">An ad</b>', w: 300, h: 250, beacons, ...differs };
}

const SLOT = '<div id="box" data-rialto="4004" data-rialto-size="300x250"></div>';

async function visit(t: TestContext, stub: Stub, body: string): Promise<Page> {
  const page = await openPage(t);
  const html = pageWithTag({ node: { urls: { exchange: stub.url } } }, LISTENING + body);
  await page.goto(await servePage(t, html), { referer: 'http://search.example/?q=planet' });
  return page;
}

/** What the first ad was asked for with. */
async function firstAsked({ asked }: Stub): Promise<Record<string, string>> {
  const url = await until('the ad is asked for', 10_000, () => asked[0]);
  return Object.fromEntries(url.searchParams);
}

test('an ad is asked for with what the page, its slots and the browser say', async (t) => {
  const stub = await startStub(t);
  const page = await visit(
    t,
    stub,
    '<div data-rialto="4004" data-rialto-size="300x250" data-rialto-keywords="golf,tees" data-testid="x"></div>' +
      '<script>rialto.cmd.push(function(api){api.set({coppa:true,keywords:"all",yob:null})})</script>',
  );
  const { page: address, ref, language, ...others } = await firstAsked(stub);
  assert.equal(address, page.url());
  assert.match(ref ?? '', /^http:\/\/search\.example\//);
  assert.match(language ?? '', /^en/);
  assert.deepEqual(others, {
    format: 'banner',
    w: '300',
    h: '250',
    coppa: '1',
    keywords: 'golf,tees',
  });
});

test('consent managers are heard, those that take a moment as well', async (t) => {
  const stub = await startStub(t);
  await visit(
    t,
    stub,
    `${SLOT}<script>
    window.__tcfapi = function (command, version, callback) {
      callback({ eventStatus: 'cmpuishown', gdprApplies: true, tcString: 'NOTYET' }, true);
      setTimeout(function () {
        callback({ eventStatus: 'useractioncomplete', gdprApplies: true, tcString: 'CONSENT' }, true);
      }, 300);
    };
    window.__uspapi = function (command, version, callback) { callback({ uspString: '1YNN' }, true) };
    window.__gpp = function (command, callback) {
      if (command !== 'ping') return;
      callback({ signalStatus: 'ready', gppString: 'GPP', applicableSections: [7, 8] });
    };
    </script>`,
  );
  const { gdpr, consent, us_privacy, gpp, gpp_sid } = await firstAsked(stub);
  assert.deepEqual(
    [gdpr, consent, us_privacy, gpp, gpp_sid],
    ['1', 'CONSENT', '1YNN', 'GPP', '7,8'],
  );
});

test('a consent manager that stays silent or fails holds an ad up for a moment, and is no consent', async (t) => {
  const stub = await startStub(t);
  await visit(
    t,
    stub,
    `${SLOT}<script>
    window.__tcfapi = function () {};
    window.__uspapi = function () { throw new Error('broken') };
    </script>`,
  );
  const { gdpr, consent, us_privacy } = await firstAsked(stub);
  assert.deepEqual([gdpr, consent, us_privacy], ['1', undefined, undefined]);
});

test('where GDPR does not apply the page says so', async (t) => {
  const stub = await startStub(t);
  const api = 'window.__tcfapi=function(a,b,tell){tell({gdprApplies:false},true)}';
  await visit(t, stub, `${SLOT}<script>${api}</script>`);
  const { gdpr, consent } = await firstAsked(stub);
  assert.deepEqual([gdpr, consent], ['0', undefined]);
});

test('the tag leaves one global, works once when it is there twice, and outlives what fails', async (t) => {
  const stub = await startStub(t);
  const errors: string[] = [];
  const page = await openPage(t);
  page.on('pageerror', (error) => errors.push(error.message));
  const body =
    '<script>var globals=Object.keys(window)</script>' +
    `<script>rialto={cmd:[function(){throw new Error('of the page')}]}</script>${LISTENING}${SLOT}` +
    `<script src="${stub.url}/tag.js"></script>`;
  const html = pageWithTag({ node: { urls: { exchange: stub.url } } }, body);
  await page.goto(await servePage(t, html));
  await untilTold(page, 'rendered 4004');
  await quiet(page);
  assert.equal(stub.asked.length, 1);
  assert.deepEqual(errors, ['of the page']);
  assert.deepEqual(
    // The browser itself has a frame under its number and its name.
    await page.evaluate(
      'Object.keys(window).filter(function(n){return globals.indexOf(n)<0&&!/^\\d+$/.test(n)})',
    ),
    ['rialto', 'told'],
  );
});

test('a page defines slots by script, refreshes one by one and takes them away', async (t) => {
  const stub = await startStub(t);
  const page = await visit(
    t,
    stub,
    '<div id="a"></div><div id="b"></div><script>rialto.cmd.push(function(api){' +
      'window.a=api.define({adSpace:4004,element:"a",size:"300x250",parameters:{test:true}});' +
      'window.b=api.define({adSpace:"4005",element:document.getElementById("b")});' +
      'window.none=api.define({adSpace:1,element:"none"})})</script>',
  );
  await untilTold(page, 'rendered 4004');
  await untilTold(page, 'rendered 4005');
  assert.equal(stub.asked[0]?.searchParams.get('test'), '1');
  assert.equal(await page.evaluate('none'), null);
  await page.evaluate('b.refresh()');
  await untilTold(page, 'rendered 4005', 2);
  await page.evaluate('a.destroy()');
  assert.equal(await page.locator('#a iframe').count(), 0);
  await page.evaluate('rialto.refresh()');
  await untilTold(page, 'rendered 4005', 3);
  assert.deepEqual(
    stub.asked.map(({ pathname }) => pathname),
    ['/ad/4004', '/ad/4005', '/ad/4005', '/ad/4005'],
  );
  // What comes into the page later is found when it is asked for.
  await page.evaluate(
    'document.body.insertAdjacentHTML("beforeend","<p data-rialto=4006></p>");rialto.scan()',
  );
  await untilTold(page, 'rendered 4006');
});

test('what is wrong is told to the page and its engineer, and a busy exchange is asked again', async (t) => {
  const stub = await startStub(t);
  const errors = [{ pointer: 'ad_space', message: 'there is no ad space "4004"' }];
  stub.answer = { status: 400, body: { message: 'A parameter is wrong.', errors } };
  const page = await openPage(t);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const html = pageWithTag({ node: { urls: { exchange: stub.url } } }, LISTENING + SLOT);
  await page.goto(await servePage(t, html));
  await untilTold(page, 'error 4004');
  assert.ok(
    said.includes(
      'rialto: ad space 4004: 400 A parameter is wrong. ad_space there is no ad space "4004"',
    ),
    said.join('\n'),
  );
  assert.equal(await page.locator('#box').isVisible(), false);
  stub.answer = { status: 503, body: {} };
  const before = stub.asked.length;
  await page.evaluate('rialto.refresh()');
  await until('asked', 5_000, () => stub.asked.length > before);
  stub.answer = { status: 200, body: anAd(stub.url) };
  await untilTold(page, 'rendered 4004');
});

test('what is shown where nobody bought counts nothing, and an ad space limits its refreshes', async (t) => {
  const stub = await startStub(t);
  const refresh = { min_seconds: 60, max_per_page: 1 };
  stub.answer = { status: 200, body: anAd(stub.url, { beacons: undefined, refresh }) };
  const page = await openPage(t);
  await page.clock.install();
  const body = `${LISTENING}<div data-rialto="4004" data-rialto-refresh="30"></div>`;
  await page.goto(
    await servePage(t, pageWithTag({ node: { urls: { exchange: stub.url } } }, body)),
  );
  await untilTold(page, 'viewable 4004');
  await page.clock.fastForward(40_000);
  await quiet(page);
  assert.equal(stub.asked.length, 1);
  await page.clock.fastForward(25_000);
  await untilTold(page, 'viewable 4004', 2);
  await page.clock.fastForward(120_000);
  await quiet(page);
  assert.equal(stub.asked.length, 2);
  assert.deepEqual(
    stub.fired.filter((path) => !path.includes('favicon')),
    [],
  );
});

test('a beacon that fails is called again, six times at most', async (t) => {
  const stub = await startStub(t);
  const down = {
    impression: `${stub.url}/down`,
    view: `${stub.url}/v`,
    click: `${stub.url}/click/C`,
  };
  stub.answer = { status: 200, body: anAd(stub.url, { beacons: down }) };
  const page = await openPage(t);
  await page.clock.install();
  await page.goto(
    await servePage(t, pageWithTag({ node: { urls: { exchange: stub.url } } }, LISTENING + SLOT)),
  );
  const tries = (): number => stub.fired.filter((path) => path === '/down').length;
  await untilTold(page, 'rendered 4004');
  for (let count = 1; count <= 6; count += 1) {
    await until(`try ${count}`, 5_000, () => tries() === count);
    await page.clock.fastForward(1_000);
  }
  await page.clock.fastForward(5_000);
  await quiet(page);
  assert.equal(tries(), 6);
});

test('an ad whose frame never comes counts no impression', async (t) => {
  const stub = await startStub(t);
  const page = await openPage(t);
  await page.clock.install();
  await page.route('**/frame.html', (route) => route.abort());
  await page.goto(
    await servePage(t, pageWithTag({ node: { urls: { exchange: stub.url } } }, LISTENING + SLOT)),
  );
  await untilTold(page, 'filled 4004');
  await page.clock.runFor(1_500);
  await quiet(page);
  assert.deepEqual(await toldBy(page), ['filled 4004']);
});
