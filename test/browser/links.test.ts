import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../support/management.ts';
import { openPage } from '../support/browser.ts';

test('on a phone, without a script, a link sets the password, and the token leaves the address', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const email = `"><img/src=x>@an-address-that-does-not-fit-into-the-width-of-a-phone.evil.example`;
  const made = await api('POST', '/users/', { email, groups: ['operator'] });
  const base = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const page = await openPage(t);
  await page.setViewportSize({ width: 320, height: 640 });
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const asked: { readonly url: string; readonly referrer: string | undefined }[] = [];
  page.on('request', (request) => {
    asked.push({ url: request.url(), referrer: request.headers()['referer'] });
  });
  await page.goto(made.body.invitation.url.replace('http://localhost:8080', base));
  assert.equal(await page.locator('#email').inputValue(), email.toLowerCase());
  assert.equal(await page.locator('img, script').count(), 0);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= 320, `${width} pixels wide`);
  const styleOf = (name: string, property: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('${name}')).${property}`);
  const [button, font] = [
    await styleOf('button', 'backgroundColor'),
    await styleOf('body', 'fontSize'),
  ];
  assert.deepEqual([button, font], ['rgb(11, 112, 132)', '14px'], 'the policy lets the style in');
  await page.fill('#password', 'a long password');
  await page.fill('#again', 'a long password');
  await page.click('button');
  await page.getByRole('heading', { name: 'The password is set' }).waitFor();
  assert.equal(page.url(), `${base}/v2/auth/link/?`);
  assert.ok(asked.every(({ referrer }) => referrer === undefined));
  const others = asked.filter(({ url }) => !url.includes('/v2/auth/link/'));
  assert.deepEqual(
    others.map(({ url }) => new URL(url).pathname).filter((path) => path !== '/favicon.ico'),
    [],
  );
  assert.deepEqual(
    said.filter((text) => /Content Security Policy|Refused/.test(text)),
    [],
  );
});
