import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { AUTH_URL, openManagement } from '../support/management.ts';

test('the reference fits a phone, loads nothing from elsewhere, breaks no policy, and can be read by keyboard', async (t) => {
  const { app } = await openManagement(t);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const page = await openPage(t);
  const told: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/reference/`);
  assert.deepEqual(
    asked.filter((each) => !each.startsWith(`${url}/`)),
    [],
  );
  assert.ok(await page.evaluate('document.styleSheets[0].cssRules.length > 10'));
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);

  const colours: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    // The page stays the same one.
    // oxlint-disable-next-line no-await-in-loop
    await page.emulateMedia({ colorScheme });
    // oxlint-disable-next-line no-await-in-loop
    colours.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
  }
  assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(20, 24, 29)']);

  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the operations');
  await page.click('nav a[href="#updateLineItem"]');
  assert.ok(await page.isVisible('#updateLineItem-title'));
  const answer = page.locator('#updateLineItem details summary').first();
  await answer.focus();
  await page.keyboard.press('Enter');
  assert.ok((await page.locator('#updateLineItem details').first().getAttribute('open')) !== null);
  assert.match(
    await page.innerText('#updateLineItem'),
    new RegExp(`curl -X PATCH '${AUTH_URL}/api/`),
  );
  // Every anchor of the page leads to a place in it.
  const dead = await page.evaluate(
    `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.hash.slice(1)).filter((id) => document.getElementById(id) === null)`,
  );
  assert.deepEqual(dead, []);
  assert.deepEqual(told, []);
});
