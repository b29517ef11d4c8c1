import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CommandError } from '../base/errors.ts';
import { openCountryLookup, type CountryLookup } from './country.ts';
import { mmdbFile, type MmdbContent } from './mmdb-fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'rialto-country-'));
after(() => {
  rmSync(directory, { recursive: true });
});

function write(name: string, bytes: Buffer | string): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

function open(content: Partial<MmdbContent> & Pick<MmdbContent, 'records'>): CountryLookup {
  const bytes = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', ...content });
  return openCountryLookup(write('test.mmdb', bytes));
}

test('the installed database knows IPv4, IPv6 and mapped IPv4 addresses', () => {
  const lookUp = openCountryLookup();
  assert.equal(lookUp('8.8.8.8'), 'US');
  assert.equal(lookUp('::ffff:8.8.8.8'), 'US');
  assert.equal(lookUp('2001:4860:4860::8888'), 'US');
  assert.equal(lookUp('193.0.6.139'), 'NL');
});

test('private, reserved and unreadable addresses have no country, whatever the database says', () => {
  const lookUp = openCountryLookup();
  const addresses = ['192.168.1.1', '10.1.2.3', '127.0.0.1', '169.254.0.1', '100.64.0.1', '::1'];
  addresses.push('203.0.113.5', '224.0.0.1', 'fe80::1', 'fd00::1', '2001:db8::1', '0.0.0.0');
  addresses.push('', 'localhost', '8.8.8', '300.1.1.1', '8.8.8.8:80', '010.8.8.8');
  for (const ip of addresses) assert.equal(lookUp(ip), null, ip);
});

test("an operator's database may name countries in either form and either case", () => {
  const lookUp = open({
    records: [
      { range: '8.0.0.0/8', record: { country_code: 'de' } },
      { range: '9.0.0.0/8', record: { country: { iso_code: 'FR' } } },
      { range: '2a00::/16', record: { country: { iso_code: 'IT' } } },
    ],
  });
  assert.deepEqual(['8.8.8.8', '9.9.9.9', '2a00::1', '11.1.1.1'].map(lookUp), [
    'DE',
    'FR',
    'IT',
    null,
  ]);
});

test('what is no country code is no country', () => {
  const lookUp = open({
    records: [
      { range: '8.0.0.0/8', record: { country_code: 'US' } },
      { range: '9.0.0.0/8', record: { country_code: 'EU' } },
      { range: '11.0.0.0/8', record: { country_code: 7 } },
      { range: '12.0.0.0/8', record: { country: 'US' } },
      { range: '13.0.0.0/8', record: 'US' },
    ],
  });
  assert.equal(lookUp('8.8.8.8'), 'US');
  for (const ip of ['9.9.9.9', '11.1.1.1', '12.1.1.1', '13.1.1.1']) assert.equal(lookUp(ip), null);
});

test('a database of IPv4 alone finds no country for IPv6', () => {
  const records = [{ range: '32.0.0.0/3', record: { country_code: 'US' } }];
  const lookUp = open({ ipVersion: 4, records });
  assert.equal(lookUp('32.1.1.1'), 'US');
  assert.equal(lookUp('2001:4860:4860::8888'), null);
});

test('an answer is the same when it comes from the cache', () => {
  const lookUp = open({ records: [{ range: '8.0.0.0/8', record: { country_code: 'DE' } }] });
  for (let run = 0; run < 3; run += 1) {
    assert.deepEqual(['8.8.8.8', '9.9.9.9', 'x'].map(lookUp), ['DE', null, null]);
  }
});

function refusal(path: string): string {
  try {
    openCountryLookup(path);
  } catch (error) {
    assert.ok(error instanceof CommandError);
    assert.ok(error.message.includes(path));
    return error.message;
  }
  return 'opened';
}

test('a file that is missing or no country database is refused with its name and the reason', () => {
  assert.match(refusal(join(directory, 'missing.mmdb')), /cannot be read/);
  assert.match(refusal(directory), /cannot be read/);
  assert.match(refusal(write('empty.mmdb', '')), /not an MMDB file/);
  assert.match(refusal(write('text.mmdb', 'country_code,US\n'.repeat(1_000))), /not an MMDB file/);
  const records = [{ range: '8.0.0.0/8', record: { autonomous_system_number: 15_169 } }];
  const networks = mmdbFile({ ipVersion: 6, databaseType: 'Test-ASN', records });
  assert.match(refusal(write('asn.mmdb', networks)), /names no country.*Test-ASN/);
});

test('a file that has lost its beginning, or is larger than memory allows, is refused', () => {
  const records = [{ range: '8.0.0.0/8', record: { country_code: 'US' } }];
  const whole = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', records });
  assert.match(refusal(write('cut.mmdb', whole.subarray(whole.length - 200))), /not all of it/);
  const large = write('large.mmdb', '');
  truncateSync(large, 64 * 1024 * 1024 + 1);
  assert.match(refusal(large), /larger than 64 MB/);
});

test('a damaged record is no country and no exception', () => {
  const records = [
    { range: '9.0.0.0/8', record: { country_code: 'US' } },
    { range: '8.0.0.0/8', record: { country_code: 'DE' } },
  ];
  const bytes = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', records });
  // The control byte of a map with one field becomes one of a type that does not exist.
  bytes.writeUInt16BE(0x00_40, bytes.lastIndexOf('country_code') - 2);
  const lookUp = openCountryLookup(write('damaged.mmdb', bytes));
  assert.equal(lookUp('9.9.9.9'), 'US');
  assert.equal(lookUp('8.8.8.8'), null);
});

test('for any text: the answer is a country or null, and nothing throws', () => {
  const lookUp = openCountryLookup();
  const anyText = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
  fc.assert(
    fc.property(anyText, (text) => {
      const country = lookUp(text);
      assert.ok(country === null || /^[A-Z]{2}$/.test(country));
    }),
    { numRuns: 1_000 },
  );
});
