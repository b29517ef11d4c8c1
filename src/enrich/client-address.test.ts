import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { createClientAddress } from './client-address.ts';

const behindProxies = createClientAddress(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

test('without trusted proxies the connection says who asks, and the headers nothing', () => {
  const read = createClientAddress([]);
  assert.deepEqual(read('198.51.100.1', '203.0.113.9', 'https'), {
    ip: '198.51.100.1',
    secure: false,
  });
  assert.deepEqual(read('::ffff:198.51.100.1', undefined, undefined).ip, '198.51.100.1');
});

test('a stranger that claims to forward is the client itself', () => {
  assert.deepEqual(behindProxies('198.51.100.1', '203.0.113.9', 'https'), {
    ip: '198.51.100.1',
    secure: false,
  });
});

test('the client is the right-most address that is no trusted proxy', () => {
  const clientOf = (header: string) => behindProxies('10.0.0.1', header, undefined).ip;
  assert.equal(clientOf('203.0.113.9'), '203.0.113.9');
  assert.equal(clientOf('203.0.113.9, 10.0.0.2'), '203.0.113.9');
  assert.equal(clientOf('1.1.1.1, 203.0.113.9,10.0.0.2 , 192.0.2.7'), '203.0.113.9');
  assert.equal(clientOf('2001:DB8::1, fd00::2'), '2001:db8::1');
});

test('where all are trusted the left-most one asks, and without a header the connection', () => {
  assert.equal(behindProxies('10.0.0.1', '10.0.0.3, 10.0.0.2', undefined).ip, '10.0.0.3');
  assert.equal(behindProxies('10.0.0.1', undefined, undefined).ip, '10.0.0.1');
  assert.equal(behindProxies('10.0.0.1', '', undefined).ip, '10.0.0.1');
});

test('a malformed entry ends the walk at the last address that was read', () => {
  const clientOf = (header: string) => behindProxies('10.0.0.1', header, undefined).ip;
  for (const entry of ['unknown', '', '010.1.1.1', '1.2.3', 'x'.repeat(100), '[::1', '1.2.3.4:x']) {
    assert.equal(clientOf(`203.0.113.9, ${entry}, 10.0.0.2`), '10.0.0.2', entry);
  }
});

test('ports, brackets and zones around an address are taken off', () => {
  const clientOf = (header: string) => behindProxies('10.0.0.1', header, undefined).ip;
  assert.equal(clientOf('203.0.113.9:4711'), '203.0.113.9');
  assert.equal(clientOf('[2001:db8::1]:4711'), '2001:db8::1');
  assert.equal(clientOf('[2001:db8::1]'), '2001:db8::1');
  assert.equal(behindProxies('fe80::1%eth0', undefined, undefined).ip, 'fe80::1');
});

test("the protocol is that of the client's own connection", () => {
  const secure = (addresses: string | undefined, protocols: string | undefined) =>
    behindProxies('10.0.0.1', addresses, protocols).secure;
  assert.equal(secure('203.0.113.9', 'https'), true);
  assert.equal(secure('203.0.113.9', 'HTTPS'), true);
  assert.equal(secure('203.0.113.9', 'http'), false);
  assert.equal(secure('203.0.113.9', undefined), false);
  assert.equal(secure(undefined, 'https'), true);
  // Written once by the first proxy, or added to by each.
  assert.equal(secure('203.0.113.9, 10.0.0.2', 'https'), true);
  assert.equal(secure('203.0.113.9, 10.0.0.2', 'https, http'), true);
  assert.equal(secure('203.0.113.9, 10.0.0.2', 'http, https'), false);
  // The client claims https in front of what the proxies add.
  assert.equal(secure('203.0.113.9, 10.0.0.2', 'https, http, http'), false);
});

test('of an overlong header the end counts, where the proxies write', () => {
  const long = `${'1.1.1.1, '.repeat(10_000)}203.0.113.9, 10.0.0.2`;
  assert.equal(behindProxies('10.0.0.1', long, undefined).ip, '203.0.113.9');
  const proxies = '10.0.0.2,'.repeat(10_000);
  assert.equal(
    behindProxies('10.0.0.1', `203.0.113.9,${proxies}10.0.0.2`, undefined).ip,
    '10.0.0.2',
  );
  assert.equal(behindProxies('10.0.0.1', 'x'.repeat(100_000), undefined).ip, '10.0.0.1');
});

test('a connection without a readable address has none', () => {
  assert.deepEqual(behindProxies(undefined, '203.0.113.9', 'https'), { ip: null, secure: false });
});

test('malformed ranges are refused together, each by name', () => {
  const ranges = ['10.0.0.0/8', '10.0.0.0/33', 'example.com', '::/129', '10.0.0.0/8/8', '1.2.3.4/'];
  assert.throws(() => createClientAddress(ranges), {
    message: /: 10\.0\.0\.0\/33, example\.com, ::\/129, 10\.0\.0\.0\/8\/8, 1\.2\.3\.4\/$/,
  });
});

test('for any headers: the answer is an address, and nothing throws', () => {
  const anyHeader = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 8 }).map(String),
  );
  fc.assert(
    fc.property(fc.ipV4(), anyHeader, anyHeader, (remote, forwarded, protocol) => {
      for (const address of [remote, '10.0.0.1']) {
        const { ip } = behindProxies(address, forwarded, protocol);
        assert.ok(ip !== null && isIP(ip) !== 0);
      }
    }),
  );
});

test('for any client: what it writes in front of the proxies changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (forged, client) => {
      fc.pre(!client.startsWith('10.') && client !== '192.0.2.7');
      const header = `${forged}, ${client}, 10.0.0.2`;
      const forgedProtocol = `${forged.replaceAll(',', '')}, http, http`;
      assert.deepEqual(behindProxies('10.0.0.1', header, forgedProtocol), {
        ip: client,
        secure: false,
      });
    }),
  );
});
