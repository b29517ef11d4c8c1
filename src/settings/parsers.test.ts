import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  parseAddress,
  parseAddressRanges,
  parseBaseUrl,
  parseChoices,
  parsePath,
  parsePort,
  parseSecret,
  parseWorkers,
  type Parsed,
} from './parsers.ts';

function valueOf<T>(parsed: Parsed<T>): T | undefined {
  return parsed.ok ? parsed.value : undefined;
}

test('a port is a whole number from 0 to 65535', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 65_535 }), (n) => valueOf(parsePort(String(n))) === n),
  );
  for (const text of ['', '65536', '-1', '80.5', '0x50', '1e3', ' 80', 'http']) {
    assert.deepEqual(parsePort(text), { ok: false, expected: 'a number from 0 to 65535' }, text);
  }
});

test('workers are at least one, also when they are left to the machine', () => {
  assert.ok((valueOf(parseWorkers('auto')) ?? 0) >= 1);
  assert.equal(valueOf(parseWorkers('4')), 4);
  assert.equal(valueOf(parseWorkers('0')), undefined);
  assert.equal(valueOf(parseWorkers('257')), undefined);
});

test('an address is numeric, and localhost is the loopback', () => {
  assert.equal(valueOf(parseAddress('localhost')), '127.0.0.1');
  assert.equal(valueOf(parseAddress('::')), '::');
  assert.equal(valueOf(parseAddress('example.com')), undefined);
});

test('address ranges take both families and refuse prefixes that are too long', () => {
  assert.deepEqual(valueOf(parseAddressRanges(' 10.0.0.0/8, 2001:db8::/32 ,192.0.2.7')), [
    '10.0.0.0/8',
    '2001:db8::/32',
    '192.0.2.7',
  ]);
  assert.deepEqual(valueOf(parseAddressRanges('')), []);
  for (const text of ['10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/', 'proxy']) {
    assert.equal(valueOf(parseAddressRanges(text)), undefined, text);
  }
});

test('a base address keeps its path and loses the slash at its end', () => {
  assert.equal(valueOf(parseBaseUrl('https://ads.example/')), 'https://ads.example');
  assert.equal(valueOf(parseBaseUrl('http://h:8080/rialto//')), 'http://h:8080/rialto');
  for (const text of ['', 'h:8080', 'ftp://h', 'http://u:p@h', 'http://h?x=1', 'http://h#x']) {
    assert.equal(valueOf(parseBaseUrl(text)), undefined, text);
  }
});

test('a secret is long enough and fits into a header', () => {
  assert.equal(valueOf(parseSecret('0123456789abcdef')), '0123456789abcdef');
  assert.equal(valueOf(parseSecret('0123456789abcde')), undefined);
  assert.equal(valueOf(parseSecret('0123456789 abcdef')), undefined);
  assert.equal(valueOf(parseSecret('0123456789abcdef\n')), undefined);
});

test('choices come back once each in their own order, and an unknown one is named', () => {
  const choices = ['control', 'courier', 'exchange'] as const;
  assert.deepEqual(valueOf(parseChoices('exchange, control,exchange', choices)), [
    'control',
    'exchange',
  ]);
  assert.deepEqual(parseChoices('exchange,tracker', choices), {
    ok: false,
    expected: 'among control, courier, exchange, and "tracker" is none of them',
  });
  assert.equal(parseChoices(',', choices).ok, false);
});

test('a path becomes absolute', () => {
  assert.ok(isAbsolute(valueOf(parsePath('some/where')) ?? ''));
  assert.equal(parsePath('').ok, false);
});
