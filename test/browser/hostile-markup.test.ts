import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { beaconRecords } from '../support/beacons.ts';
import { openPage, quiet } from '../support/browser.ts';
import { startExchange, type StartedExchange } from '../support/exchange.ts';
import {
  bidWith,
  LISTENING,
  pageWithTag,
  servePage,
  toldBy,
  untilTold,
} from '../support/publisher-page.ts';
import { until } from '../support/wait.ts';

/** What a page has that is nobody else's. */
const SECRETS =
  '<p id="content">News</p><script>document.cookie="secret=cookie";localStorage.secret="stored"</script>';

/** The ways an ad comes into a page: each has to hold alone. */
const PLACES: Readonly<Record<string, (exchange: StartedExchange) => string>> = {
  'the tag': (exchange) =>
    pageWithTag(exchange, `${LISTENING}${SECRETS}<div data-rialto="4004"></div>`),
  'a frame of /ad': ({ node }) =>
    `<!doctype html><h1>Daily Planet</h1>${SECRETS}` +
    `<iframe src="${node.urls.exchange}/ad/4004?keywords=private" width="300" height="250"></iframe>`,
};

interface Visit {
  readonly page: Page;
  /** What the markup has told of its attempts, when it has. */
  readonly attempts: () => Promise<Record<string, string>>;
  readonly dialogs: readonly string[];
  /** What was written to the console. */
  readonly said: readonly string[];
}

/** Opens a page with an ad of this markup. */
async function show(
  t: TestContext,
  exchange: StartedExchange,
  { place, markup }: { readonly place: string; readonly markup: string },
): Promise<Visit> {
  bidWith(exchange.acme, markup);
  const page = await openPage(t);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.dismiss();
  });
  // Read from the console: whatever is evaluated in a page counts as if somebody had clicked there.
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(await servePage(t, PLACES[place]?.(exchange) ?? ''));
  const attempts = (): Promise<Record<string, string>> =>
    until('the markup has made its attempts', 10_000, () => {
      const found = said.find((text) => text.startsWith(ATTEMPTS));
      return found === undefined ? undefined : JSON.parse(found.slice(ATTEMPTS.length));
    });
  return { page, attempts, dialogs, said };
}

const ATTEMPTS = 'attempts: ';

/** Markup that tries each expression and tells what came of it. */
function trying(expressions: Readonly<Record<string, string>>): string {
  const tries = Object.entries(expressions).map(
    ([name, code]) =>
      `try{told.${name}='got '+(${code})}catch(error){told.${name}='refused: '+error.name}`,
  );
  return `<script>var told={};${tries.join(';')};console.log('${ATTEMPTS}'+JSON.stringify(told))</script>`;
}

async function assertUntouched(page: Page, address: string): Promise<void> {
  assert.equal(page.url(), address);
  assert.equal(await page.locator('#content').textContent(), 'News');
  assert.equal(await page.title(), await page.evaluate('document.title'));
  assert.equal(page.context().pages().length, 1, 'no other window');
}

test('hostile markup cannot reach the page', async (whole) => {
  const exchange = await startExchange({ t: whole });
  for (const place of Object.keys(PLACES)) {
    await whole.test(`in ${place}: neither page nor storage can be read`, async (t) => {
      const markup = trying({
        parentDocument: 'parent.document.title',
        topDocument: 'top.document.cookie',
        pageStorage: 'top.localStorage.secret',
        api: 'top.rialto.refresh()',
        ownCookies: 'document.cookie',
        ownStorage: 'localStorage.length',
        frameElement: 'String(frameElement)',
        origin: 'self.origin',
        address: 'top.location.href',
        query: 'document.baseURI.indexOf("?")',
      });
      const { page, attempts } = await show(t, exchange, { place, markup });
      assert.deepEqual(await attempts(), {
        parentDocument: 'refused: SecurityError',
        topDocument: 'refused: SecurityError',
        pageStorage: 'refused: SecurityError',
        api: 'refused: SecurityError',
        ownCookies: 'refused: SecurityError',
        ownStorage: 'refused: SecurityError',
        frameElement: 'got null',
        origin: 'got null',
        address: 'refused: SecurityError',
        // What the ad was asked for with is none of its business.
        query: 'got -1',
      });
      await assertUntouched(page, page.url());
    });

    await whole.test(`in ${place}: nothing leaves for elsewhere without a click`, async (t) => {
      const markup =
        '<a id="link" href="http://evil.example/" target="_top">x</a>' +
        '<form id="form" action="http://evil.example/" target="_top"></form>' +
        '<a id="file" href="data:application/octet-stream,x" download="x">x</a>' +
        trying({
          assign: 'top.location="http://evil.example/"',
          replace: 'top.location.replace("http://evil.example/")',
          parent: 'parent.location="http://evil.example/"',
          // A new window without a click is what browsers' popup blockers hold back; this one has none.
          openTop: 'String(window.open("http://evil.example/","_top"))',
          link: 'link.click()',
          form: 'form.submit()',
          file: 'file.click()',
          alert: 'alert(1)',
          confirm: 'confirm(1)',
          prompt: 'prompt(1)',
          loop: '(function(){for(var i=0;i<1000;i++)alert(i);return i})()',
        });
      const { page, attempts, dialogs } = await show(t, exchange, { place, markup });
      const address = page.url();
      const downloads: string[] = [];
      page.on('download', (download) => downloads.push(download.url()));
      const { confirm, prompt, loop } = await attempts();
      assert.deepEqual([confirm, prompt, loop], ['got false', 'got null', 'got 1000']);
      await quiet(page);
      await assertUntouched(page, address);
      assert.deepEqual([dialogs, downloads], [[], []]);
    });

    await whole.test(`in ${place}: markup does not break out of its document`, async (t) => {
      const markup =
        `"></iframe></script></body></html><script>document.title='broken'</script><h1>Mine</h1>` +
        `'>--><plaintext>${trying({ alive: '1' }).replace('<script>', '</plaintext><script>')}`;
      bidWith(exchange.acme, markup);
      const page = await openPage(t);
      await page.goto(await servePage(t, PLACES[place]?.(exchange) ?? ''));
      await page.locator('iframe').waitFor();
      await quiet(page);
      assert.equal(await page.locator('h1').count(), 1);
      await assertUntouched(page, page.url());
    });

    await whole.test(
      `in ${place}: a frame that goes to the page's own origin stays a stranger`,
      async (t) => {
        const visit = await show(t, exchange, { place, markup: 'An ad' });
        const { page } = visit;
        await page.route('**/own.html', (route) =>
          route.fulfill({
            contentType: 'text/html',
            body: trying({ document: 'top.document.title', cookie: 'document.cookie' }),
          }),
        );
        const frame = await until(
          'the frame with the ad',
          5_000,
          () => page.frames()[place === 'the tag' ? 1 : 2],
        );
        await frame.evaluate(`location.href = ${JSON.stringify(`${page.url()}own.html`)}`);
        assert.deepEqual(await visit.attempts(), {
          document: 'refused: SecurityError',
          cookie: 'refused: SecurityError',
        });
      },
    );
  }

  await whole.test('an ad can open a page when somebody clicks', async (t) => {
    const markup = '<a href="http://shop.example/" target="_blank" style="font-size:99px">Buy</a>';
    const { page } = await show(t, exchange, { place: 'the tag', markup });
    await untilTold(page, 'rendered 4004');
    const opened = page.waitForEvent('popup');
    await page.locator('[data-rialto] iframe').click({ position: { x: 50, y: 60 } });
    await opened;
  });

  await whole.test('an ad that takes the focus by itself makes no click', async (t) => {
    const markup =
      '<input id="field"><script>setInterval(function(){window.focus();field.focus();console.log("focused")},50)</script>';
    const { page, said } = await show(t, exchange, { place: 'the tag', markup });
    await until('the ad is there', 10_000, () => said.includes('focused'));
    const soFar = said.length;
    await until('it has taken the focus again and again', 10_000, () => said.length > soFar + 5);
    await quiet(page);
    assert.ok(!(await toldBy(page)).includes('clicked 4004'), 'a click that nobody made');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'IFRAME');
  });

  await whole.test(
    'an ad that speaks for another slot, or repeats itself, counts nothing',
    async (t) => {
      const earlier = (await beaconRecords(exchange.node.dataDirectory)).length;
      const forged =
        '<script>setInterval(function(){for(var i=0;i<top.length;i++)top[i].postMessage("rialto:rendered","*");' +
        'top.postMessage("rialto:rendered","*");' +
        'top.postMessage({rialto:{ad_space:"4005",filled:false}},"*")},20)</script>';
      bidWith(exchange.acme, forged);
      const page = await openPage(t);
      let frames = 0;
      // The second ad never comes to be shown.
      await page.route('**/frame.html', (route) => {
        frames += 1;
        return frames === 1 ? route.continue() : route.abort();
      });
      const body = `${LISTENING}<div data-rialto="4004"></div><div data-rialto="4005"></div>`;
      await page.goto(await servePage(t, pageWithTag(exchange, body)));
      await untilTold(page, 'filled 4004');
      await untilTold(page, 'filled 4005');
      await until('one of both is in view', 5_000, async () =>
        (await toldBy(page)).some((each) => each.startsWith('viewable')),
      );
      const rendered = (await toldBy(page)).filter((each) => each.startsWith('rendered'));
      assert.equal(rendered.length, 1);
      await until('the view is on the disk', 5_000, async () => {
        return (await beaconRecords(exchange.node.dataDirectory)).length >= earlier + 2;
      });
      await quiet(page);
      const records = (await beaconRecords(exchange.node.dataDirectory)).slice(earlier);
      assert.deepEqual(records.map(({ kind }) => kind).toSorted(), ['impression', 'view']);
      assert.equal(await page.locator('[data-rialto] iframe').count(), 2);
    },
  );
});
