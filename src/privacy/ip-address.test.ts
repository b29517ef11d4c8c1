import assert from 'node:assert/strict';
import { isIP, isIPv4 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { ipv4Of, parseIpAddress, truncateIp } from './ip-address.ts';

test('addresses are read in their strict form, mapped IPv4 as IPv4', () => {
  assert.equal(parseIpAddress('192.0.2.1')?.toString(), '192.0.2.1');
  assert.equal(parseIpAddress('::ffff:192.0.2.1')?.toString(), '192.0.2.1');
  assert.equal(parseIpAddress('::ffff:c000:201')?.toString(), '192.0.2.1');
  assert.equal(parseIpAddress('2001:DB8:0:0::1')?.toString(), '2001:db8::1');
});

test('lax forms, zones, ports and brackets are no addresses', () => {
  const refused = [
    '',
    '1',
    '127.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    ' 1.2.3.4',
  ];
  refused.push('::ffff:010.0.0.1', 'fe80::1%eth0', '[::1]', '1.2.3.4:80', ':::', '1::2::3', 'a:b');
  refused.push('0'.repeat(1_000), ':'.repeat(1_000));
  for (const text of refused) assert.equal(parseIpAddress(text), null, text);
});

test('an address keeps its network and loses its host', () => {
  assert.equal(truncateIp('192.0.2.77'), '192.0.2.0');
  assert.equal(truncateIp('::ffff:192.0.2.77'), '192.0.2.0');
  assert.equal(truncateIp('2001:db8:1234:5678:9abc:def0:1234:5678'), '2001:db8:1234::');
  assert.equal(truncateIp('no address'), null);
});

test('only IPv4 and mapped IPv4 have a dotted form', () => {
  assert.equal(ipv4Of('192.0.2.1'), '192.0.2.1');
  assert.equal(ipv4Of('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(ipv4Of('2001:db8::1'), null);
  assert.equal(ipv4Of('192.0.2'), null);
});

const anyText = fc.oneof(
  fc.string(),
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefx:.%')) }),
);

test('for any text: what is read is what the platform takes for an address, and nothing throws', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const isAddress = !text.includes('%') && isIP(text) !== 0;
      assert.equal(parseIpAddress(text) !== null, isAddress);
      assert.equal(truncateIp(text) !== null, isAddress);
    }),
    { numRuns: 2_000 },
  );
});

test('for any address: truncation gives an address of the same kind, and again the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const truncated = truncateIp(text);
      assert.ok(truncated !== null && isIP(truncated) !== 0);
      assert.equal(isIPv4(truncated), ipv4Of(text) !== null);
      assert.equal(truncateIp(truncated), truncated);
    }),
    { numRuns: 1_000 },
  );
});
