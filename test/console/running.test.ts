import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { signatureOf } from '../../src/subscriptions/signature.ts';
import {
  assertHostileText,
  HOSTILE_NAME,
  openConsole,
  startConsole,
  textOf,
  untilLoaded,
  USERS,
  type StartedConsole,
} from '../support/console.ts';
import { headerOf, startMailServer, type MailServer } from '../support/smtp.ts';
import { allowLocalWebhooks, startReceiver } from '../support/webhook-receiver.ts';

const { home: PUBLISHER } = USERS.publisher;
const REQUESTS = 60;
/** Fills every ad space. */
const RICH = { price: { medianUsd: 8, spread: 0 } };

test('publishers and operators do their work in the console', async (t) => {
  const mail = await startMailServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] });
  const from = ['--smtp-from', 'rialto@exchange.example', '--smtp-tls', 'off'];
  const server = await startConsole(t, {
    requests: REQUESTS,
    acme: RICH,
    edit: allowLocalWebhooks,
    args: ['--smtp-host', '127.0.0.1', '--smtp-port', String(mail.port), ...from],
  });
  await t.test('the operator sees the traffic of now', () => assertLive(t, server));
  await t.test('a site and an ad space are made, and its tag is ready to copy', () =>
    assertAdSpace(t, server),
  );
  await t.test('a preview shows a test ad', () => assertPreview(t, server));
  await t.test('a creative is blocked', () => assertBlock(t, server));
  await t.test('a hostile name of an ad space is text', () => assertHostileName(t, server));
  await t.test('a bidder is stopped by its name, and started again', () => assertStop(t, server));
  await t.test('a user is invited by a link', () => assertInvitation(t, server));
  await t.test('a deal is made', () => assertDeal(t, server));
  await t.test('a webhook is made, and gets its test', () => assertWebhook(t, server));
  await t.test('somebody is sent e-mail, and gets a test', () => assertRecipient(t, server, mail));
  await t.test('the audit log has all of it, and the status is shown', () =>
    assertAuditLog(t, server),
  );
});

async function assertLive(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator');
  await page.getByText(`${REQUESTS} in all`).waitFor();
  await page.getByText('Acme DSP').first().waitFor();
  const steps = page.getByRole('region', { name: 'First steps' });
  assert.equal(await steps.count(), 0, 'they are done');
  assertClean();
}

async function assertAdSpace(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'publisher');
  await visit(`${PUBLISHER}/properties/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Evening Planet');
  await page.getByRole('textbox', { name: 'Domain' }).fill('evening.example');
  await page.getByRole('button', { name: 'Add the site' }).click();
  await page.getByRole('heading', { level: 1, name: 'Evening Planet' }).waitFor();
  const site = Number(new URL(page.url()).pathname.split('/').at(-1));

  await visit(`${PUBLISHER}/ad-spaces/new?in=${site}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Evening box');
  await page.getByRole('button', { name: 'Add the ad space' }).click();
  await page.getByRole('heading', { level: 1, name: 'Evening box' }).waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  const tag = await textOf(page, 'the Script tag');
  assert.match(tag, new RegExp(`data-rialto="${id}"`));
  const { body } = await server.call('operator', `/api/publishers/2001/ad-spaces/${id}/`);
  assert.deepEqual([body.site_id, body.name], [site, 'Evening box']);
  assertClean();
}

async function assertPreview(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'publisher');
  await visit(`${PUBLISHER}/ad-spaces/4004?tab=preview`);
  const preview = page.getByRole('region', { name: 'Banner preview' });
  await preview.getByText('Somebody bought.').waitFor();
  const ad = page.frameLocator('iframe[title="Test ad in ad space 4004"]');
  await ad.locator('body *').first().waitFor({ state: 'attached' });
  assertClean();
}

async function assertBlock(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'publisher');
  await visit(`${PUBLISHER}/creatives`);
  const row = page.getByRole('row').filter({ hasText: 'shown' }).first();
  const crid = await row.getByRole('button').first().innerText();
  await row.getByRole('button', { name: 'Actions for the creative' }).click();
  await page.getByRole('menuitem', { name: 'Block…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('not on our pages');
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: crid })
    .filter({ hasText: 'not on our pages' })
    .waitFor();
  const { body } = await server.call('operator', '/api/creative-reviews/?publisher=2001');
  assert.deepEqual(
    body.map(({ crid: id, verdict, reason }: Record<string, string>) => [id, verdict, reason]),
    [[crid, 'blocked', 'not on our pages']],
  );
  assertClean();
}

async function assertHostileName(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'publisher', {
    viewport: { width: 390, height: 844 },
  });
  const path = '/api/publishers/2001/ad-spaces/4004/';
  const { status, body } = await server.call('operator', path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: HOSTILE_NAME }),
  });
  assert.equal(status, 200, JSON.stringify(body));
  const addresses = [
    `${PUBLISHER}/ad-spaces`,
    `${PUBLISHER}/ad-spaces/4004`,
    `${PUBLISHER}/ad-spaces/4004?tab=tags`,
    `${PUBLISHER}/reports?by=["zone_id"]`,
  ];
  for (const address of addresses) {
    await visit(address);
    await assertHostileText(page);
  }
  assertClean();
}

async function assertStop(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator/demand-partners/1002');
  await page.getByRole('button', { name: 'Stop the bidder of Bolt DSP' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop the bidder' });
  const stop = dialog.getByRole('button', { name: 'Stop all calls' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('answers nonsense');
  await dialog.getByRole('textbox', { name: /to confirm/ }).fill('Bolt');
  assert.equal(await stop.isDisabled(), true, 'half a name confirms nothing');
  await dialog.getByRole('textbox', { name: /to confirm/ }).fill('Bolt DSP');
  await stop.click();
  await page.getByText('The exchange does not call this bidder').waitFor();
  const path = '/api/demand-partners/1002/';
  assert.equal((await server.call('operator', path)).body.stopped.reason, 'answers nonsense');
  await page.getByRole('button', { name: 'Start the bidder of Bolt DSP' }).click();
  await page.getByRole('button', { name: 'Stop the bidder of Bolt DSP' }).waitFor();
  assert.equal((await server.call('operator', path)).body.stopped, null);
  assertClean();
}

async function assertInvitation(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator/users');
  await page.getByRole('button', { name: 'Invite a user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a user' });
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('trader@bolt.example');
  await dialog.getByRole('combobox', { name: 'Demand partner' }).fill('Bolt');
  await page.getByRole('option', { name: /Bolt DSP/ }).click();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await textOf(page, 'the one-time link');
  assert.equal(new URL(link).origin, server.url);
  const guest = await openConsole(t, server, null);
  await guest.page.goto(link);
  const fields = guest.page.locator('input[type=password]');
  await fields.first().fill('chosen by the trader');
  await fields.last().fill('chosen by the trader');
  await guest.page.getByRole('button').first().click();
  await guest.page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('row').filter({ hasText: 'trader@bolt.example' }).waitFor();
  assertClean();
}

async function assertDeal(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator/deals/new/deal');
  await page.getByRole('textbox', { name: 'Name' }).fill('Evening deal');
  await page.getByRole('textbox', { name: 'Deal id' }).fill('evening-1');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: /^fixed price/ }).click();
  await page.getByRole('textbox', { name: 'Price' }).fill('2.5');
  await page.getByRole('combobox', { name: 'Publisher' }).click();
  await page.getByRole('option', { name: /Daily Planet/ }).click();
  await page.getByRole('combobox', { name: 'Its ad spaces in the deal' }).fill('4005');
  await page.getByRole('option', { name: /4005/ }).click();
  await page.getByRole('combobox', { name: 'Seats' }).fill('bolt-1');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create the deal' }).click();
  await page.getByRole('link', { name: 'Evening deal' }).waitFor();
  const { body } = await server.call('operator', '/api/deals/evening-1/');
  assert.deepEqual(
    [body.type, body.price, body.ad_spaces, body.seats],
    ['fixed_price', 2.5, [4005], ['bolt-1']],
  );
  assertClean();
}

async function assertAuditLog(t: TestContext, server: StartedConsole): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/operator/audit-log');
  const log = await page.locator('main').innerText();
  for (const done of [/created\s+[^\n]* deal evening-1/i, /invited/i, /stopped/i, /started/i]) {
    assert.match(log, done);
  }
  await visit('/operator/status');
  await page.getByText('Version of Rialto').waitFor();
  await untilLoaded(page);
  assertClean();
}

async function assertWebhook(t: TestContext, server: StartedConsole): Promise<void> {
  const receiver = await startReceiver(t);
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/webhooks');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Create a webhook' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await form.getByRole('checkbox', { name: 'A bidder fails' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = page.getByRole('dialog', { name: 'The secret of the webhook' });
  const secret = await textOf(page, 'secret');
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'Pager' }).click();
  await page.getByRole('heading', { level: 1, name: 'Pager' }).waitFor();
  await sendTest(page);
  const [delivery] = receiver.received;
  assert.ok(delivery !== undefined);
  const signature = String(delivery.headers['rialto-signature']);
  const time = /^t=(\d+)/.exec(signature)?.[1];
  assert.equal(signature, signatureOf([secret], Number(time), delivery.body));
  assertClean();
}

async function assertRecipient(
  t: TestContext,
  server: StartedConsole,
  mail: MailServer,
): Promise<void> {
  const { page, visit, assertClean } = await openConsole(t, server, 'operator');
  await visit('/email-recipients');
  await page.getByRole('button', { name: 'Create an e-mail recipient' }).click();
  const form = page.getByRole('dialog', { name: 'Create an e-mail recipient' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Night shift');
  await form.getByRole('textbox', { name: 'Address' }).fill('night@operator.example');
  await form.getByRole('checkbox', { name: 'Something else needs attention' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Night shift' }).click();
  await page.getByRole('heading', { level: 1, name: 'Night shift' }).waitFor();
  await sendTest(page);
  const [sent] = mail.taken;
  assert.ok(sent !== undefined);
  assert.deepEqual(sent.to, ['night@operator.example']);
  assert.equal(headerOf(sent.raw, 'Subject'), '[Rialto] Test of e-mail');
  assertClean();
}

async function sendTest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send a test' }).click();
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByRole('row', { name: /subscription\.test .* delivered/i }).waitFor();
}
