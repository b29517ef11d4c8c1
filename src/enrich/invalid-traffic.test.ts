import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../base/errors.ts';
import { parseIpAddress } from '../privacy/ip-address.ts';
import { NO_DATA_CENTERS, readDataCenterList } from './data-centers.ts';
import { createInvalidTrafficFinder } from './invalid-traffic.ts';
import { installedSpiders, readSpiderList } from './spiders.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

const directory = mkdtempSync(join(tmpdir(), 'rialto-lists-'));
after(() => {
  rmSync(directory, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    assert.ok(error instanceof CommandError);
    return error.message;
  }
  return 'read';
}

const SPIDERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36',
  'AdsBot-Google (+http://www.google.com/adsbot.html)',
  'curl/8.5.0',
  'python-requests/2.31.0',
];

const PEOPLE = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT P40 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0.0.32.107]',
  'Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014)',
  'MyGame/1.2.3 CFNetwork/1410.0.3 Darwin/22.6.0',
  'okhttp/4.12.0',
  'Roku/DVP-12.5 (12.5.0.4178-CC)',
  'AppleCoreMedia/1.0.0.20G75 (Apple TV; U; CPU OS 16_6 like Mac OS X; en_us)',
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/2.1 TV Safari/537.36',
  '',
];

test('the installed list knows spiders, and takes neither apps nor televisions for one', () => {
  const isSpider = installedSpiders();
  for (const ua of SPIDERS) assert.equal(isSpider(ua), true, ua);
  for (const ua of PEOPLE) assert.equal(isSpider(ua), false, ua);
});

test("an operator's patterns take the place of the installed ones, comments aside", async () => {
  const text = '# ours\n\nAcmeProbe  # a monitor\r\n^Fetcher\\/\\d\n(?i:house)bot';
  const isSpider = await readSpiderList(write('spiders.txt', text));
  for (const ua of ['x AcmeProbe/1', 'Fetcher/2', 'HOUSEbot']) assert.ok(isSpider(ua), ua);
  for (const ua of ['acmeprobe', 'a Fetcher/2', 'HouseBOT', 'Googlebot/2.1']) {
    assert.equal(isSpider(ua), false, ua);
  }
});

test('lines that are no patterns are told by number, each with its reason', async () => {
  const path = write('bad-spiders.txt', `good\n(bad\n# fine\n.*\n${'x'.repeat(600)}\n`);
  const message = await refusal(readSpiderList(path));
  assert.match(message, /^list of spiders has 3 faults:\n {2}\S+bad-spiders\.txt:2 is no regular/);
  assert.match(message, /bad-spiders\.txt:4 "\.\*" matches every user agent/);
  assert.match(message, /bad-spiders\.txt:5 is longer than 512 characters/);
});

test('ranges of data centers are read one a line, comments aside', async () => {
  const text = '# cloud\n192.0.2.0/24 # east\n2001:db8:1::/48\r\n198.51.100.9\n';
  const set = await readDataCenterList(write('ranges.txt', text));
  const has = (ip: string): boolean => set.has(parseIpAddress(ip) ?? assert.fail(ip));
  for (const ip of ['192.0.2.1', '2001:db8:1::5', '198.51.100.9']) assert.ok(has(ip), ip);
  for (const ip of ['192.0.3.1', '2001:db8:2::5', '198.51.100.8']) assert.ok(!has(ip), ip);
});

test('lines that are no ranges are told, the first ten of them, and so is a list of nothing', async () => {
  const bad = write('bad-ranges.txt', `10.0.0.0/8\n${'host\n'.repeat(11)}0.0.0.0/0\n`);
  const message = await refusal(readDataCenterList(bad));
  assert.match(message, /^list of data centers has 12 faults:/);
  assert.match(
    message,
    /bad-ranges\.txt:2 "host" is no address or CIDR range such as 192\.0\.2\.0/,
  );
  assert.match(message, /\n {2}and 2 more$/);
  const all = await refusal(readDataCenterList(write('all.txt', '0.0.0.0/0')));
  assert.match(all, /all\.txt:1 "0\.0\.0\.0\/0" has every address/);
  const empty = await refusal(readDataCenterList(write('empty.txt', '# nothing yet\n')));
  assert.match(empty, /empty\.txt has no entry$/);
  assert.match(await refusal(readDataCenterList(join(directory, 'no.txt'))), /cannot be read: ENO/);
});

test('a spider in a data center is a spider; nothing is known of what is not said', async () => {
  const dataCenters = await readDataCenterList(write('one.txt', '192.0.2.0/24'));
  const find = createInvalidTrafficFinder({ isSpider: installedSpiders(), dataCenters }, 4);
  const [spider = '', , person = ''] = [...SPIDERS.slice(0, 1), '', ...PEOPLE.slice(0, 1)];
  // Twice, the second time from memory.
  for (let run = 0; run < 2; run += 1) {
    assert.equal(find(spider, '192.0.2.1'), 'spider');
    assert.equal(find(person, '192.0.2.1'), 'datacenter');
    assert.equal(find(null, '192.0.2.1'), 'datacenter');
    assert.equal(find(person, '198.51.100.1'), null);
    assert.equal(find(spider, null), 'spider');
    assert.equal(find(null, null), null);
    assert.equal(find(`${spider}${' '.repeat(2_000)}`, 'no address'.repeat(100)), null);
  }
});

test('a known user agent costs less than a microsecond', () => {
  const lists = { isSpider: installedSpiders(), dataCenters: NO_DATA_CENTERS };
  const find = createInvalidTrafficFinder(lists, 100);
  const rounds = 20_000;
  const timeUs = (): number => {
    const cpuMs = cpuTimer();
    for (let round = 0; round < rounds; round += 1) {
      find(PEOPLE[round % PEOPLE.length] ?? '', '192.0.2.1');
    }
    return (cpuMs() * 1_000) / rounds;
  };
  // The best of some runs: the machine may be busy.
  assert.ok(Math.min(...Array.from({ length: 5 }, timeUs)) < 1);
});
