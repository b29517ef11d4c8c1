import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { shareExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import {
  assertPrebidServerTakes,
  DESKTOP_UA,
  GPP,
  IMPS,
  prebidJsRequest,
  prebidServerRequest,
  readAsPrebidJs,
} from '../support/prebid.ts';

/** A site with an ad space of each format, and one that takes a banner or a video; Prebid Server knows its publisher by another id. */
function withFormats(yaml: string): string {
  return yaml
    .replace('    price_basis: net', '    aliases: [pbs-account]\n    price_basis: net')
    .replace(
      '{ id: 4004, name: Front page box, banner: { sizes: [300x250] }',
      '{ id: 4004, name: Front page box, banner: { sizes: [300x250, 728x90] }',
    )
    .replace(
      '          - { id: 4005,',
      [
        '          - { id: 4006, name: Player, video: { w: 640, h: 360 } }',
        '          - { id: 4007, name: Feed, native: { title: 90, image: 1200x627 } }',
        '          - { id: 4008, name: Either, banner: { sizes: [640x360] }, video: { w: 640, h: 360 } }',
        '          - { id: 4005,',
      ].join('\n'),
    );
}

/** The headers of a browser that a page of the site has loaded Prebid.js into. */
const BROWSER = {
  origin: 'https://planet.example',
  referer: 'https://planet.example/',
  'content-type': 'text/plain',
  'user-agent': DESKTOP_UA,
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  'x-forwarded-for': '8.8.8.8',
  'x-forwarded-proto': 'https',
} as const;

/** The headers of Prebid Server. */
const SERVER = {
  'content-type': 'application/json;charset=utf-8',
  accept: 'application/json',
  'x-openrtb-version': '2.6',
} as const;

const share = shareExchange({ edit: withFormats, args: ['--trusted-proxies=127.0.0.1'] });

/** The last bid request to the bidder of version 2.5. */
function lastSent({ acme }: StartedExchange) {
  return acme.requests.at(-1)?.request ?? assert.fail('nobody was asked');
}

test('Prebid.js gets a banner, a video and a native ad from one request, each as it has to be', async (t) => {
  const exchange = await share(t);
  const asked = prebidJsRequest([IMPS.banner, IMPS.video, IMPS.native]);
  const { status, text, headers } = await exchange.ask(asked, BROWSER);
  assert.equal(status, 200, text);
  assert.equal(headers['access-control-allow-origin'], 'https://planet.example');
  assert.equal(headers['access-control-allow-credentials'], 'true');
  const bids = readAsPrebidJs(asked, text);
  assert.deepEqual(
    bids
      .map(({ requestId, mediaType, currency }) => `${requestId} ${mediaType} ${currency}`)
      .toSorted(),
    [`${IMPS.banner.id} banner USD`, `${IMPS.video.id} video USD`, `${IMPS.native.id} native USD`],
  );
  const markupOf = (type: string): string => {
    return bids.find(({ mediaType }) => mediaType === type)?.markup ?? '';
  };
  const banner = bids.find(({ mediaType }) => mediaType === 'banner');
  assert.deepEqual([banner?.width, banner?.height], [970, 250], 'the first that was asked for');
  assert.equal(banner?.dealId, 'planet-acme-1');
  assert.match(markupOf('video'), /^(<\?xml[^>]*>\s*)?<VAST/);
  const native: unknown = JSON.parse(markupOf('native'));
  const assets: unknown = Reflect.get(
    Object(Reflect.get(Object(native), 'native') ?? native),
    'assets',
  );
  assert.ok(Array.isArray(assets));
  assert.deepEqual(
    assets.map(({ id }: { id: number }) => id).toSorted((a, b) => a - b),
    [1, 3],
  );
  assertInvariants(await exchange.records(), { filled: 1, unfilled: 0 });
});

test("what Prebid.js says of page, user and privacy reaches the bidder, in OpenRTB's own places", async (t) => {
  const exchange = await share(t);
  await exchange.ask(prebidJsRequest([IMPS.banner]), BROWSER);
  const { site, device, user, regs, source, imp } = lastSent(exchange);
  assert.equal(site?.page, 'https://planet.example/front?x=1');
  assert.equal(device?.ip, '8.8.8.8', "the connection's, as no page knows it");
  assert.deepEqual([device.ua, device.os, device.devicetype], [DESKTOP_UA, 'Windows', 2]);
  assert.equal(Reflect.get(Object(regs?.ext), 'gdpr'), 1);
  assert.equal(Reflect.get(Object(regs?.ext), 'gpp'), GPP);
  assert.ok(String(Reflect.get(Object(user?.ext), 'consent')).startsWith('C'));
  assert.equal(source?.fd, 1);
  assert.deepEqual([imp[0]?.secure, imp[0]?.banner?.w, imp[0]?.banner?.h], [1, 970, 250]);
  // Net of the publisher's share of 80 %: for 10 cents the buyer has to pay 12.5; the ad space asks for more.
  assert.equal(imp[0]?.bidfloor, 0.3);
});

test('an impression of several formats tells which of them the bid is', async (t) => {
  const exchange = await share(t, { acme: { formats: ['video'] } });
  const either = { ...IMPS.video, tagid: '4008', banner: { format: [{ w: 640, h: 360 }] } };
  const asked = prebidJsRequest([either]);
  const [bid] = readAsPrebidJs(asked, (await exchange.ask(asked, BROWSER)).text);
  assert.equal(bid?.mediaType, 'video');
});

test('a bid that a bidder left bare is filled up with what Prebid cannot do without', async (t) => {
  const exchange = await share(t, { bolt: { bidRate: 0 } });
  exchange.acme.respondWith(({ id, imp }) => {
    const bare = { id: '1', impid: imp[0]?.id, price: 4, adm: '<p>ad</p>', adomain: ['a.example'] };
    return {
      status: 200,
      body: JSON.stringify({ id, seatbid: [{ seat: 'acme-1', bid: [bare] }] }),
    };
  });
  const asked = prebidJsRequest([{ ...IMPS.banner, tagid: '4005' }]);
  const [bid] = readAsPrebidJs(asked, (await exchange.ask(asked, BROWSER)).text);
  assert.deepEqual([bid?.width, bid?.height, bid?.mediaType], [970, 250, 'banner']);
  assert.ok((bid?.creativeId ?? '').length > 0);
});

test('Prebid decides: its pixel for the win and the billing address count once each', async (t) => {
  const exchange = await share(t);
  const asked = prebidJsRequest([{ ...IMPS.banner, tagid: '4005' }]);
  const [bid] = readAsPrebidJs(asked, (await exchange.ask(asked, BROWSER)).text);
  // The converter puts a picture with `nurl` into the ad, and `burl` is called when it is billable.
  for (const url of [bid?.nurl, bid?.burl, bid?.burl, bid?.nurl]) {
    const { statusCode, body } = await request(url ?? assert.fail('an address is missing'));
    await body.dump();
    assert.ok(statusCode === 200 || statusCode === 204);
  }
  const records = await exchange.beacons();
  assert.deepEqual(records.map(({ kind }) => kind).toSorted(), ['impression', 'win']);
  assert.equal(records[0]?.payout_micros, Math.round((bid?.cpm ?? 0) * 1e6), 'as it was told');
});

test('a preflight is answered for any page, and plain text needs none', async (t) => {
  const exchange = await share(t);
  const url = `${exchange.node.urls.exchange}/openrtb2/auction`;
  const preflight = await request(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://planet.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-openrtb-version',
    },
  });
  assert.equal(preflight.statusCode, 204);
  const allowed = preflight.headers;
  assert.equal(allowed['access-control-allow-origin'], 'https://planet.example');
  assert.equal(allowed['access-control-allow-credentials'], 'true');
  assert.match(String(allowed['access-control-allow-methods']), /POST/);
  assert.match(String(allowed['access-control-allow-headers']), /content-type.*x-openrtb-version/);
  // A frame without an origin of its own, as some pages put Prebid.js into.
  const framed = await exchange.ask(prebidJsRequest([IMPS.banner]), { ...BROWSER, origin: 'null' });
  assert.deepEqual([framed.status, framed.headers['access-control-allow-origin']], [200, 'null']);
  // What is wrong is told to the page as well, and not hidden by the browser.
  const wrong = await exchange.ask(prebidJsRequest([{ ...IMPS.banner, tagid: '9' }]), BROWSER);
  assert.deepEqual(
    [wrong.status, wrong.headers['access-control-allow-origin']],
    [400, 'https://planet.example'],
  );
});

test('no bid is 204 without a body, which a page may read as well', async (t) => {
  const silent = { bidRate: 0 };
  const exchange = await share(t, { acme: silent, bolt: silent });
  const { status, text, headers } = await exchange.ask(prebidJsRequest([IMPS.banner]), BROWSER);
  assert.deepEqual([status, text], [204, '']);
  assert.equal(headers['access-control-allow-origin'], 'https://planet.example');
});

test('Prebid Server is answered what it takes, with privacy read from where 2.6 has it', async (t) => {
  const exchange = await share(t);
  for (const imps of [[IMPS.banner], [IMPS.banner, IMPS.video, IMPS.native]]) {
    const asked = prebidServerRequest(imps);
    const { status, text } = await exchange.ask(asked, SERVER);
    assert.equal(status, 200, text);
    assertPrebidServerTakes(asked, text);
    assert.equal(readAsPrebidJs(asked, text).length, imps.length);
  }
  const { regs, user, device, source } = lastSent(exchange);
  assert.equal(Reflect.get(Object(regs?.ext), 'gdpr'), 1);
  assert.ok(String(Reflect.get(Object(user?.ext), 'consent')).startsWith('C'));
  assert.equal(device?.ip, '8.8.8.8');
  assert.notEqual(user?.buyeruid, 'pbs-user', "Prebid Server's id of the user is no bidder's");
  const chain: unknown = Reflect.get(Object(source?.ext), 'schain');
  assert.equal(Reflect.get(Object(chain), 'complete'), 0, 'the exchange has no domain to be named');
});

test("Prebid Server's account stands for the publisher where the operator says so, and no other does", async (t) => {
  const exchange = await share(t);
  const site = { page: 'https://planet.example/' };
  for (const id of ['2001', 'pbs-account']) {
    const named = { ...site, publisher: { id } };
    const own = await exchange.ask(prebidServerRequest([IMPS.banner], { site: named }), SERVER);
    assert.equal(own.status, 200, own.text);
    assert.equal(lastSent(exchange).site?.publisher?.id, '2001', 'bidders know it by one id');
  }
  const foreign = { ...site, publisher: { id: 'their-account' } };
  const other = await exchange.ask(prebidServerRequest([IMPS.banner], { site: foreign }), SERVER);
  assert.equal(other.status, 400);
  assert.match(other.text, /"pointer":"\/imp\/0\/tagid".*publisher/);
});

test('a request with many ad units and user ids is taken, and one beyond 256 KB is told so', async (t) => {
  const exchange = await share(t);
  const imps = Array.from({ length: 20 }, (_, index) => ({ ...IMPS.banner, id: `imp-${index}` }));
  const eids = Array.from({ length: 300 }, (_, index) => ({
    source: `id-${index}.example`,
    uids: [{ id: 'x'.repeat(500), atype: 1 }],
  }));
  const { user, ...others } = prebidJsRequest(imps);
  const ext = { ...Object(Reflect.get(Object(user), 'ext')), eids };
  const large = { ...others, user: { ext } };
  assert.ok(JSON.stringify(large).length > 150_000);
  const { status, text } = await exchange.ask(large, BROWSER);
  assert.equal(status, 200, text.slice(0, 500));
  assert.equal(readAsPrebidJs(prebidJsRequest(imps), text).length, 20);
  const tooLarge = await exchange.ask({ ...large, ext: { x: 'x'.repeat(120_000) } }, BROWSER);
  assert.equal(tooLarge.status, 413);
});

test('a currency list with USD is taken, one without is refused, and a test bills nobody', async (t) => {
  const exchange = await share(t);
  const withUsd = prebidJsRequest([IMPS.banner], { cur: ['EUR', 'USD'] });
  assert.equal((await exchange.ask(withUsd, BROWSER)).status, 200);
  const euros = await exchange.ask(prebidJsRequest([IMPS.banner], { cur: ['EUR'] }), BROWSER);
  assert.equal(euros.status, 400);
  assert.match(euros.text, /"pointer":"\/cur"/);
  const trial = prebidJsRequest([IMPS.banner], { test: 1 });
  const [bid] = readAsPrebidJs(trial, (await exchange.ask(trial, BROWSER)).text);
  await (await request(bid?.burl ?? assert.fail())).body.dump();
  assert.deepEqual(await exchange.beacons(), []);
});
