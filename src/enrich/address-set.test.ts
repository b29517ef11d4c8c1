import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseIpAddress, type IpAddress } from '../privacy/ip-address.ts';
import { isInRange, parseAddressRange, type AddressRange } from './address-range.ts';
import { AddressSet } from './address-set.ts';

function range(text: string): AddressRange {
  return parseAddressRange(text) ?? assert.fail(text);
}

function address(text: string): IpAddress {
  return parseIpAddress(text) ?? assert.fail(text);
}

test('a range holds its first and last address, and neither neighbour', () => {
  const set = new AddressSet(['192.0.2.64/26', '198.51.100.7', '2001:db8::/127'].map(range));
  for (const [text, expected] of [
    ['192.0.2.63', false],
    ['192.0.2.64', true],
    ['192.0.2.127', true],
    ['192.0.2.128', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8::1', true],
    ['2001:db8::2', false],
    ['::ffff:192.0.2.65', true],
    ['::c000:241', false],
  ] as const) {
    assert.equal(set.has(address(text)), expected, text);
  }
});

test('a set of nothing holds nothing', () => {
  assert.equal(new AddressSet([]).has(address('192.0.2.1')), false);
});

test('what is no address or range is none', () => {
  const texts = ['', '10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/8/8', '10.0.0.0/', 'a/8', '/8'];
  for (const text of texts) assert.equal(parseAddressRange(text), null, text);
});

// Few bits vary, so that ranges overlap, touch and hold one another.
const nearbyIpv4 = fc
  .tuple(fc.nat(3), fc.nat(255))
  .map(([third, fourth]) => `10.0.${third}.${fourth}`);
const nearbyIpv6 = fc.nat(1_023).map((last) => `2001:db8::${last.toString(16)}`);
const anyRange = fc.oneof(
  fc.tuple(nearbyIpv4, fc.integer({ min: 20, max: 32 })),
  fc.tuple(nearbyIpv6, fc.integer({ min: 118, max: 128 })),
);

test('for any ranges a set holds an address if one of them does', () => {
  fc.assert(
    fc.property(
      fc.array(anyRange, { maxLength: 12 }),
      fc.oneof(nearbyIpv4, nearbyIpv6),
      (written, text) => {
        const ranges = written.map(([network, bits]) => range(`${network}/${bits}`));
        const expected = ranges.some((each) => isInRange(each, address(text)));
        assert.equal(new AddressSet(ranges).has(address(text)), expected);
      },
    ),
    { numRuns: 1_000 },
  );
});
