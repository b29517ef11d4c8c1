import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_NETWORK } from '../enrich/network.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { DeviceType } from '../openrtb/device-lists.ts';
import { privacyFor } from '../privacy/effects.ts';
import { describePerson } from './describe-person.ts';
import { gatherFacts, type Caller, type Facts } from './facts.ts';
import { aCaller, aRequest, NO_ENRICHMENT } from './fixtures.ts';

type Device = NonNullable<IncomingRequest['device']>;

function factsOf(device: Device, caller: Partial<Caller> = {}, asked: string[] = []): Facts {
  return gatherFacts(aRequest({ device }), aCaller(caller), {
    ...NO_ENRICHMENT,
    networkOf(ip) {
      asked.push(ip);
      return { ...UNKNOWN_NETWORK, country: 'GB' };
    },
  });
}

/** What a partner under no restriction is sent. */
function sentOf(facts: Facts) {
  return describePerson(facts, privacyFor(facts.signals, null)).device;
}

test('an IPv6 address tells the country and is not sent on', () => {
  const asked: string[] = [];
  const facts = factsOf({ ip: '2001:db8::1' }, {}, asked);
  assert.deepEqual(asked, ['2001:db8::1']);
  assert.equal(facts.countryAlpha3, 'GBR');
  const sent = sentOf(facts);
  assert.equal(sent.ip, undefined);
  assert.equal(sent.geo?.country, 'GBR');
});

test("a server's own address and user agent are not taken for the user's", () => {
  const server = { ip: '192.0.2.1', userAgent: 'server/1.0' };
  const facts = factsOf({}, server);
  assert.equal(facts.device.ip, undefined);
  assert.equal(facts.device.ua, undefined);
  assert.equal(facts.countryAlpha2, null);
  const browser = factsOf({}, { ...server, fromBrowser: true });
  assert.equal(browser.device.ip, '192.0.2.1');
  assert.equal(browser.device.ua, 'server/1.0');
});

test('operating systems are told apart in any case, and others stay as sent', () => {
  const site = (os: string): Facts => factsOf({ os });
  assert.equal(site('IOS').os, 'iOS');
  assert.equal(sentOf(site('ANDROID')).os, 'Android');
  assert.equal(site('Tizen').os, 'Tizen');
  const { site: _, ...request } = aRequest({ app: {}, device: { os: 'android' } });
  const inApp = gatherFacts(request, aCaller(), NO_ENRICHMENT);
  assert.deepEqual(inApp.platforms, { demand: 'Android', supply: 'Android' });
});

test('a language is its ISO 639-1 code or not known', () => {
  const cases = [
    ['en', 'en'],
    ['EN', 'en'],
    ['pt-BR', 'pt'],
    ['zh_Hant', 'zh'],
    ['iw-IL', 'he'],
    ['xx', null],
    ['eng', null],
    ['', null],
  ] as const;
  for (const [language, expected] of cases) {
    const facts = factsOf({ language });
    assert.equal(facts.traits.language, expected, language);
    assert.equal(sentOf(facts).language, expected ?? undefined, language);
  }
});

test('a tag names the language where no code does, before what the browser accepts', () => {
  const browser = { fromBrowser: true, acceptLanguage: 'en-US,en' };
  const french = factsOf({ langb: 'fr-CA' }, browser);
  assert.equal(french.traits.language, 'fr');
  assert.deepEqual(
    [sentOf(french).language, sentOf(french).langb],
    [undefined, 'fr-CA'],
    'one is sent',
  );
  assert.equal(factsOf({ language: 'de', langb: 'fr-CA' }, browser).traits.language, 'de');
  assert.equal(factsOf({ langb: 'gsw' }, browser).traits.language, null, 'no code names it');
});

test('a country that was sent is kept; one that is no code is found from the address', () => {
  assert.equal(factsOf({ geo: { country: 'DEU' }, ip: '192.0.2.9' }).countryAlpha2, 'DE');
  assert.equal(factsOf({ geo: { country: 'Germany' }, ip: '192.0.2.9' }).countryAlpha2, 'GB');
});

test('a location is one with both coordinates', () => {
  assert.equal(factsOf({ geo: { lat: 1, lon: 2 } }).traits.hasLocation, true);
  assert.equal(factsOf({ geo: { lat: 1 } }).traits.hasLocation, false);
});

test("what a publisher says is a user's id is not passed on", () => {
  const request = aRequest({ user: { id: 'u', buyeruid: 'b', customdata: 'c', yob: 1990 } });
  assert.deepEqual(gatherFacts(request, aCaller(), NO_ENRICHMENT).user, { yob: 1990 });
});

test('what came over HTTPS is secure, and so is a page that did', () => {
  const secureOf = (page: string, secure: boolean): boolean =>
    gatherFacts(aRequest({ site: { page } }), aCaller({ secure }), NO_ENRICHMENT).secure;
  assert.equal(secureOf('https://planet.example/', false), true);
  assert.equal(secureOf('HTTPS://planet.example/', false), true);
  assert.equal(secureOf('http://planet.example/', false), false);
  assert.equal(secureOf('http://planet.example/', true), true);
});

test('the page is as sent, else where the browser that asks itself comes from', () => {
  const pageOf = (page: string | undefined, caller: Partial<Caller>) =>
    gatherFacts(
      aRequest({ site: page === undefined ? {} : { page } }),
      aCaller(caller),
      NO_ENRICHMENT,
    ).page;
  const referer = 'https://planet.example/from';
  const sent = 'https://planet.example/sent';
  assert.equal(pageOf(sent, { fromBrowser: true, referer }), sent);
  assert.equal(pageOf(undefined, { fromBrowser: true, referer }), referer);
  assert.equal(pageOf('', { fromBrowser: true, referer }), referer);
  assert.equal(pageOf(undefined, { fromBrowser: false, referer }), undefined);
  assert.equal(pageOf(undefined, { fromBrowser: true, referer: 'about:blank' }), undefined);
});

/** What detection finds for the request of the table below. */
const FOUND = {
  devicetype: DeviceType.Phone,
  make: 'Google',
  model: 'Pixel 8',
  os: 'Android',
  osv: '14',
  connectiontype: 3,
  carrier: 'Telekom',
  language: 'de',
  ua: 'browser/1.0',
  ip: '192.0.2.9',
} as const;

/** Values that a publisher may send instead of each. */
const SENT = {
  devicetype: DeviceType.Tablet,
  make: 'Samsung',
  model: 'SM-X700',
  os: 'Fuchsia',
  osv: '13',
  connectiontype: 2,
  carrier: 'WIFI',
  language: 'fr',
  ua: 'app/2.0',
  ip: '198.51.100.9',
} as const;

function detectedFacts(device: Device, caller: Partial<Caller> = {}): Facts {
  const browser = { fromBrowser: true, userAgent: FOUND.ua, ip: FOUND.ip };
  return gatherFacts(
    aRequest({ device }),
    aCaller({ ...browser, acceptLanguage: 'de-CH,de;q=0.9,en;q=0.8', ...caller }),
    {
      detectDevice: () => ({ ...FOUND, browser: 'Chrome' }),
      networkOf: () => ({ ...FOUND, country: 'DE' }),
      findInvalidTraffic: () => null,
    },
  );
}

/** As it is serialised: what is undefined is not there. */
function plain(facts: Facts): Partial<Device> {
  return JSON.parse(JSON.stringify(sentOf(facts)));
}

test('what a request leaves out is detected: the device, its connection and its language', () => {
  const { geo, js: _, ...sent } = plain(detectedFacts({}));
  assert.deepEqual(sent, FOUND);
  assert.deepEqual(geo, { country: 'DEU' }, 'never coordinates');
});

for (const name of Object.keys(SENT).filter((key): key is keyof typeof SENT => key in SENT)) {
  test(`a ${name} that was sent wins over the detected one, and nothing else changes`, () => {
    const { geo: _geo, js: _js, ...sent } = plain(detectedFacts({ [name]: SENT[name] }));
    assert.deepEqual(sent, { ...FOUND, [name]: SENT[name] });
  });

  test(`a ${name} that cannot be sent on hides nothing that detection finds`, () => {
    const { [name]: found } = sentOf(detectedFacts({ [name]: '' }));
    assert.equal(found, FOUND[name]);
  });
}

test('a country that was sent wins over that of the address', () => {
  assert.equal(detectedFacts({ geo: { country: 'FRA' } }).countryAlpha2, 'FR');
  assert.equal(detectedFacts({}).countryAlpha2, 'DE');
});

test('targeting sees the connection and the language that are sent', () => {
  const { connectiontype, language } = detectedFacts({}).traits;
  assert.deepEqual([connectiontype, language], [3, 'de']);
  const sent = detectedFacts({ connectiontype: 2, language: 'fr' }).traits;
  assert.deepEqual([sent.connectiontype, sent.language], [2, 'fr']);
});

test("the language is the first that the user's browser accepts, and not a server's", () => {
  const cases = [
    ['en-US,en;q=0.9', 'en'],
    [' pt-BR', 'pt'],
    ['*', null],
    ['', null],
    [null, null],
    ['tlh,en;q=0.5', null],
  ] as const;
  for (const [acceptLanguage, expected] of cases) {
    const { traits } = detectedFacts({}, { acceptLanguage });
    assert.equal(traits.language, expected, String(acceptLanguage));
  }
  assert.equal(detectedFacts({}, { fromBrowser: false }).traits.language, null);
});

test("invalid traffic is looked for in the user's agent and address, not in a server's", () => {
  const asked: unknown[] = [];
  const find = (device: Device, fromBrowser: boolean) =>
    gatherFacts(
      aRequest({ device }),
      aCaller({ fromBrowser, userAgent: 'curl/8', ip: '192.0.2.1' }),
      {
        ...NO_ENRICHMENT,
        findInvalidTraffic: (ua, ip) => {
          asked.push([ua, ip]);
          return 'spider';
        },
      },
    ).invalidTraffic;
  assert.equal(find({ ua: 'bot', ip: '2001:db8::1' }, true), 'spider');
  find({}, true);
  find({}, false);
  assert.deepEqual(asked, [
    ['bot', '2001:db8::1'],
    ['curl/8', '192.0.2.1'],
    [null, null],
  ]);
});
