import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { createAddressPolicy } from './address-policy.ts';

const INSIDE: readonly [what: string, ...addresses: string[]][] = [
  ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['link-local and cloud metadata', '169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  ['unique local', 'fc00::1', 'fd00:ec2::254'],
  ['site-local', 'fec0::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['broadcast and reserved', '255.255.255.255', '240.0.0.1', '192.0.0.8', '192.0.2.1'],
  ['benchmarking and documentation', '198.18.0.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::FFFF:169.254.169.254'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8', '::a00:1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['discard', '100::1'],
  ['unassigned', '4000::1', '3fff::1', '5f00::1'],
  [
    'no address',
    '',
    'localhost',
    '127.0.0',
    '256.0.0.1',
    '1.2.3.4.5',
    '[::1]',
    '127.0.0.1 ',
    ':::',
  ],
];

const GLOBAL = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'];

describe('createAddressPolicy', () => {
  for (const [what, ...addresses] of INSIDE) {
    test(`refuses ${what}`, () => {
      const isAllowed = createAddressPolicy([]);
      for (const address of addresses) assert.equal(isAllowed(address), false, address);
    });
  }

  test('accepts what is unicast and global', () => {
    const isAllowed = createAddressPolicy([]);
    for (const address of GLOBAL) assert.equal(isAllowed(address), true, address);
    assert.equal(isAllowed('::ffff:8.8.8.8'), true);
  });

  test('accepts what a range allows, and nothing beside it', () => {
    const isAllowed = createAddressPolicy(['127.0.0.0/8', 'fd00::/8']);
    for (const address of ['127.0.0.1', '::ffff:127.9.9.9', 'fd12::1']) {
      assert.equal(isAllowed(address), true, address);
    }
    for (const address of ['10.0.0.1', '::1', 'fc00::1', '::127.0.0.1']) {
      assert.equal(isAllowed(address), false, address);
    }
  });

  test('throws on what is no range', () => {
    for (const range of ['127.0.0.1', '10.0.0.0/33', 'home', '']) {
      assert.throws(() => createAddressPolicy([range]), Error, range);
    }
  });

  test('judges every spelling of an IPv4 host in a URL alike', () => {
    const isAllowed = createAddressPolicy([]);
    const spellings = ['2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.1', '017700000001'];
    for (const spelling of [...spellings, '１２７.0.0.1', '127。0。0。1']) {
      const { hostname } = new URL(`http://${spelling}/`);
      assert.equal(hostname, '127.0.0.1', spelling);
      assert.equal(isAllowed(hostname), false, spelling);
    }
  });

  test('never throws, and refuses whatever is no address', () => {
    const isAllowed = createAddressPolicy(['10.0.0.0/8']);
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[\da-f.x:]+$/i.test(text));
        assert.equal(isAllowed(text), false);
      }),
    );
  });

  test('judges an IPv4 address and its mapped form alike', () => {
    const isAllowed = createAddressPolicy(['10.0.0.0/8']);
    fc.assert(
      fc.property(fc.ipV4(), (ip) => assert.equal(isAllowed(ip), isAllowed(`::ffff:${ip}`))),
    );
  });
});
