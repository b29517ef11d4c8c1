import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { atEnd } from '../../test/support/at-end.ts';
import { LOCALHOST, OTHER, startTlsServer } from './http-tls-fixture.ts';
import { createCertificateReader } from './tls-certificate.ts';

const anywhere = createCertificateReader({ isAddressAllowed: () => true });
const { signal } = new AbortController();

test('a certificate is read whether or not it is trusted or has the right name', async (t) => {
  for (const certificate of [LOCALHOST, OTHER]) {
    const server = await startTlsServer(certificate);
    atEnd(t, () => server.close());
    const validToMs = Date.parse(new X509Certificate(certificate.cert).validTo);
    assert.equal(await anywhere({ hostname: 'localhost', port: server.port }, signal), validToMs);
    assert.equal(await anywhere({ hostname: '127.0.0.1', port: server.port }, signal), validToMs);
  }
});

test('nothing is known of a host that is not there, or that may not be asked', async (t) => {
  const server = await startTlsServer(LOCALHOST);
  const { port } = server;
  const nowhere = createCertificateReader({ isAddressAllowed: () => false });
  for (const hostname of ['localhost', '127.0.0.1', '[::1]']) {
    assert.equal(await nowhere({ hostname, port }, signal), null);
  }
  assert.equal(server.connections.length, 0);
  atEnd(t, () => {});
  await server.close();
  assert.equal(await anywhere({ hostname: '127.0.0.1', port }, signal), null);
});

test('a host that says nothing is waited for no longer than the signal lets it', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  atEnd(t, () => silent.close());
  const address = silent.address();
  if (typeof address !== 'object' || address === null) assert.fail('not bound');
  const stopping = new AbortController();
  const reading = anywhere({ hostname: '127.0.0.1', port: address.port }, stopping.signal);
  const [socket] = await once(silent, 'connection');
  stopping.abort();
  assert.equal(await reading, null);
  socket.destroy();
});
