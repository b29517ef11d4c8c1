import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import {
  openConsole,
  PAGE_MS,
  startConsole,
  textOf,
  untilLoaded,
  USERS,
  type StartedConsole,
} from '../support/console.ts';
import { openStore } from '../support/configuration-store.ts';
import { until } from '../support/wait.ts';

const { 'demand-partner': ACME, publisher: PLANET } = USERS;
const NEW_LINE_ITEM = `${ACME.home}/line-items/new`;
/** What a browser logs of an answer that says no, and of none at all. */
const REFUSALS = /Failed to load resource/;

test('people sign in, stay where they are, and sign out', async (t) => {
  const server = await startConsole(t, { requests: 0 });
  await t.test('a wrong password says so, and the right one leads home', () =>
    assertSignIn(t, server),
  );
  await t.test('an address is opened once its user has signed in, if it is of the console', () =>
    assertReturn(t, server),
  );
  await t.test('without a mouse as well', () => assertKeyboard(t, server));
  await t.test('who was signed out goes on where they were, with what they typed', () =>
    assertSessionEnds(t, server),
  );
  await t.test('a new password ends the sessions of other browsers alone', () =>
    assertPasswordChange(t, server),
  );
  await t.test('a one-time link leads to the sign-in', () => assertLink(t, server));
  await t.test('who needs a second factor sets one up, and signs in with its codes', () =>
    assertSecondFactor(t, server),
  );
  await t.test('an exchange that has shown no ad has a list of first steps', () =>
    assertFirstSteps(t, server),
  );
  await t.test('while control is away that is said, and it goes on by itself', () =>
    assertAway(t, server),
  );
  await t.test('a page that cannot be loaded comes once control is back', () =>
    assertPageComes(t, server),
  );
});

async function assertSignIn(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, null);
  await visit('/');
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await fillSignIn(page, PLANET.email, 'wrong-password');
  assert.match(await page.getByRole('alert').innerText(), /password/);
  assert.equal(await page.getByLabel('E-mail').inputValue(), PLANET.email);
  await fillSignIn(page, PLANET.email, PLANET.password);
  await untilAt(page, PLANET.home);
  await page.getByRole('heading', { level: 1, name: 'Daily Planet' }).waitFor();
  await page.getByRole('button', { name: `Account of ${PLANET.email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilAt(page, '/sign-in');
  await page.goBack();
  await untilAt(page, '/sign-in');
  await visit(PLANET.home);
  assert.equal(new URL(page.url()).pathname, '/sign-in', 'the session is over');
  assertClean(REFUSALS);
}

async function assertReturn(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, null);
  const wanted = `${ACME.home}/line-items/501?tab=settings`;
  await visit(wanted);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await fillSignIn(page, ACME.email, ACME.password);
  await until('the address is opened', PAGE_MS, () => page.url() === server.url + wanted);
  await page.getByRole('heading', { level: 1, name: 'Acme everywhere' }).waitFor();
  for (const foreign of ['//evil.example/', '/\\evil.example/', 'https://evil.example/', '']) {
    await page.context().clearCookies();
    await visit(`/sign-in?return_to=${encodeURIComponent(foreign)}`);
    await fillSignIn(page, ACME.email, ACME.password);
    await untilAt(page, ACME.home);
    assert.equal(new URL(page.url()).origin, server.url);
  }
  // The page before asks on for a while.
  assertClean(REFUSALS);
}

async function assertKeyboard(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit } = await openConsole(t, server, null);
  await visit('/sign-in');
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(ACME.email);
  await tabTo(page, passwordField(page));
  await page.keyboard.type(ACME.password);
  await page.keyboard.press('Enter');
  await untilAt(page, ACME.home);
  await untilLoaded(page);
  await tabTo(page, page.getByRole('link', { name: 'Line items', exact: true }).first());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Line items' }).waitFor();
}

async function assertSessionEnds(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit } = await openConsole(t, server, 'demand-partner');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const again = async (why: string): Promise<void> => {
    // Something that asks: the page itself asks every few seconds.
    await page.getByRole('button', { name: 'Make the line item' }).click();
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel('E-mail').inputValue(), ACME.email, why);
    await passwordField(dialog).fill(ACME.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await nameField(page).inputValue(), 'Half typed', why);
    assert.equal(page.url(), server.url + NEW_LINE_ITEM, why);
  };
  await visit(NEW_LINE_ITEM);
  await nameField(page).fill('Half typed');

  const store = await openStore(join(server.node.dataDirectory, 'configuration.sqlite'));
  t.after(() => store.destroy());
  await store.deleteFrom('sessions').execute();
  await again('the session is gone');

  const { body: users } = await server.call('operator', '/api/users/');
  const { id } = users.find(({ email }: { email: string }) => email === ACME.email);
  for (const status of ['PAUSED', 'ACTIVE']) {
    const paused = await server.call('operator', `/api/users/${id}/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    });
    assert.equal(paused.status, 200, JSON.stringify(paused.body));
  }
  await again('the user was paused');

  const tab = await page.context().newPage();
  await tab.goto(server.url + ACME.home);
  await tab.getByRole('button', { name: `Account of ${ACME.email}` }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilAt(tab, '/sign-in');
  await again('signed out in another tab');

  await nameField(page).fill('Typed to the end');
  await page.getByRole('button', { name: 'Make the line item' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed to the end' }).waitFor();
}

async function assertPasswordChange(t: TestContext, server: StartedConsole): Promise<void> {
  const own = await openConsole(t, server, 'publisher');
  const other = await openConsole(t, server, 'publisher');
  await other.visit(PLANET.home);
  await own.visit('/account');
  const change = async (present: string, next: string): Promise<void> => {
    const form = own.page.getByRole('form', { name: 'Change the password' });
    await form.locator('input[autocomplete=current-password]').fill(present);
    const fields = form.locator('input[autocomplete=new-password]');
    await fields.first().fill(next);
    await fields.last().fill(next);
    await form.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not the password', 'a-new-password');
  await own.page
    .getByText(/present password|is not/i)
    .first()
    .waitFor();
  await change(PLANET.password, 'a-new-password');
  await own.page.getByText('The password is changed').waitFor();
  await own.visit(PLANET.home);
  assert.equal(new URL(own.page.url()).pathname, PLANET.home, 'this session goes on');
  await other.page.reload();
  await untilAt(other.page, '/sign-in');
  await fillSignIn(other.page, PLANET.email, 'a-new-password');
  await untilAt(other.page, PLANET.home);
}

async function assertLink(t: TestContext, server: StartedConsole): Promise<void> {
  const { body } = await server.call('operator', '/api/users/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'new@acme.example',
      association: { type: 'DEMAND_PARTNER', entity_id: 1001 },
    }),
  });
  const { page, assertClean } = await openConsole(t, server, null);
  await page.goto(body.invitation.url);
  const fields = page.locator('input[type=password]');
  await fields.first().fill('chosen by the new one');
  await fields.last().fill('chosen by the new one');
  await page.getByRole('button').first().click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await untilAt(page, '/sign-in');
  await fillSignIn(page, 'new@acme.example', 'chosen by the new one');
  await untilAt(page, ACME.home);
  assertClean();
}

async function assertSecondFactor(t: TestContext, server: StartedConsole): Promise<void> {
  const require = (isRequired: boolean) =>
    server.call('operator', '/api/exchange/', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ require_second_factor: isRequired }),
    });
  assert.equal((await require(true)).status, 200);
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator/users');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  const asking = page.getByRole('form', { name: 'Set up a second factor' });
  await asking.locator('input[type=password]').fill(USERS.operator.password);
  await asking.getByRole('button', { name: 'Set up a second factor' }).click();
  await page.getByRole('img', { name: 'QR code of the second factor' }).waitFor();
  const totp = new TOTP({ secret: await textOf(page, 'the secret of the second factor') });
  const confirming = page.getByRole('form', { name: 'Turn on the second factor' });
  // A step back, so that the present one is there for the sign-in.
  await confirming.getByRole('textbox').fill(totp.generate({ timestamp: Date.now() - 30_000 }));
  await confirming.getByRole('button', { name: 'Turn on the second factor' }).click();
  await page.getByText('Your second factor is on').waitFor();
  await page.getByText('you can only look').waitFor({ state: 'hidden' });
  assertClean();

  const other = await openConsole(t, server, null);
  await other.visit('/sign-in');
  await fillSignIn(other.page, USERS.operator.email, USERS.operator.password);
  const code = other.page.locator('input[name=code]');
  await code.fill('000000');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByRole('alert').getByText('code is wrong').waitFor();
  await code.fill(totp.generate());
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await untilAt(other.page, '/operator');
  await other.visit('/operator/users');
  await other.page
    .getByRole('button', { name: `Second factor lost for ${USERS.operator.email}` })
    .click();
  const link = await textOf(other.page, 'the one-time link');
  await other.page.goto(link);
  await other.page.getByRole('button', { name: 'Remove the second factor' }).click();
  await other.page.getByText('has no second factor any more').waitFor();
  assert.equal((await require(false)).status, 200);
}

async function assertFirstSteps(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator');
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  const told = async (): Promise<string[]> =>
    (await steps.allInnerTexts()).map((text) => /– (done|to do)/.exec(text)?.[1] ?? text);
  await steps.first().waitFor();
  assert.deepEqual(await told(), ['done', 'to do', 'done', 'done', 'to do', 'to do']);
  const tested = await server.call('operator', '/api/demand-partners/1001/bidder/test-request/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ad_format: 'banner', size: '320x50' }),
  });
  assert.equal(tested.body.outcome, 'bid', JSON.stringify(tested.body));
  await until('the answer is told', PAGE_MS, async () => (await told())[1] === 'done');
  await page.getByRole('link', { name: 'Receive the first ad request' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.match(page.url(), /\/publishers\/2001\/ad-spaces\/4001\?tab=tags$/);
  await visit('/operator/audit-log?action=tested');
  await page.getByText('bidder of demand partner 1001').waitFor();
  assertClean();
}

async function assertAway(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit } = await openConsole(t, server, 'demand-partner');
  await visit(`${ACME.home}/line-items/501`);
  const banner = page.getByText('Trying again by itself');
  await page.getByRole('combobox', { name: 'Days' }).click();
  const choice = page.getByRole('option', { name: 'Last 30 days' });
  await choice.waitFor();
  server.node.kill('control');
  await choice.click();
  await banner.waitFor();
  await until('control is back', PAGE_MS, async () => {
    const renamed = await server
      .call('operator', '/api/demand-partners/1001/line-items/xch/501/', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Renamed meanwhile' }),
      })
      .catch(() => null);
    return renamed?.status === 200;
  });
  await banner.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name: 'Renamed meanwhile' }).waitFor();
}

async function assertPageComes(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit } = await openConsole(t, server, 'demand-partner');
  await visit(`${ACME.home}/line-items`);
  const mark = 'what a page loses that is loaded anew';
  await page.evaluate(`document.title = '${mark}'`);
  const away = /\/assets\/|\/livez$/;
  await page.route(away, (route) => route.abort());
  const asked = page.waitForRequest(/\/livez$/);
  await page.getByRole('link', { name: 'Lost bids' }).click();
  await asked;
  assert.equal(await page.title(), mark);
  await page.unroute(away);
  await page.getByRole('heading', { level: 1, name: 'Lost bids' }).waitFor();
  await page.getByText('Trying again by itself').waitFor({ state: 'hidden' });
}

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Not the button beside it that shows what was typed. */
function passwordField(within: Page | Locator): Locator {
  return within.locator('input[name=password]');
}

function nameField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Name' });
}

async function untilAt(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

/** Goes on by the keyboard until an element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let step = 0; step < 60; step += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`no key leads to ${wanted.toString()}`);
}
