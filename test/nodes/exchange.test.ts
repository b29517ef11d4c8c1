import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidResponse } from '../../src/openrtb/bid-response.ts';
import { bannerRequest, shareExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';

const share = shareExchange({ args: ['--trusted-proxies', '127.0.0.1'] });

test('an ad request becomes an auction, its winner an answer and its record a line', async (t) => {
  const exchange = await share(t, {
    acme: { price: { medianUsd: 2, spread: 0 } },
    bolt: { price: { medianUsd: 3, spread: 0 } },
  });
  const asked = await exchange.ask(bannerRequest());
  assert.equal(asked.status, 200, asked.text);
  assert.equal(asked.headers['content-type'], 'application/json');
  assert.equal(asked.headers['cache-control'], 'no-store');
  const response: BidResponse = JSON.parse(asked.text);
  const [bid] = response.seatbid?.[0]?.bid ?? [];
  assert.equal(response.id, 'request-1');
  assert.equal(response.cur, 'USD');
  assert.equal(bid?.impid, 'imp-1');
  // One cent above the other partner's bid of 2.00, and of that the publisher's 80 %.
  assert.equal(bid.price, 1.608);
  assert.ok(!/\$\{AUCTION_/.test(bid.adm ?? '${AUCTION_'), 'macros are substituted');

  const [record, ...others] = await exchange.records();
  assert.equal(others.length, 0);
  assert.ok(record !== undefined);
  assert.equal(record.auction_id, response.bidid);
  assert.equal(record.request_id, 'request-1');
  assert.equal(record.country_code, 'USA');
  assert.equal(record.platform_demand, 'Android');
  assert.deepEqual(
    record.bids.map((each) => [each.demand_partner_id, each.loss_reason, each.clearing_micros]),
    [
      [1001, 102, 0],
      [1002, 0, 2_010_000],
    ],
  );
  assertInvariants([record], { filled: 1, unfilled: 0 });

  const [sent] = exchange.acme.requests;
  assert.equal(sent?.headers['x-openrtb-version'], '2.5');
  assert.equal(exchange.bolt.requests[0]?.headers['x-openrtb-version'], '2.2');
});

test('nobody buys: 204, and a record without a winner', async (t) => {
  const exchange = await share(t, { acme: { bidRate: 0 }, bolt: { bidRate: 0 } });
  const asked = await exchange.ask(bannerRequest());
  assert.deepEqual([asked.status, asked.text], [204, '']);
  const records = await exchange.records();
  assertInvariants(records, { filled: 0, unfilled: 1 });
  assert.deepEqual(
    records[0]?.calls.map((call) => call.outcome),
    ['no_bid', 'no_bid'],
  );
});

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

test('what is wrong with a request comes back with its code and pointers', async (t) => {
  const exchange = await share(t);
  const cases: readonly (readonly [string, object | string, number, string, readonly string[]])[] =
    [
      ['broken JSON', '{"id":', 400, 'invalid_json', ['']],
      ['no object', '[]', 400, 'invalid_request', ['']],
      ['no imp', bannerRequest({ imp: undefined }), 400, 'invalid_request', ['/imp']],
      ['empty imp', bannerRequest({ imp: [] }), 400, 'invalid_request', ['/imp']],
      ['site and app', bannerRequest({ site: { id: '3002' } }), 400, 'invalid_request', ['/app']],
      [
        'unknown ad space',
        bannerRequest({ imp: [{ id: '1', tagid: '9', banner: {} }] }),
        400,
        'invalid_request',
        ['/imp/0/tagid'],
      ],
      [
        "another app's ad space",
        bannerRequest({ imp: [{ id: '1', tagid: '4004', banner: {} }] }),
        400,
        'invalid_request',
        ['/imp/0/tagid'],
      ],
      [
        "another publisher's ad space",
        bannerRequest({ app: { id: '3001', publisher: { id: '2999' } } }),
        400,
        'invalid_request',
        ['/imp/0/tagid'],
      ],
      [
        'a format that the ad space does not take',
        bannerRequest({ imp: [{ id: '1', tagid: '4001', video: {} }] }),
        400,
        'invalid_request',
        ['/imp/0'],
      ],
      [
        'wrong types',
        bannerRequest({ tmax: 'soon', imp: [{ id: 1, tagid: '4001', banner: { w: '320' } }] }),
        400,
        'invalid_request',
        ['/imp/0/id', '/imp/0/banner/w', '/tmax'],
      ],
      ['a foreign currency', bannerRequest({ cur: ['EUR'] }), 400, 'invalid_request', ['/cur']],
      [
        'an infinite number',
        '{"id":"1","imp":[{"id":"1","tagid":"4001","banner":{},"bidfloor":1e400}],"app":{}}',
        400,
        'invalid_request',
        ['/imp/0/bidfloor'],
      ],
      ['too much', 'x'.repeat(300_000), 413, 'body_too_large', ['']],
    ];
  for (const [name, body, status, code, pointers] of cases) {
    const asked = await exchange.ask(body);
    const refused: Refused = JSON.parse(asked.text);
    assert.deepEqual([asked.status, refused.code], [status, code], name);
    assert.deepEqual(
      refused.errors.map((error) => error.pointer).toSorted(),
      [...pointers].toSorted(),
      `${name}: ${asked.text}`,
    );
    for (const error of refused.errors) assert.ok(error.message.length > 10, name);
  }
  const unknown = await exchange.ask(bannerRequest({ imp: [{ id: '1', tagid: '9', banner: {} }] }));
  const foreign = await exchange.ask(
    bannerRequest({ imp: [{ id: '1', tagid: '4004', banner: {} }] }),
  );
  assert.equal(foreign.text.replace('4004', '9'), unknown.text, 'foreign answers like missing');
  assert.equal((await exchange.records()).length, 0, 'a refused request is no auction');
});

test('a body in the wrong wrapping is 415, a wrong method 405, a wrong path 404', async (t) => {
  const exchange = await share(t);
  for (const headers of [{ 'content-type': 'text/html' }, { 'content-encoding': 'br' }]) {
    assert.equal((await exchange.ask(bannerRequest(), headers)).status, 415);
  }
  const url = exchange.node.urls.exchange;
  const got = await fetch(`${url}/openrtb2/auction`);
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS']);
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
  assert.equal((await fetch(`${url}/readyz/`)).status, 200);
  const asText = await exchange.ask(bannerRequest(), {
    'content-type': 'text/plain;charset=utf-8',
  });
  assert.equal(asText.status, 200);
});

test('a browser may call from any page, and gives its own user agent and address', async (t) => {
  const exchange = await share(t);
  const asked = await exchange.ask(
    { ...bannerRequest(), device: {} },
    {
      origin: 'https://planet.example',
      'user-agent':
        'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
      'x-forwarded-for': '8.8.8.8',
      'x-forwarded-proto': 'https',
    },
  );
  assert.equal(asked.headers['access-control-allow-origin'], 'https://planet.example');
  const [sent] = exchange.acme.requests;
  assert.equal(sent?.request.device?.ip, '8.8.8.8');
  assert.equal(sent.request.device.os, 'Android');
  assert.equal(sent.request.imp[0]?.secure, 1, 'the page came over https');
});

test('metrics count what the journal records', async (t) => {
  const exchange = await share(t, { bolt: { bidRate: 0 } });
  const counted = async (): Promise<number[]> => {
    const metrics = await (await fetch(exchange.node.urls.metrics)).text();
    return COUNTERS.map((counter) =>
      [...metrics.matchAll(counter)].reduce((sum, [, count]) => sum + Number(count), 0),
    );
  };
  const before = await counted();
  for (let index = 0; index < 5; index += 1) await exchange.ask(bannerRequest());
  const after = await counted();
  assert.deepEqual(
    after.map((count, index) => count - (before[index] ?? 0)),
    [5, 5, 5],
  );
});

const COUNTERS = [
  /rialto_auctions_total\{.*outcome="filled"\} (\d+)/g,
  /demand_partner="1001",outcome="bid",reason=""\} (\d+)/g,
  /demand_partner="1002",outcome="no_bid",\S+ (\d+)/g,
];
