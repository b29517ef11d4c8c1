import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertHostileText,
  callShown,
  HOSTILE_NAME,
  openConsole,
  runCommand,
  startConsole,
  textOf,
  tokenOf,
  untilLoaded,
  USERS,
  type StartedConsole,
} from '../support/console.ts';

const { email: EMAIL, home: HOME } = USERS['demand-partner'];
const API = '/api/demand-partners/1001';
const LINE_ITEMS = '/api/demand-partners/1001/line-items/xch/';
/** What a browser logs of an answer that says no. */
const REFUSALS = /Failed to load resource/;

test('a demand partner does its work in the console', async (t) => {
  const server = await startConsole(t);
  await t.test('the overview has the numbers of the funnel', () => assertOverview(t, server));
  await t.test('a line item is made of a targeting, changed, paused and taken back', () =>
    assertLineItem(t, server),
  );
  await t.test('the list of auctions leads to why a bid lost', () => assertAuction(t, server));
  await t.test('a report is looked into, kept in its address, and saved', () =>
    assertReport(t, server),
  );
  await t.test('an application and its tokens work where programs use them', () =>
    assertApplication(t, server),
  );
  await t.test('a hostile name is text', () => assertHostileName(t, server));
});

async function assertOverview(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner');
  await visit(HOME);
  const funnel = page.getByRole('list', { name: /billed impressions/ });
  const shown = await funnel.locator('.numeric b').allInnerTexts();
  const date = new Date().toISOString().slice(0, 10);
  const { body } = await server.call('demand-partner', `${API}/funnel/?date=${date}`);
  assert.deepEqual(
    shown,
    body.steps.map(({ count }: { count: number }) => count.toLocaleString('en-US')),
  );
  assert.ok(body.steps.every(({ count }: { count: number }) => count > 0));
  const answer = await callShown(page, server, 'demand-partner', `GET ${API}/funnel/`);
  assert.deepEqual(answer.body, body, 'the command that is shown answers what the page shows');
  await page.getByRole('link', { name: 'Why bids lost' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lost bids' }).waitFor();
  await untilLoaded(page);
  assertClean();
}

async function assertLineItem(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner');
  await visit(`${HOME}/discovery`);
  await page
    .getByRole('radiogroup', { name: /^Countries/ })
    .getByText('Only')
    .click();
  await page.getByRole('combobox', { name: /^Countries/ }).fill('Germany');
  await page.getByRole('option', { name: /Germany/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 2, name: /Germany|DE/ }).waitFor();
  await page.getByRole('link', { name: 'Make a line item of this' }).click();

  await page.getByRole('textbox', { name: 'Name' }).fill('Germany in the evening');
  const qps = page.getByRole('textbox', { name: 'Bid requests per second' });
  await qps.fill('0');
  await page.getByRole('button', { name: 'Make the line item' }).click();
  const refused = page.locator('[aria-invalid=true]');
  await refused.waitFor();
  assert.equal(await refused.inputValue(), '0', 'the problem is at its field');
  await qps.fill('250');
  await page.getByRole('button', { name: 'Make the line item' }).click();
  await page.getByRole('heading', { level: 1, name: 'Germany in the evening' }).waitFor();
  const path = `${LINE_ITEMS}${/\d+$/.exec(new URL(page.url()).pathname)?.[0]}/`;
  const made = await server.call('demand-partner', path);
  assert.deepEqual(made.body.targeting.geo?.countries ?? made.body.targeting.countries, {
    identifiers: [{ code: 'DE' }],
    is_whitelist: true,
  });
  assert.equal(made.body.capping.max_qps, 250);

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Impressions a day' }).fill('5000');
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByText(/is saved/).waitFor();
  const saved = await server.call('demand-partner', path);
  assert.deepEqual(saved.body.capping, { max_qps: 250, max_daily_impressions: 5_000 });

  await page.getByRole('button', { name: 'Pause Germany in the evening' }).click();
  await page.getByRole('button', { name: 'Activate Germany in the evening' }).waitFor();
  assert.equal((await server.call('demand-partner', path)).body.status, 'PAUSED');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Pause Germany in the evening' }).waitFor();
  assert.equal((await server.call('demand-partner', path)).body.status, 'ACTIVE');
  assertClean(REFUSALS);
}

async function assertAuction(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner');
  await visit(`${HOME}/auctions?outcome=bid`);
  const list = page.getByRole('table', { name: 'Auctions' });
  await list.getByRole('row', { name: 'higher' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: /^Auction of/ }).waitFor();
  await untilLoaded(page);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { body } = await server.call('demand-partner', `/api/auctions/${id}/`);
  const lost = body.bids.find(({ won }: { won: boolean }) => !won);
  assert.match(lost.sentence, /^Acme DSP bid .* and lost: another bid was higher/);
  const main = await page.locator('main').innerText();
  assert.ok(main.includes(body.sentence), `${body.sentence} in ${main}`);
  assert.ok(main.includes(lost.sentence), `${lost.sentence} in ${main}`);
  const calls = page.getByRole('list', { name: 'Timeline of the calls' });
  assert.equal(await calls.getByRole('listitem').count(), body.calls.length);
  assertClean();
}

async function assertReport(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner');
  await visit(`${HOME}/reports`);
  await page.getByRole('combobox', { name: 'Group by' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Country' }).click();
  await page.getByRole('columnheader', { name: 'Country' }).waitFor();
  await page.keyboard.press('Escape');
  await untilLoaded(page);
  const before = await page.getByRole('table', { name: 'Report' }).innerText();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV of this table' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  const [head = '', ...lines] = csv.trim().split(/\r?\n/);
  const impressions = head.split(',').indexOf('impressions');
  const table = await rowsOf(page);
  assert.equal(head.split(',').slice(0, 2).join(), 'date,country_code');
  assert.deepEqual(
    lines.map((line) => line.split(',')).map((cells) => [cells[0], cells[1], cells[impressions]]),
    table.map((cells) => [cells[0], unknownAsEmpty(cells[1]), cells[3]?.replaceAll(',', '')]),
  );
  assert.ok(lines.length > 1);

  await page.reload();
  await untilLoaded(page);
  assert.equal(await page.getByRole('table', { name: 'Report' }).innerText(), before);
  await page.getByRole('table', { name: 'Report' }).locator('tbody tr').first().click();
  await page.getByRole('button', { name: /^Remove the filter Country/ }).waitFor();
  await untilLoaded(page);
  const filtered = await page.getByRole('table', { name: 'Report' }).innerText();
  assert.notEqual(filtered, before);
  await page.goBack();
  await page.getByRole('columnheader', { name: 'Country' }).waitFor();
  await untilLoaded(page);
  assert.equal(await page.getByRole('table', { name: 'Report' }).innerText(), before);
  assertClean();
}

async function rowsOf(page: Page): Promise<readonly string[][]> {
  const rows = await page.getByRole('table', { name: 'Report' }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
}

function unknownAsEmpty(text = ''): string {
  return text === 'unknown' ? '' : text;
}

async function assertApplication(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner');
  await visit('/v2/auth/applications/');
  await page.getByRole('button', { name: 'Register an application' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Campaign sync');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const id = await textOf(page, 'client_id');
  const secret = await textOf(page, 'client_secret');
  await tokenOf(server.node.urls.control, id, secret);
  const got = await runCommand(await textOf(page, 'Command that gets an access token'));
  assert.equal(got.status, 200, JSON.stringify(got.body));
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'Campaign sync' }).click();
  await page.getByRole('heading', { level: 1, name: 'Campaign sync' }).waitFor();
  await untilLoaded(page);
  assert.ok(!(await page.content()).includes(secret), 'the secret is shown once');

  await page.getByRole('button', { name: 'Generate a token' }).click();
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const token = await textOf(page, 'access_token');
  const command = await textOf(page, 'First call with the token');
  const self = await runCommand(command);
  assert.deepEqual([self.status, self.body.email], [200, EMAIL]);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const revoke = page.getByRole('button', { name: /^Revoke the token/ });
  await revoke.first().waitFor();
  const all = await revoke.all();
  const names = await Promise.all(all.map((each) => each.getAttribute('aria-label')));
  const prefix =
    names
      .map((name) => name?.replace('Revoke the token ', '') ?? '')
      .find((each) => token.startsWith(each)) ?? assert.fail(names.join());
  await page.getByRole('button', { name: `Revoke the token ${prefix}` }).click();
  await page.getByRole('textbox', { name: /to confirm/ }).fill(prefix);
  await page.getByRole('button', { name: 'Revoke the token', exact: true }).click();
  await page.getByText('The token is revoked.').waitFor();
  assert.equal((await runCommand(command)).status, 401);
  assertClean();
}

async function assertHostileName(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'demand-partner', {
    viewport: { width: 390, height: 844 },
  });
  const { status, body } = await server.call('demand-partner', LINE_ITEMS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: HOSTILE_NAME, description: HOSTILE_NAME, status: 'PAUSED' }),
  });
  assert.equal(status, 201, JSON.stringify(body));
  const addresses = [
    '/line-items',
    `/line-items/${body.id}`,
    `/line-items/${body.id}?tab=settings`,
  ];
  for (const path of addresses) {
    await visit(HOME + path);
    await assertHostileText(page);
  }
  assertClean();
}
