import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { LOCALHOST, startTlsServer } from '../../src/adapters/http-tls-fixture.ts';
import { signatureOf } from '../../src/subscriptions/signature.ts';
import { startExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';
import { headerOf, startMailServer } from '../support/smtp.ts';
import { until } from '../support/wait.ts';
import { allowLocalWebhooks, startReceiver } from '../support/webhook-receiver.ts';

const PASSWORD = 'hush-hush';
/** Bolt's, the second of two. */
const LAST_ENDPOINT = /http:\/\/127\.0\.0\.1:\d+\/bid(?![^]*\/bid)/;

/** A mail server that asks for a password over STARTTLS, and how a node is told of it. */
async function startMail(t: TestContext) {
  const server = await startMailServer(t, {
    ...LOCALHOST,
    authOptional: false,
    onAuth: ({ username, password }, _, done) =>
      done(null, password === PASSWORD ? { user: username } : undefined),
  });
  const directory = mkdtempSync(join(tmpdir(), 'rialto-mail-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  const authority = join(directory, 'authority.pem');
  writeFileSync(authority, LOCALHOST.cert);
  return {
    taken: server.taken,
    env: {
      RIALTO_SMTP_HOST: 'localhost',
      RIALTO_SMTP_PORT: String(server.port),
      RIALTO_SMTP_FROM: 'rialto@exchange.example',
      RIALTO_SMTP_USER: 'rialto',
      RIALTO_SMTP_PASSWORD_FILE: passwordFile,
      NODE_EXTRA_CA_CERTS: authority,
    },
  };
}

test('a node tells a webhook, signed, and a person by e-mail what changes', async (t) => {
  const { url, received } = await startReceiver(t);
  const mail = await startMail(t);
  const bidder = await startTlsServer(LOCALHOST);
  t.after(() => bidder.close());
  const { node } = await startExchange({
    t,
    // The certificate of these tests is valid for a century.
    env: { ...mail.env, RIALTO_CERTIFICATE_DAYS: '36500' },
    edit: (yaml) =>
      allowLocalWebhooks(yaml).replace(LAST_ENDPOINT, `https://127.0.0.1:${bidder.port}/bid`),
  });
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${node.urls.control}${path}`, init);
    assert.ok(response.ok, `${path} answers ${response.status}`);
    const body: ReturnType<typeof JSON.parse> = await response.json();
    return body;
  };
  const grant = { grant_type: 'client_credentials', client_id: 'ops', client_secret: 'ops-secret' };
  const { access_token: token } = await call('/v2/auth/token/', {
    method: 'POST',
    body: new URLSearchParams({ ...grant, scope: 'read write' }),
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const events = ['attention.raised', 'attention.resolved', 'certificate.expiring'];
  const { id, secret } = await call('/api/webhooks/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Pager', address: url, events }),
  });
  await call('/api/email-recipients/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Night shift', address: 'night@operator.example', events }),
  });
  const next = async (type: string, code?: string) => {
    const found = await until(`${type} has come`, 40_000, async () => {
      const all = received.map(({ headers: of, body }) => ({
        of,
        text: body,
        said: JSON.parse(body),
      }));
      return all.find(
        ({ said }) => said.type === type && (code === undefined || said.data.code === code),
      );
    });
    const time = /^t=(\d+)/.exec(String(found.of['rialto-signature']))?.[1];
    assert.equal(found.of['rialto-signature'], signatureOf([secret], Number(time), found.text));
    assert.equal(found.of['content-type'], 'application/json');
    return found.said;
  };
  const { authorization } = headers;
  const asked = { method: 'POST', headers: { authorization } };
  const sent = await call(`/api/webhooks/${id}/test/`, asked);
  assert.equal((await next('subscription.test')).id, sent.event_id);
  assert.equal((await next('certificate.expiring')).data.host, `127.0.0.1:${bidder.port}`);
  const { attention } = await call('/api/status/', { headers });
  const certificate = attention.find(
    ({ code }: { code: string }) => code === 'certificate_expiring',
  );
  assert.equal(certificate?.demand_partner_id, 1002);
  assert.match(
    await (await fetch(node.urls.metrics)).text(),
    /^rialto_certificate_expiry_timestamp_seconds\{[^}]*demand_partner="1002",host="127\.0\.0\.1:\d+"\} 49\d{8}$/m,
  );
  const place = ['--data', node.dataDirectory];
  assert.equal((await runRialto(['bidders', 'stop', '1002', ...place])).code, 0);
  const raised = await next('attention.raised', 'bidder_stopped');
  assert.equal(raised.data.demand_partner_id, 1002);
  assert.equal((await runRialto(['bidders', 'start', '1002', ...place])).code, 0);
  await next('attention.resolved', 'bidder_stopped');
  const [raisedMail, resolvedMail] = await until('both mails have come', 40_000, async () => {
    const about = mail.taken.filter(({ raw }) => raw.includes('code: bidder_stopped'));
    return about.length >= 2 && about;
  });
  assert.ok(raisedMail !== undefined && resolvedMail !== undefined);
  assert.match(headerOf(raisedMail.raw, 'Subject') ?? '', /^\[Rialto\] Demand partner 1002: /);
  assert.match(headerOf(resolvedMail.raw, 'Subject') ?? '', /^\[Rialto\] Resolved: Demand/);
  assert.deepEqual(
    [raisedMail.to, raisedMail.isSecure, raisedMail.user],
    [['night@operator.example'], true, 'rialto'],
  );
  const log = await until('all is noted', 5_000, async () => {
    const all = await call(`/api/webhooks/${id}/deliveries/`, { headers });
    return all.every(({ state }: { state: string }) => state === 'delivered') && all;
  });
  assert.equal(new Set(log.map((each: { event_id: string }) => each.event_id)).size, log.length);
});
