import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { before, test, type TestContext } from 'node:test';
import { atEnd } from '../../test/support/at-end.ts';
import { headerOf, startMailServer } from '../../test/support/smtp.ts';
import { LOCALHOST, OTHER, trustTestCertificates } from './http-tls-fixture.ts';
import { createSmtpMailer, type SmtpSettings } from './smtp-mailer.ts';

const MAIL = {
  id: 'dlv_1',
  to: 'ana@acme.example',
  subject: 'A bidder fails',
  text: 'It fails.\n',
};
const PLAIN = {
  host: '127.0.0.1',
  tls: 'off',
  from: 'rialto@exchange.example',
  credentials: null,
} as const;

before(() => trustTestCertificates());

function mailerOf(t: TestContext, settings: SmtpSettings) {
  const mailer = createSmtpMailer(settings);
  atEnd(t, () => mailer.close(0));
  return mailer;
}

test('a mail has its sender, one recipient, an id of its own, and is no cause to answer', async (t) => {
  const server = await startMailServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] });
  const mailer = mailerOf(t, { ...PLAIN, port: server.port });
  assert.deepEqual(await mailer.send(MAIL), { kind: 'answer', status: 250, about: 'mail' });
  const [mail] = server.taken;
  assert.ok(mail !== undefined);
  assert.deepEqual([mail.from, mail.to], ['rialto@exchange.example', ['ana@acme.example']]);
  const headers = ['From', 'To', 'Subject', 'Message-ID', 'Auto-Submitted', 'Content-Type'];
  assert.deepEqual(
    headers.map((name) => headerOf(mail.raw, name)),
    [
      'Rialto <rialto@exchange.example>',
      'ana@acme.example',
      'A bidder fails',
      '<dlv_1@exchange.example>',
      'auto-generated',
      'text/plain; charset=utf-8',
    ],
  );
  assert.match(mail.raw, /\r\n\r\nIt fails\.\r\n$/);
});

test('nothing in a subject or an address makes a header or another recipient', async (t) => {
  const server = await startMailServer(t, { disabledCommands: ['STARTTLS', 'AUTH'] });
  const mailer = mailerOf(t, { ...PLAIN, port: server.port });
  const subject = 'Creative\r\nBcc: eve@evil.example\r\n\r\nbody';
  await mailer.send({ ...MAIL, subject });
  const [mail] = server.taken;
  assert.ok(mail !== undefined);
  assert.equal(headerOf(mail.raw, 'Bcc'), undefined);
  assert.deepEqual(mail.to, [MAIL.to]);
  for (const to of [
    'ana@acme.example>\r\nRCPT TO:<eve@evil.example',
    'a@b.example, eve@evil.example',
  ]) {
    await mailer.send({ ...MAIL, to });
  }
  assert.ok(!server.taken.some(({ to }) => to.includes('eve@evil.example')));
});

for (const tls of ['starttls', 'tls'] as const) {
  test(`over ${tls} the server's name is checked before anybody signs in`, async (t) => {
    const signIns: string[] = [];
    const server = await startMailServer(t, {
      ...LOCALHOST,
      secure: tls === 'tls',
      authOptional: false,
      onAuth: ({ username, password }, _, done) => {
        signIns.push(`${username}:${password}`);
        done(null, password === 'right' ? { user: username } : undefined);
      },
    });
    const settings = { ...PLAIN, host: 'localhost', port: server.port, tls };
    const as = (password: string) =>
      mailerOf(t, { ...settings, credentials: { user: 'u', password } });
    assert.equal((await as('right').send(MAIL)).kind, 'answer');
    assert.deepEqual([server.taken[0]?.isSecure, server.taken[0]?.user], [true, 'u']);
    const refused = await as('wrong').send(MAIL);
    assert.deepEqual(refused, { kind: 'answer', status: 535, about: 'session' });

    const other = await startMailServer(t, {
      ...OTHER,
      secure: tls === 'tls',
      onAuth: () => signIns.push('leaked'),
    });
    const wrong = mailerOf(t, {
      ...settings,
      port: other.port,
      credentials: { user: 'u', password: 'p' },
    });
    assert.deepEqual(await wrong.send(MAIL), {
      kind: 'error',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    assert.deepEqual(signIns, ['u:right', 'u:wrong']);
  });
}

test('a server without STARTTLS is handed nothing where it is asked for', async (t) => {
  const server = await startMailServer(t, { disabledCommands: ['STARTTLS'] });
  const reply = await mailerOf(t, { ...PLAIN, tls: 'starttls', port: server.port }).send(MAIL);
  assert.ok(reply.kind === 'error' || reply.about === 'session', JSON.stringify(reply));
  assert.deepEqual(server.taken, []);
});

test('it says whether a recipient, a mail, or the sender is refused', async (t) => {
  const refuse = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: ({ address }, _, done) => done(address.startsWith('nobody') ? refuse(553) : null),
    onRcptTo: ({ address }, _, done) => done(address.startsWith('gone') ? refuse(550) : null),
    onData: (stream, _, done) => {
      stream.resume();
      stream.on('end', () => done(refuse(452)));
    },
  });
  const mailer = mailerOf(t, { ...PLAIN, port: server.port });
  const gone = await mailer.send({ ...MAIL, to: 'gone@acme.example' });
  assert.deepEqual(gone, { kind: 'answer', status: 550, about: 'recipient' });
  assert.deepEqual(await mailer.send(MAIL), { kind: 'answer', status: 452, about: 'mail' });
  const stranger = mailerOf(t, { ...PLAIN, port: server.port, from: 'nobody@exchange.example' });
  assert.deepEqual(await stranger.send(MAIL), { kind: 'answer', status: 553, about: 'session' });
});

test('a server that is not there is an error with the system’s code', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const address = closed.address();
  if (typeof address !== 'object' || address === null) assert.fail('not bound');
  await new Promise((resolve) => closed.close(resolve));
  const reply = await mailerOf(t, { ...PLAIN, port: address.port }).send(MAIL);
  assert.deepEqual(reply, { kind: 'error', code: 'ECONNREFUSED' });
});

test('a server that says nothing does not hold up the end', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  if (typeof address !== 'object' || address === null) assert.fail('not bound');
  const mailer = createSmtpMailer({ ...PLAIN, port: address.port });
  const sent = mailer.send(MAIL);
  const [socket] = await once(silent, 'connection');
  atEnd(t, () => {
    socket.destroy();
    silent.close();
  });
  await mailer.close(1);
  assert.deepEqual(await sent, { kind: 'error', code: 'ERR_CLOSED' });
  assert.deepEqual(await mailer.send(MAIL), { kind: 'error', code: 'ERR_CLOSED' });
});
