import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CommandError } from '../base/errors.ts';
import { openNetworkLookup, readGeoDatabase } from './network.ts';
import { mmdbFile, type MmdbContent, type MmdbValue } from './mmdb-fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'rialto-country-'));
after(() => {
  rmSync(directory, { recursive: true });
});

function write(name: string, bytes: Buffer | string): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

type CountryOf = (ip: string) => string | null;

function open(content: Partial<MmdbContent> & Pick<MmdbContent, 'records'>): CountryOf {
  const bytes = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', ...content });
  const lookUp = readGeoDatabase(bytes, 'test.mmdb');
  return (ip) => lookUp(ip).country;
}

async function installed(): Promise<CountryOf> {
  const lookUp = await openNetworkLookup();
  return (ip) => lookUp(ip).country;
}

test('the installed database knows IPv4, IPv6 and mapped IPv4 addresses', async () => {
  const lookUp = await installed();
  assert.equal(lookUp('8.8.8.8'), 'US');
  assert.equal(lookUp('::ffff:8.8.8.8'), 'US');
  assert.equal(lookUp('2001:4860:4860::8888'), 'US');
  assert.equal(lookUp('193.0.6.139'), 'NL');
});

test('private, reserved and unreadable addresses have no country, whatever the database says', async () => {
  const lookUp = await installed();
  const addresses = ['192.168.1.1', '10.1.2.3', '127.0.0.1', '169.254.0.1', '100.64.0.1', '::1'];
  addresses.push('203.0.113.5', '224.0.0.1', 'fe80::1', 'fd00::1', '2001:db8::1', '0.0.0.0');
  addresses.push('', 'localhost', '8.8.8', '300.1.1.1', '8.8.8.8:80', '010.8.8.8');
  for (const ip of addresses) assert.equal(lookUp(ip), null, ip);
});

/** How the databases that operators have say where 8.8.8.8 and 2a00::1 are; places are not read. */
const LAYOUTS: Readonly<Record<string, MmdbValue>> = {
  'GeoLite2-Country': {
    country: { geoname_id: 2_921_044, iso_code: 'DE', names: { en: 'Germany' } },
    registered_country: { iso_code: 'US' },
  },
  'GeoLite2-City': {
    city: { names: { en: 'Berlin' } },
    country: { iso_code: 'DE' },
    location: { accuracy_radius: 20, latitude: 52, longitude: 13 },
  },
  'DBIP-Country-Lite': { continent: { code: 'EU' }, country: { iso_code: 'DE', is_in_eu: 1 } },
  'DBIP-City-Lite': {
    city: { names: { en: 'Berlin' } },
    country: { iso_code: 'DE' },
    location: { latitude: 52, longitude: 13 },
  },
  'ipinfo lite': { country: 'Germany', country_code: 'DE', asn: 'AS3320', as_name: 'Telekom' },
  'ipinfo country': { country: 'DE', country_name: 'Germany', continent: 'EU' },
  'ipinfo city': { city: 'Berlin', country: 'DE', lat: '52.5', lng: '13.4', postal_code: '10115' },
  'ip-location-db': { country_code: 'de' },
};

for (const [databaseType, record] of Object.entries(LAYOUTS)) {
  test(`a database in the layout of ${databaseType} names the country, and nothing else is read`, () => {
    const records = ['8.0.0.0/8', '2a00::/16'].map((range) => ({ range, record }));
    const lookUp = readGeoDatabase(mmdbFile({ ipVersion: 6, databaseType, records }), 'x.mmdb');
    const network = { country: 'DE', connectiontype: null, carrier: null };
    assert.deepEqual(lookUp('8.8.8.8'), network);
    assert.deepEqual(lookUp('2a00::1'), network);
    assert.deepEqual(lookUp('11.1.1.1'), { ...network, country: null });
  });
}

test('a connection and a carrier are read where a database has them', () => {
  const country = { iso_code: 'DE' };
  const traits = { connection_type: 'Cellular', isp: 'Telekom' };
  const records = [
    { range: '8.0.0.0/8', record: { country, traits } },
    { range: '9.0.0.0/8', record: { country, connection_type: 'Cable/DSL', isp: 'Kabel' } },
    { range: '11.0.0.0/8', record: { country: 'DE', carrier: 'Vodafone' } },
    { range: '12.0.0.0/8', record: { country, traits: { isp: '' } } },
  ];
  const databaseType = 'GeoIP2-Enterprise';
  const lookUp = readGeoDatabase(mmdbFile({ ipVersion: 6, databaseType, records }), 'x.mmdb');
  const found = ['8.8.8.8', '9.9.9.9', '11.1.1.1', '12.1.1.1'].map(lookUp);
  assert.deepEqual(
    found.map(({ connectiontype, carrier }) => [connectiontype, carrier]),
    [
      [3, 'Telekom'],
      [null, 'Kabel'],
      [null, 'Vodafone'],
      [null, null],
    ],
  );
});

test('what is no country code is no country', () => {
  const lookUp = open({
    records: [
      { range: '8.0.0.0/8', record: { country_code: 'US' } },
      { range: '9.0.0.0/8', record: { country_code: 'EU' } },
      { range: '11.0.0.0/8', record: { country_code: 7 } },
      { range: '12.0.0.0/8', record: { country: 'United States' } },
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

async function refusal(path: string): Promise<string> {
  try {
    await openNetworkLookup(path);
  } catch (error) {
    assert.ok(error instanceof CommandError);
    assert.ok(error.message.includes(path));
    return error.message;
  }
  return 'opened';
}

test('a file that is missing or no country database is refused with its name and the reason', async () => {
  assert.match(await refusal(join(directory, 'missing.mmdb')), /cannot be read/);
  assert.match(await refusal(directory), /cannot be read/);
  assert.match(await refusal(write('empty.mmdb', '')), /not an MMDB file/);
  assert.match(
    await refusal(write('text.mmdb', 'country_code,US\n'.repeat(1_000))),
    /not an MMDB file/,
  );
  const records = [{ range: '8.0.0.0/8', record: { autonomous_system_number: 15_169 } }];
  const networks = mmdbFile({ ipVersion: 6, databaseType: 'Test-ASN', records });
  assert.match(await refusal(write('asn.mmdb', networks)), /names no country.*Test-ASN/);
});

test('a file that has lost its beginning, or is larger than memory allows, is refused', async () => {
  const records = [{ range: '8.0.0.0/8', record: { country_code: 'US' } }];
  const whole = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', records });
  assert.match(
    await refusal(write('cut.mmdb', whole.subarray(whole.length - 200))),
    /not all of it/,
  );
  const large = write('large.mmdb', '');
  truncateSync(large, 256 * 1024 * 1024 + 1);
  assert.match(await refusal(large), /larger than 256 MB/);
});

test('a damaged record is no country and no exception', () => {
  const records = [
    { range: '9.0.0.0/8', record: { country_code: 'US' } },
    { range: '8.0.0.0/8', record: { country_code: 'DE' } },
  ];
  const bytes = mmdbFile({ ipVersion: 6, databaseType: 'Test-Country', records });
  // The control byte of a map with one field becomes one of a type that does not exist.
  bytes.writeUInt16BE(0x00_40, bytes.lastIndexOf('country_code') - 2);
  const lookUp = readGeoDatabase(bytes, 'damaged.mmdb');
  assert.equal(lookUp('9.9.9.9').country, 'US');
  assert.equal(lookUp('8.8.8.8').country, null);
});

test('for any text: the answer is a country or null, and nothing throws', async () => {
  const lookUp = await installed();
  const anyText = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
  fc.assert(
    fc.property(anyText, (text) => {
      const country = lookUp(text);
      assert.ok(country === null || /^[A-Z]{2}$/.test(country));
    }),
    { numRuns: 1_000 },
  );
});
