import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mmdbFile, type MmdbValue } from '../../src/enrich/mmdb-fixture.ts';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

const directory = mkdtempSync(join(tmpdir(), 'rialto-detection-'));
after(() => {
  rmSync(directory, { recursive: true });
});

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

function database(record: MmdbValue): Buffer {
  const records = [{ range: '8.0.0.0/8', record }];
  return mmdbFile({ ipVersion: 6, databaseType: 'Test', records });
}

/** Writes a file, in the place of what is there. */
function write(name: string, content: Buffer | string): string {
  const path = join(directory, name);
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
  return path;
}

/** The device of the last bid request that one ad request led to. */
async function deviceSent(exchange: StartedExchange, device: object, headers = {}) {
  await exchange.ask(bannerRequest({ device }), headers);
  return exchange.acme.requests.at(-1)?.request.device;
}

test("an operator's database names the country, the connection and the carrier, and is replaced while the node runs", async (t) => {
  const traits = { connection_type: 'Cellular', isp: 'Telekom' };
  const path = write('geo.mmdb', database({ country: { iso_code: 'DE' }, traits }));
  const exchange = await startExchange({ t, args: [`--geo-database=${path}`] });
  const device = { ua: ANDROID, ip: '8.8.8.8' };
  const sent = await deviceSent(exchange, device);
  assert.deepEqual(sent?.geo, { country: 'DEU' });
  assert.deepEqual([sent.connectiontype, sent.carrier], [3, 'Telekom']);
  const [record] = await exchange.records();
  assert.deepEqual([record?.country_code, record?.connectiontype], ['DEU', 3]);
  const wifi = { ...device, connectiontype: 2, carrier: 'WIFI', geo: { country: 'FRA' } };
  const said = await deviceSent(exchange, wifi);
  assert.deepEqual([said?.connectiontype, said?.carrier], [2, 'WIFI'], 'what was sent wins');
  assert.equal(said?.geo?.country, 'FRA');

  // Half of a file, as a copy that is still being written has it: refused, and the old one stays.
  write('geo.mmdb', database({ country: { iso_code: 'FR' } }).subarray(0, 100));
  await until('the node refuses the file', 10_000, () =>
    /file was refused/.test(exchange.node.output()),
  );
  assert.equal((await deviceSent(exchange, device))?.geo?.country, 'DEU');
  write('geo.mmdb', database({ country_code: 'FR' }));
  await until('the new database is used', 10_000, async () => {
    return (await deviceSent(exchange, device))?.geo?.country === 'FRA';
  });
  // Processes that are started again read it as well.
  exchange.node.kill('exchange');
  await until('the exchange is back', 20_000, async () => {
    return (await deviceSent(exchange, device).catch(() => undefined))?.geo?.country === 'FRA';
  });
});

test('a browser that asks itself is described by its headers', async (t) => {
  const exchange = await startExchange({ t, args: ['--trusted-proxies', '127.0.0.1'] });
  const sent = await deviceSent(
    exchange,
    {},
    {
      origin: 'https://planet.example',
      'user-agent': ANDROID,
      'accept-language': 'de-CH,de;q=0.9',
      'x-forwarded-for': '8.8.8.8',
    },
  );
  const { devicetype, make, model, os, osv, language, geo } = sent ?? {};
  assert.deepEqual(
    { devicetype, make, model, os, osv, language, geo },
    {
      devicetype: 4,
      make: 'Google',
      model: 'Pixel 8',
      os: 'Android',
      osv: '14',
      language: 'de',
      geo: { country: 'USA' },
    },
  );
  const [record] = await exchange.records();
  assert.equal(record?.language, 'de');
});

test('files that are unsound end the start, with all that is wrong with each', async () => {
  const networks = mmdbFile({
    ipVersion: 6,
    databaseType: 'GeoLite2-ASN',
    records: [{ range: '8.0.0.0/8', record: { autonomous_system_number: 15_169 } }],
  });
  const { code, stdout, stderr } = await runRialto([
    'start',
    `--data=${join(directory, 'data')}`,
    `--geo-database=${write('asn.mmdb', networks)}`,
    `--spider-list=${write('spiders.txt', 'fine\n(\n')}`,
    `--data-center-list=${join(directory, 'missing.txt')}`,
  ]);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /country database \S+asn\.mmdb names no country .*GeoLite2-ASN database/);
  assert.match(stderr, /spiders\.txt:2 is no regular expression/);
  assert.match(stderr, /list of data centers \S+missing\.txt cannot be read: ENOENT/);
});
