import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEVICE_TYPES } from '../openrtb/device-lists.ts';
import { createDeviceDetector, type DetectedDevice } from './device.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

const detect = createDeviceDetector({ cacheEntriesMax: 1_000 });

/** In the order of the fields: devicetype, make, model, os, osv, browser. */
type Expected = readonly [
  number | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
];

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const EXAMPLES: Readonly<Record<string, readonly (readonly [string, Expected])[]>> = {
  "Apple's devices": [
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      [4, 'Apple', 'iPhone', 'iOS', '17.4', 'Safari'],
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      [5, 'Apple', 'iPad', 'iOS', '12.2', 'Safari'],
    ],
    [
      'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/602.1.50 (KHTML, like Gecko) Version/12.0 Mobile/14A5335d Safari/602.1.50',
      [1, 'Apple', 'iPod', 'iOS', '12.0', 'Safari'],
    ],
    ['Reader/5.2 (iPhone; iOS 16.5.1; Scale/3.00)', [4, 'Apple', 'iPhone', 'iOS', '16.5.1', null]],
    [
      'Reader/1.0 (com.planet.reader; build:1; iOS 16.5.0) Alamofire/5.4',
      [1, 'Apple', null, 'iOS', '16.5.0', null],
    ],
    // An iPad that asks for desktop pages says the same.
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      [2, 'Apple', null, 'macOS', '10.15.7', 'Safari'],
    ],
    // Neither phone nor computer can be told from an app's own network library.
    ['Reader/3 CFNetwork/1220.1 Darwin/20.3.0', [null, null, null, null, null, null]],
  ],
  'Android phones': [
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) ${WEBKIT} Version/4.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
      [4, 'Samsung', 'SM-S918B', 'Android', '14', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 12; moto g(7) power) ${WEBKIT} Chrome/100.0 Mobile Safari/537.36`,
      [4, 'Motorola', 'moto g(7) power', 'Android', '12', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; HarmonyOS; TAS-AN00; HMSCore 6.1) ${WEBKIT} Chrome/88.0 Mobile Safari/537.36`,
      [4, null, 'TAS-AN00', 'Android', '10', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 11; CUBOT KING KONG Build/RP1A) ${WEBKIT} Chrome/100.0 Mobile Safari/537.36`,
      [4, 'CUBOT', 'CUBOT KING KONG', 'Android', '11', 'Chrome'],
    ],
    [
      'Dalvik/2.1.0 (Linux; U; Android 11; SM-A125F Build/RP1A.200720.012)',
      [4, 'Samsung', 'SM-A125F', 'Android', '11', 'Android Browser'],
    ],
    [
      'Mozilla/5.0 (Android 13; Mobile; rv:109.0) Gecko/113.0 Firefox/113.0',
      [4, null, null, 'Android', '13', 'Firefox'],
    ],
    // The model and the version that Chrome puts in for all devices.
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36`,
      [4, null, null, 'Android', null, 'Chrome'],
    ],
    // Nothing says whether this is a phone, a tablet or a box.
    [
      'Dalvik/2.1.0 (Linux; U; Android 9; X96 Build/PI)',
      [null, null, 'X96', 'Android', '9', 'Android Browser'],
    ],
  ],
  'Android tablets': [
    [
      `Mozilla/5.0 (Linux; Android 13; SM-X700) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
      [5, 'Samsung', 'SM-X700', 'Android', '13', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; SM-T230NU Build/KOT49H) AppleWebKit/537.16 (KHTML, like Gecko) Version/4.0 Chrome/33.0 Mobile Safari/537.16`,
      [5, 'Samsung', 'SM-T230NU', 'Android', '4.4.2', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${WEBKIT} Silk/120.1 like Chrome/120.0 Safari/537.36`,
      [5, 'Amazon', 'KFMAWI', 'Android', '9', 'Amazon Silk'],
    ],
    [
      'Mozilla/5.0 (Android 13; Tablet; rv:109.0) Gecko/113.0 Firefox/113.0',
      [5, null, null, 'Android', '13', 'Firefox'],
    ],
  ],
  computers: [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
      [2, null, null, 'Windows', '10', 'Chrome'],
    ],
    [
      'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
      [2, null, null, 'Windows', '7', 'Internet Explorer'],
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
      [2, null, null, 'Linux', null, 'Firefox'],
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
      [2, null, null, 'Chrome OS', null, 'Chrome'],
    ],
  ],
  televisions: [
    [
      `Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${WEBKIT} 76.0.3809.146/6.0 TV Safari/537.36`,
      [3, 'Samsung', null, 'Tizen', '6.0', 'Tizen'],
    ],
    [
      `Mozilla/5.0 (Web0S; Linux/SmartTV) ${WEBKIT} Chrome/79.0.3945.79 Safari/537.36 WebAppManager`,
      [3, 'LG', null, 'webOS', null, 'WebOS Browser'],
    ],
    ['Roku/DVP-12.5 (12.5.0.4178-C2)', [3, 'Roku', null, 'Roku OS', '12.5', 'Roku']],
    ['Roku4640X/DVP-7.70 (297.70E04154A)', [3, 'Roku', 'Roku4640X', 'Roku OS', '7.70', null]],
    ['AppleTV11,1/11.1', [3, 'Apple', 'Apple TV', 'tvOS', '11.1', null]],
    [
      'AppleCoreMedia/1.0.0.20L497 (Apple TV; U; CPU OS 16_4 like Mac OS X; en_us)',
      [3, 'Apple', 'Apple TV', 'tvOS', '16.4', null],
    ],
    [
      `Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7646; wv) ${WEBKIT} Version/4.0 Chrome/90.0 Mobile Safari/537.36`,
      [3, 'Amazon', 'AFTMM', 'Android', '9', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2 Build/STT2.230203.001; wv) ${WEBKIT} Version/4.0 Chrome/114.0 Safari/537.36`,
      [3, 'Sony', 'BRAVIA 4K VH2', 'Android', '12', 'Chrome'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 12.0; Build/STTL.240206.002) ${WEBKIT} Chrome/121.0 Safari/537.36 CrKey/1.56.500000 DeviceType/AndroidTV`,
      [3, 'Google', 'Chromecast', 'Android', '12.0', 'Chrome'],
    ],
    [
      'HbbTV/1.4.1 (+DRM;Samsung;SmartTV2017;T-KTMDEUC-1106.2;;)',
      [3, null, null, null, null, null],
    ],
    [
      'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
      [6, 'Sony', 'PlayStation 5', null, null, 'Safari'],
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${WEBKIT} Chrome/48.0 Safari/537.36 Edge/14.14263`,
      [6, 'Microsoft', 'Xbox One', null, null, 'Microsoft Edge'],
    ],
    // A phone with the app of a television's maker.
    [
      'VIZIO SmartCast/2.0 (iPhone; iOS 16.1; Scale/3.00)',
      [4, 'Apple', 'iPhone', 'iOS', '16.1', null],
    ],
  ],
  'other phones': [
    [
      'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537',
      [4, null, null, 'Windows Phone', '8.1', 'Internet Explorer'],
    ],
    [
      'Mozilla/5.0 (Mobile; LYF/F220B/LYF-F220B-003-01-15-130718-i;Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
      [4, null, null, 'KaiOS', '2.5', 'Firefox'],
    ],
    [
      `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0 Safari/537.36 ArkWeb/4.1 Mobile`,
      [4, null, null, 'HarmonyOS', '5.0', 'Chrome'],
    ],
  ],
  'crawlers and programs': [
    [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      [null, null, null, null, null, 'Googlebot'],
    ],
    [
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${WEBKIT} Chrome/120.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      [null, null, null, null, null, 'Googlebot'],
    ],
    ['okhttp/4.9.0', [null, null, null, null, null, null]],
    ['curl/8.5.0', [null, null, null, null, null, null]],
    ['', [null, null, null, null, null, null]],
  ],
};

for (const [kind, examples] of Object.entries(EXAMPLES)) {
  for (const [ua, expected] of examples) {
    test(`${kind}: ${ua === '' ? 'nothing at all' : ua.slice(0, 90)}`, () => {
      const { devicetype, make, model, os, osv, browser } = detect(ua);
      assert.deepEqual([devicetype, make, model, os, osv, browser], expected);
    });
  }
}

test('what is longer than any honest user agent is not read', () => {
  const ua = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ';
  assert.equal(detect(ua.padEnd(1_024, 'x')).os, 'iOS');
  assert.equal(detect(ua.padEnd(1_025, 'x')).os, null);
});

test('the same user agent is answered with the same frozen object', () => {
  const ua = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
  assert.equal(detect(ua), detect(ua));
  assert.ok(Object.isFrozen(detect(ua)));
});

test('looking up a known user agent takes less than half a microsecond', () => {
  const ua = EXAMPLES['Android phones']?.[0]?.[0] ?? '';
  const lookups = 20_000;
  const roundsMicros = Array.from({ length: 5 }, () => {
    const cpuMs = cpuTimer();
    for (let run = 0; run < lookups; run += 1) detect(ua);
    return (cpuMs() * 1_000) / lookups;
  });
  assert.ok(Math.min(...roundsMicros) < 0.5, roundsMicros.join(', '));
});

const DEVICE_TYPE_CODES = new Set(Object.keys(DEVICE_TYPES.meanings));

function isSound({ devicetype, ...texts }: DetectedDevice): boolean {
  return (
    (devicetype === null || DEVICE_TYPE_CODES.has(String(devicetype))) &&
    Object.values(texts).every((text) => text === null || (text !== '' && text.length <= 1_024))
  );
}

const words = Object.values(EXAMPLES).flatMap((examples) =>
  examples.flatMap(([ua]) => ua.split(/(?<=[ ;()/])/)),
);

test('for any text, and any mixture of the words of user agents: the answer is sound', () => {
  const anyUa = fc.oneof(
    fc.string({ maxLength: 2_000 }),
    fc.string({ unit: anyCharacter }),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyUa, (ua) => isSound(detect(ua))),
    { numRuns: runs(200) },
  );
});
