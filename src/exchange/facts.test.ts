import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { privacyFor } from '../privacy/effects.ts';
import { describePerson } from './describe-person.ts';
import { gatherFacts, type Caller, type Facts } from './facts.ts';
import { aCaller, aRequest, NO_ENRICHMENT } from './fixtures.ts';

type Device = NonNullable<IncomingRequest['device']>;

function factsOf(device: Device, caller: Partial<Caller> = {}, asked: string[] = []): Facts {
  return gatherFacts(aRequest({ device }), aCaller(caller), {
    ...NO_ENRICHMENT,
    countryOf(ip) {
      asked.push(ip);
      return 'GB';
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
