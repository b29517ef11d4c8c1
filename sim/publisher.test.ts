import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { test } from 'node:test';
import type { BidRequest } from '../src/openrtb/bid-request.ts';
import { readCatalogue } from './catalogue.ts';
import { DEVICES } from './devices.ts';
import { PLACES } from './places.ts';
import { createTraffic } from './publisher.ts';

const catalogue = readCatalogue(new URL('../examples/exchange.yaml', import.meta.url).pathname);

const take = (count: number, seed: number | string = 1): readonly BidRequest[] => {
  const traffic = createTraffic({ catalogue, seed });
  return Array.from({ length: count }, () => traffic.next());
};

const share = (requests: readonly BidRequest[], is: (request: BidRequest) => boolean): number =>
  requests.filter(is).length / requests.length;

test('the same seed gives the same traffic, another seed another one', () => {
  assert.deepEqual(take(200, 5), take(200, 5));
  assert.notDeepEqual(take(200, 5), take(200, 6));
});

test('ids do not repeat within a seed', () => {
  const requests = take(5000);
  assert.equal(new Set(requests.map(({ id }) => id)).size, 5000);
  assert.equal(new Set(requests.map(({ source }) => source?.tid)).size, 5000);
});

test('a request names its ad space with the app or site and publisher that own it', () => {
  for (const { imp, app, site } of take(500)) {
    const adSpace = catalogue.adSpaces.find(({ id }) => id === imp[0]?.tagid);
    assert.ok(adSpace);
    const { medium, publisherId } = adSpace;
    assert.equal(app === undefined, medium.kind === 'site');
    assert.equal(site === undefined, medium.kind === 'app');
    assert.equal((app ?? site)?.id, medium.id);
    assert.equal((app ?? site)?.publisher?.id, publisherId);
    if (medium.kind === 'app') assert.equal(app?.bundle, medium.bundle);
    else assert.ok(site?.page?.startsWith(`https://${medium.domain}/`));
  }
});

test('every ad space is asked for, in the formats that it has', () => {
  const requests = take(500);
  for (const adSpace of catalogue.adSpaces) {
    const imps = requests.flatMap(({ imp }) => imp).filter(({ tagid }) => tagid === adSpace.id);
    assert.ok(imps.length > 50, `${adSpace.id}: ${imps.length}`);
    for (const format of ['banner', 'video', 'native'] as const) {
      const offered = imps.every(
        (imp) => (imp[format] !== undefined) === (adSpace[format] !== undefined),
      );
      assert.ok(offered, `${adSpace.id} ${format}`);
    }
  }
});

test('a native request asks for the assets of the ad space', () => {
  const native = take(100).flatMap(({ imp }) => imp[0]?.native ?? [])[0];
  const payload: unknown = JSON.parse(native?.request ?? '');
  assert.partialDeepStrictEqual(payload, {
    ver: '1.1',
    assets: [
      { id: 1, required: 1, title: { len: 90 } },
      { id: 2, required: 1, img: { type: 1, w: 80, h: 80 } },
      { id: 3, required: 1, img: { type: 3, w: 1200, h: 627 } },
      { id: 4, required: 1, data: { type: 2, len: 140 } },
      { id: 5, required: 1, data: { type: 12, len: 15 } },
    ],
  });
});

test('addresses lie in the blocks of a country, and most requests leave the country to the exchange', () => {
  const requests = take(2000);
  const prefixes = new Map(
    PLACES.flatMap((place) => place.ipPrefixes.map((ip) => [ip, place] as const)),
  );
  const seen = new Set<string>();
  for (const { device } of requests) {
    const ip = device?.ip ?? '';
    assert.ok(isIPv4(ip), ip);
    const place = prefixes.get(ip.split('.').slice(0, 2).join('.'));
    assert.ok(place, ip);
    seen.add(place.country);
    if (device?.geo?.country !== undefined) assert.equal(device.geo.country, place.country);
  }
  assert.equal(seen.size, PLACES.length);
  const named = share(requests, ({ device }) => device?.geo?.country !== undefined);
  assert.ok(named > 0.02 && named < 0.2, String(named));
  const located = share(requests, ({ device }) => device?.geo?.lat !== undefined);
  assert.ok(located > 0.02 && located < 0.2, String(located));
});

test('an app is used on its own platform only and a site on everything', () => {
  const requests = take(3000);
  for (const { device } of requests.filter(({ app }) => app)) {
    assert.match(device?.ua ?? '', /Android.*; wv\)/);
    assert.equal(device?.os, 'Android');
  }
  const agents = new Set(requests.flatMap(({ site, device }) => (site ? (device?.ua ?? []) : [])));
  assert.deepEqual(agents, new Set(DEVICES.map(({ ua }) => ua)));
});

test('who limits ad tracking has no advertising id and no position', () => {
  const limited = take(2000).filter(({ app, device }) => app && device?.lmt === 1);
  assert.ok(limited.length > 100);
  for (const { device } of limited) {
    assert.match(device?.ifa ?? '', /^[0-]+$/);
    assert.equal(device?.geo?.lat, undefined);
  }
});

test('consent goes with European addresses and a US privacy string with American ones', () => {
  const requests = take(3000);
  const european = requests.filter(({ regs }) => JSON.stringify(regs ?? {}).includes('"gdpr":1'));
  const consenting = share(european, ({ user }) =>
    JSON.stringify(user ?? {}).includes('"consent":"C'),
  );
  assert.ok(european.length > 800 && consenting > 0.9 && consenting < 1, String(consenting));
  const american = share(requests, ({ regs }) =>
    JSON.stringify(regs ?? {}).includes('"us_privacy"'),
  );
  assert.ok(american > 0.3 && american < 0.5, String(american));
});

test('nothing is sent empty', () => {
  for (const request of take(1000)) assert.doesNotMatch(JSON.stringify(request), /\{\}|\[\]|null/);
});

test('a catalogue without ad spaces is refused', () => {
  assert.throws(() => createTraffic({ catalogue: { adSpaces: [] }, seed: 1 }), RangeError);
});
