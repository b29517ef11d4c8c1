import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { request } from 'undici';
import type { NativeResponse } from '../../src/openrtb/native-response.ts';
import type { BeaconKind } from '../../src/events/beacon-record.ts';
import { sendUntilAcknowledged } from '../support/beacons.ts';
import { bannerRequest, shareExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { until } from '../support/wait.ts';

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

/** Ad spaces of the example: in the app 4001 banner, 4002 video, 4003 native; on the site 4004. */
const QUERY = new URLSearchParams({ ip: '8.8.8.8', ua: PHONE });

/** Bids well above every floor, so that what was asked for is filled. */
const RICH = { price: { medianUsd: 8, spread: 0 }, bidRate: 1 };

const NOBODY_BUYS = { acme: { bidRate: 0 }, bolt: { bidRate: 0 } };

const share = shareExchange({ acme: RICH, args: ['--workers=2'] });

/** What the example's ad spaces have of their own where nobody buys, beside the banner of the app. */
const OWN_NATIVE = JSON.stringify({
  native: {
    link: { url: 'https://planet.example/own' },
    assets: [
      { id: 1, title: { text: 'Read more' } },
      { id: 2, img: { url: 'https://planet.example/icon.png', w: 80, h: 80 } },
      { id: 3, img: { url: 'https://planet.example/image.png', w: 1200, h: 627 } },
      { id: 4, data: { value: 'Every day' } },
      { id: 5, data: { value: 'Read' } },
    ],
  },
});
const BACKFILL = {
  4002: '{ video: "https://planet.example/own.xml?a=1&b=2" }',
  4003: `{ native: ${JSON.stringify(OWN_NATIVE)} }`,
  4004: '{ banner: "<b>Our own</b>" }, refresh: { min_seconds: 30, max_per_page: 3 }',
};

/** The publisher decides about others' winners, and has something of its own. */
const shareDeciding = shareExchange({
  acme: RICH,
  edit: (yaml) =>
    Object.entries(BACKFILL).reduce(
      (text, [id, value]) => text.replace(`{ id: ${id},`, `{ id: ${id}, backfill: ${value},`),
      yaml.replace('    price_basis: net', '    confirms_wins: true\n    price_basis: net'),
    ),
});

async function get(url: string, method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' = 'GET') {
  const { statusCode, headers, body } = await request(url, { method });
  return { status: statusCode, headers, text: await body.text() };
}

function tagOf({ node }: StartedExchange, path: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...QUERY, ...Object.entries(more)]);
  return `${node.urls.exchange}${path}?${query.toString()}`;
}

/** What stands between two texts, the first time. */
function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  assert.ok(from >= 0, `${start} is not in ${text}`);
  return text.slice(from + start.length, text.indexOf(end, from + start.length));
}

function kindsOf(records: readonly { readonly kind: BeaconKind }[]): BeaconKind[] {
  return records.map(({ kind }) => kind).toSorted();
}

test('a site gets a document with a sandboxed frame, whose beacons count once', async (t) => {
  const exchange = await share(t);
  const asked = await get(tagOf(exchange, '/ad/4004/', { page: 'https://planet.example/front' }));
  assert.equal(asked.status, 200, asked.text);
  assert.equal(asked.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(asked.headers['cache-control'], 'no-store');
  assert.match(String(asked.headers['content-security-policy']), /^sandbox allow-scripts /);
  assert.match(asked.text, /^<!doctype html><html lang="en">/);
  assert.match(
    asked.text,
    /<iframe id="ad" [^>]*width="300" height="250"[^>]* sandbox="allow-scripts /,
  );
  assert.doesNotMatch(asked.text, /allow-same-origin|\$\{/);

  const [sent] = exchange.acme.requests;
  assert.match(JSON.stringify(sent), /https:\/\/planet\.example\/front/);
  const impression = between(asked.text, '"impression":"', '"');
  const view = between(asked.text, '"view":"', '"');
  for (const url of [impression, view, impression, view]) await sendUntilAcknowledged(url);
  const records = await exchange.beacons();
  assert.deepEqual(kindsOf(records), ['impression', 'view']);
  assert.deepEqual(new Set(records.map(({ zone_id }) => zone_id)), new Set([4004]));
  assertInvariants(await exchange.records(), { filled: 1, unfilled: 0 });
});

test('an app gets its markup at the top of the document, behind mraid.js where it has that', async (t) => {
  const exchange = await share(t);
  const { text } = await get(tagOf(exchange, '/ad/4001', { mraidver: '2', sdkver: '3.1' }));
  assert.match(text, /<script src="mraid\.js"><\/script><script>/);
  assert.match(text, /<body><div /);
  assert.doesNotMatch(text, /srcdoc/);
  assert.match(JSON.stringify(exchange.acme.requests), /displaymanagerver.{1,8}3\.1/);
  assert.doesNotMatch((await get(tagOf(exchange, '/ad/4001'))).text, /mraid\.js/);
});

test('a click in the markup is counted once and leads to the advertiser', async (t) => {
  const exchange = await share(t);
  const { text } = await get(tagOf(exchange, '/ad/4001'));
  const link = between(text, '<a href="', '"');
  for (const url of [link, link]) {
    const { status, headers } = await get(url);
    assert.equal(status, 302);
    assert.match(String(headers['location']), /^https:\/\/[\w.-]+\/offer\?ref=/);
  }
  assert.deepEqual(kindsOf(await exchange.beacons()), ['click']);
});

test('json is for who shows the ad himself: markup and beacons, and no price', async (t) => {
  const exchange = await share(t);
  const asked = await get(tagOf(exchange, '/ad/4001', { format: 'json' }));
  assert.equal(asked.headers['access-control-allow-origin'], '*');
  const ad: Record<string, unknown> = JSON.parse(asked.text);
  const { ad_space, format, w, h, adm } = ad;
  assert.deepEqual([ad_space, format, w, h], ['4001', 'banner', 320, 50]);
  assert.match(String(adm), /^<div /);
  assert.ok(!('price' in ad));
  const { beacons }: { beacons: Record<string, string> } = JSON.parse(asked.text);
  for (const name of ['impression', 'view', 'click']) {
    await sendUntilAcknowledged(beacons[name] ?? '');
  }
  const records = await exchange.beacons();
  assert.deepEqual(kindsOf(records), ['click', 'impression', 'view']);
  assert.ok(records.every(({ auction_id }) => auction_id === ad['id']));
});

test("a player goes from our wrapper to the partner's own VAST at any process of the node", async (t) => {
  const exchange = await share(t);
  for (const vastver of ['2', '3']) {
    const { status, headers, text } = await get(tagOf(exchange, '/vast/4002', { vastver }));
    assert.equal(status, 200, text);
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(
      text,
      new RegExp(`<VAST version="${vastver}\\.0"><Ad id="[0-9a-f]{32}"><Wrapper>`),
    );
    const uri = between(text, '<VASTAdTagURI><![CDATA[', ']]>');
    // New connections, which the kernel spreads over both processes.
    const inner = await Promise.all(Array.from({ length: 8 }, () => get(uri)));
    for (const each of inner) assert.equal(each.text, inner[0]?.text);
    assert.match(inner[0]?.text ?? '', /<InLine><AdSystem>Simulated bidder<\/AdSystem>/);
    assert.match(inner[0]?.text ?? '', new RegExp(`<VAST version="${vastver}\\.0">`));
    await sendUntilAcknowledged(between(text, '<Impression><![CDATA[', ']]>'));
    await sendUntilAcknowledged(between(text, '<ClickTracking><![CDATA[', ']]>'));
    for (const event of ['creativeView', 'start', 'midpoint', 'complete']) {
      const url = between(text, `<Tracking event="${event}"><![CDATA[`, ']]>');
      assert.equal((await get(url)).status, 200);
    }
    const error = between(text, '<Error><![CDATA[', ']]></Error>');
    assert.ok(error.endsWith('?code=[ERRORCODE]'));
    assert.equal((await get(error.replace('[ERRORCODE]', '303'))).status, 200);
    assert.equal((await get(error.replace(/.{5}\?/, 'AAAAA?'))).status, 400);
  }
  const records = await exchange.beacons();
  assert.deepEqual(kindsOf(records), ['click', 'click', 'impression', 'impression']);
  const metrics = await get(exchange.node.urls.metrics);
  assert.match(metrics.text, /rialto_video_events_total\{.*event="midpoint",code=""\} 2/);
  assert.match(metrics.text, /rialto_video_events_total\{.*event="error",code="303"\} 2/);
  assert.equal((await get(`${exchange.node.urls.exchange}/markup/AAAA`)).status, 404);
  // All of it fitted into the addresses.
  assert.ok(!readdirSync(exchange.node.dataDirectory).includes('markup'));
});

test('a native ad comes under its root with what counts it', async (t) => {
  const exchange = await share(t);
  const { status, text } = await get(tagOf(exchange, '/native/4003'));
  assert.equal(status, 200, text);
  const { native }: { native: NativeResponse & { eventtrackers: { url: string }[] } } =
    JSON.parse(text);
  assert.equal(native.assets?.length, 5);
  const trackers = native.imptrackers ?? [];
  await sendUntilAcknowledged(trackers.at(-1) ?? '');
  await sendUntilAcknowledged(native.eventtrackers[0]?.url ?? '');
  assert.equal(native.link.clicktrackers?.length, 1, 'the markup has the address already');
  await sendUntilAcknowledged(native.link.clicktrackers?.[0] ?? '');
  const records = await exchange.beacons();
  assert.deepEqual(kindsOf(records), ['click', 'impression', 'view']);
  const inAd: { native: object } = JSON.parse(
    (await get(tagOf(exchange, '/ad/4003', { format: 'json' }))).text,
  );
  assert.ok('assets' in inAd.native);
});

test('where nobody buys, each kind says so in its own way, and no error', async (t) => {
  const exchange = await share(t, NOBODY_BUYS);
  const site = await get(tagOf(exchange, '/ad/4004'));
  assert.equal(site.status, 200);
  assert.match(site.text, /"ad_space":"4004","filled":false/);
  assert.match(site.text, /<body><\/body>/);
  for (const path of ['/ad/4001', '/ad/4004?format=json', '/native/4003']) {
    const [address = '', format] = path.split('?format=');
    const more = format === undefined ? {} : { format };
    const { status, headers, text } = await get(tagOf(exchange, address, more));
    assert.deepEqual([status, text, headers['cache-control']], [204, '', 'no-store'], path);
  }
  const vast = await get(tagOf(exchange, '/vast/4002', { vastver: '3.0' }));
  assert.equal(vast.status, 200);
  assert.match(vast.text, /<VAST version="3\.0"><\/VAST>$/);
  assertInvariants(await exchange.records(), { filled: 0, unfilled: 5 });
});

interface Refused {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

test('what is wrong is told by the name of the parameter; macros that nobody filled are not', async (t) => {
  const exchange = await share(t);
  const cases: readonly (readonly [string, Record<string, string>, readonly string[], RegExp])[] = [
    ['/ad/9', {}, ['ad_space'], /there is no ad space "9"/],
    ['/vast/4001', {}, ['ad_space'], /takes banner.*ask for it at \/ad\/4001/],
    ['/ad/4002', {}, ['ad_space'], /takes video.*ask for it at \/vast\/4002/],
    ['/native/4004', {}, ['ad_space'], /takes banner/],
    ['/ad/4001', { format: 'xml' }, ['format'], /is "xml"; give html, json or banner/],
    [
      '/vast/4002',
      { lat: '91', country: 'Mars', vastver: '4' },
      ['lat', 'country', 'vastver'],
      /give a number from -90 to 90/,
    ],
  ];
  for (const [path, more, pointers, message] of cases) {
    const { status, headers, text } = await get(tagOf(exchange, path, more));
    const refused: Refused = JSON.parse(text);
    assert.deepEqual([status, refused.code], [400, 'invalid_parameter'], path);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.deepEqual(
      refused.errors.map(({ pointer }) => pointer),
      pointers,
    );
    assert.match(refused.errors[0]?.message ?? '', message);
  }
  assert.equal((await exchange.records()).length, 0, 'a refused request is no auction');
  const unfilled = { ifa: '[ifa]', lat: '${LAT}', lon: '', os: '{{os}}', anything: 'else' };
  assert.equal((await get(tagOf(exchange, '/ad/4001', unfilled))).status, 200);
  assert.doesNotMatch(JSON.stringify(exchange.acme.requests), /\[ifa\]|LAT|\{\{os/);
});

test('HEAD and OPTIONS hold no auction, other methods and addresses are refused', async (t) => {
  const exchange = await share(t);
  const url = tagOf(exchange, '/ad/4001');
  const head = await get(url, 'HEAD');
  assert.deepEqual(
    [head.status, head.headers['content-type'], head.text],
    [200, 'text/html; charset=utf-8', ''],
  );
  const options = await get(url, 'OPTIONS');
  assert.equal(options.status, 204);
  assert.equal(options.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
  const post = await get(url, 'POST');
  assert.deepEqual([post.status, post.headers['allow']], [405, 'GET, HEAD, OPTIONS']);
  assert.equal((await get(`${exchange.node.urls.exchange}/ad/`)).status, 404);
  assert.equal((await get(`${exchange.node.urls.exchange}/ad/4001/more`)).status, 404);
  assert.equal((await exchange.records()).length, 0);
});

test('a test is a real auction whose beacons leave no record', async (t) => {
  const exchange = await share(t);
  const { text } = await get(tagOf(exchange, '/ad/4004', { test: '1' }));
  await sendUntilAcknowledged(between(text, '"impression":"', '"'));
  assert.deepEqual(await exchange.beacons(), []);
  assert.deepEqual(
    (await exchange.records()).map((record) => record.test),
    [1],
  );
});

test('the winner of a tag is final, also for a publisher that decides about others', async (t) => {
  const exchange = await shareDeciding(t);
  const { text } = await get(tagOf(exchange, '/ad/4001', { format: 'json' }));
  const { beacons }: { beacons: { impression: string } } = JSON.parse(text);
  await sendUntilAcknowledged(beacons.impression);
  const records = await until('the impression is recorded', 5_000, async () => {
    const found = await exchange.beacons();
    return found.length > 0 && found;
  });
  assert.deepEqual(kindsOf(records), ['impression']);
  assert.deepEqual(
    (await exchange.records()).map(({ fd }) => fd),
    [0],
  );
});

test('where nobody buys an ad space shows what it has for that, and nothing is counted', async (t) => {
  const exchange = await shareDeciding(t, NOBODY_BUYS);
  const site = await get(tagOf(exchange, '/ad/4004'));
  assert.match(site.text, /srcdoc="[^"]*&lt;b&gt;Our own&lt;\/b&gt;"/);
  assert.match(site.text, /"impression":null,"view":null,"click":null/);
  const json = await get(tagOf(exchange, '/ad/4004', { format: 'json' }));
  assert.deepEqual(JSON.parse(json.text), {
    backfill: true,
    ad_space: '4004',
    format: 'banner',
    w: 300,
    h: 250,
    adm: '<b>Our own</b>',
    refresh: { min_seconds: 30, max_per_page: 3 },
  });
  const vast = await get(tagOf(exchange, '/vast/4002'));
  assert.match(
    vast.text,
    /<VASTAdTagURI><!\[CDATA\[https:\/\/planet\.example\/own\.xml\?a=1&b=2\]\]>/,
  );
  assert.doesNotMatch(vast.text, /\/imp\/|ClickTracking/);
  const asked = await get(tagOf(exchange, '/native/4003'));
  assert.deepEqual(JSON.parse(asked.text), JSON.parse(OWN_NATIVE));
  const records = await exchange.records();
  assert.ok(records.every(({ imps }) => imps.every(({ filled }) => filled === 0)));
});

test('an auction that nobody won has its id in a header, to be explained by', async (t) => {
  const exchange = await share(t, NOBODY_BUYS);
  const answers = [
    await exchange.ask(bannerRequest({ id: 'unfilled' })),
    await get(tagOf(exchange, '/vast/4002')),
    await get(tagOf(exchange, '/ad/4004', { format: 'json' })),
  ];
  const records = await exchange.records();
  assert.deepEqual(
    new Set(answers.map(({ headers }) => headers['x-auction-id'])),
    new Set(records.map(({ auction_id: id }) => id)),
  );
});
