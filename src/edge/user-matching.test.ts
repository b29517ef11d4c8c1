import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { request as send } from 'undici';
import { Exchange } from '../exchange/exchange.ts';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { NO_WAIT } from '../base/loop-wait-fixture.ts';
import { aBidder, aMarket, aRequest, someParts } from '../exchange/fixtures.ts';
import { createExchangeMetrics } from '../exchange/metrics.ts';
import { CookieJar } from '../matching/fixtures.ts';
import { consentString } from '../privacy/consent-string-fixture.ts';
import type { BidderClient } from '../ports/bidder-client.ts';
import type { Entity } from '../snapshot/entities.ts';
import { Admission } from './admission.ts';
import { createEdge } from './server.ts';
import { NOW_S, someUsers } from './user-fixtures.ts';

const SYNC_URL = 'https://match.example/s?gdpr=${GDPR}&c=${GDPR_CONSENT}&redirect=${REDIRECT}';
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** What a request from a page has, and one from a publisher's server has not. */
const BROWSER = { origin: 'https://planet.example' };

interface Setting {
  readonly entities?: readonly Entity[];
  /** What bidders answer. */
  readonly answer?: object;
}

/** An exchange, the browser in front of it, and a clock that the test moves. */
class Visit {
  readonly jar = new CookieJar();
  readonly bodies: string[] = [];
  nowS = NOW_S;
  url = '';
  metrics: () => Promise<string> = () => Promise.resolve('');

  async get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') {
    const cookie = this.jar.header;
    const answer = await send(`${this.url}${path}`, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    this.jar.take(answer.headers['set-cookie']);
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text };
  }

  /** The addresses that a page has for partners, by partner. */
  async syncs(query = ''): Promise<Map<number, string>> {
    const { text } = await this.get(`/sync?format=json${query}`);
    const { syncs }: { syncs: { partner: number; url: string }[] } = JSON.parse(text);
    return new Map(syncs.map((sync) => [sync.partner, sync.url]));
  }

  /** Where a partner sends the browser back to, with its id behind it. */
  back(syncUrl: string | undefined, uid: string): string {
    const redirect = new URL(syncUrl ?? '').searchParams.get('redirect') ?? '';
    assert.ok(redirect.startsWith('https://exchange.example/setuid?'), redirect);
    return `${redirect}${encodeURIComponent(uid)}`.replace('https://exchange.example', '');
  }

  /** The user that each bidder is told of, by partner. */
  async auction(differs: object = {}, headers: Record<string, string> = BROWSER) {
    this.bodies.length = 0;
    const answer = await send(`${this.url}/openrtb2/auction`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: this.jar.header,
        ...headers,
      },
      body: JSON.stringify({ ...aRequest(), ...differs }),
    });
    this.jar.take(answer.headers['set-cookie']);
    await answer.body.dump();
    return this.bodies.map((body): unknown => JSON.parse(body).user);
  }

  async counted(): Promise<Record<string, number>> {
    const lines = (await this.metrics()).matchAll(
      /rialto_user_syncs_total\{demand_partner="(\d+)",outcome="(\w+)"\} (\d+)/g,
    );
    return Object.fromEntries(
      [...lines].map(([, id, outcome, n]) => [`${id} ${outcome}`, Number(n)]),
    );
  }
}

async function visit(t: TestContext, { entities = [], answer }: Setting = {}): Promise<Visit> {
  const visited = new Visit();
  const registry = new Registry();
  const metrics = createExchangeMetrics(registry);
  const client: BidderClient = {
    ask: ({ body }, settle) => {
      visited.bodies.push(body);
      const { id }: { id: string } = JSON.parse(body);
      const text = answer === undefined ? '' : JSON.stringify({ id, ...answer });
      queueMicrotask(() => settle({ kind: 'answer', status: text === '' ? 204 : 200, body: text }));
    },
    inFlight: () => 0,
    close: () => Promise.resolve(),
  };
  const exchange = new Exchange(
    someParts({ metrics, client, now: performance.now.bind(performance) }),
  );
  exchange.useMarket(await aMarket(partner(1001), ...entities));
  const edge = createEdge({
    exchange,
    metrics,
    users: someUsers(registry, () => visited.nowS),
    keeper: { keep: () => Promise.resolve('key'), find: () => Promise.resolve(null) },
    exchangeUrl: 'https://exchange.example',
    trackerUrl: 'https://tracker.example',
    clientAddress: (ip) => ({ ip: ip ?? null, secure: true }),
    admission: new Admission({ clock: NO_WAIT, auctionsMax: 10 }),
    logger: pino({ level: 'silent' }),
  });
  edge.server.listen(0, '127.0.0.1');
  await once(edge.server, 'listening');
  t.after(() => {
    edge.server.closeAllConnections();
    edge.server.close();
  });
  const address = edge.server.address();
  assert.ok(typeof address === 'object' && address !== null);
  visited.url = `http://127.0.0.1:${address.port}`;
  visited.metrics = () => registry.metrics();
  return visited;
}

function partner(id: number, differs: Parameters<typeof aBidder>[0] = {}): Entity {
  return { ...aPartner(id), bidder: aBidder({ syncUrl: SYNC_URL, gvlId: 755, ...differs }) };
}

test('a page opens what partners want opened, runs nothing itself, and tells nobody of the page', async (t) => {
  const frame = partner(1002, { syncUrl: 'https://frame.example/"><script>', syncType: 'iframe' });
  const browser = await visit(t, { entities: [frame] });
  const { status, headers, text } = await browser.get('/sync');
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; img-src/);
  assert.match(
    text,
    /<img src="https:\/\/match\.example\/s\?gdpr=&amp;c=&amp;redirect=https%3A%2F%2F/,
  );
  assert.match(text, /<iframe src="https:\/\/frame\.example\/&quot;&gt;&lt;script&gt;" .*sandbox=/);
  assert.doesNotMatch(text, /<script/);
  assert.equal(text.match(/referrerpolicy="no-referrer"/g)?.length, 2);
  assert.deepEqual(browser.jar.names, ['rialto_user']);
  assert.deepEqual(await browser.counted(), { '1001 offered': 1, '1002 offered': 1 });
});

test('what a partner sets is what it gets in auctions of that browser, and nobody else gets it', async (t) => {
  const browser = await visit(t, { entities: [partner(1002)] });
  assert.deepEqual(await browser.auction(), [undefined]);
  const syncs = await browser.syncs();
  const { status, headers } = await browser.get(browser.back(syncs.get(1001), 'acme/17=='));
  assert.deepEqual(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'image/gif', 'no-store'],
  );
  await browser.get(browser.back(syncs.get(1002), 'bolt-9'));
  assert.deepEqual(await browser.auction(), [{ buyeruid: 'acme/17==' }]);
  const named = { user: { ext: { prebid: { buyeruids: { 1001: 'named' } } } } };
  assert.deepEqual(await browser.auction(named), [{ buyeruid: 'named' }]);
  // A publisher's server is no browser, whatever it passes on.
  assert.deepEqual(await browser.auction({}, {}), [undefined]);
  const counted = await browser.counted();
  assert.deepEqual([counted['1001 stored'], counted['1002 stored']], [1, 1]);
});

test('a browser gets one page a minute, and a partner another chance a day later', async (t) => {
  const browser = await visit(t);
  assert.equal((await browser.syncs()).size, 1);
  assert.equal((await browser.syncs()).size, 0);
  browser.nowS += 2 * HOUR_S;
  assert.equal((await browser.syncs()).size, 0);
  browser.nowS += DAY_S;
  const syncs = await browser.syncs();
  await browser.get(browser.back(syncs.get(1001), 'u'));
  browser.nowS += 29 * DAY_S;
  assert.equal((await browser.syncs()).size, 0);
  browser.nowS += DAY_S;
  assert.equal((await browser.syncs()).size, 1);
  browser.nowS += 90 * DAY_S;
  assert.deepEqual(await browser.auction(), [undefined]);
});

test('a page has five partners at most, or as few as it asks for, and the next one has the others', async (t) => {
  const more = Array.from({ length: 7 }, (_, at) => partner(1002 + at));
  const browser = await visit(t, { entities: more });
  assert.deepEqual([...(await browser.syncs('&limit=2')).keys()], [1001, 1002]);
  browser.nowS += 61;
  assert.deepEqual([...(await browser.syncs()).keys()], [1003, 1004, 1005, 1006, 1007]);
  browser.nowS += 61;
  assert.deepEqual([...(await browser.syncs()).keys()], [1008]);
});

test('an address is good for its own partner, browser and hour', async (t) => {
  const browser = await visit(t, { entities: [partner(1002)] });
  const back = browser.back((await browser.syncs()).get(1001), 'forged');
  const other = await visit(t);
  await other.syncs();
  assert.equal((await other.get(back)).status, 400);
  assert.equal((await browser.get(back.replace('partner=1001', 'partner=1002'))).status, 400);
  assert.equal((await browser.get(back.replace(/sig=[^&]+/, ''))).status, 400);
  assert.equal((await browser.get(back.replace('partner=1001', 'partner=77'))).status, 400);
  assert.equal((await browser.get(back.replace('uid=forged', 'uid=%24%7BUID%7D'))).status, 400);
  assert.equal((await browser.get(back, { cookie: '' })).status, 400);
  browser.nowS += HOUR_S + 1;
  assert.equal((await browser.get(back)).status, 400);
  assert.deepEqual(await browser.auction(), [undefined]);
  assert.deepEqual(await browser.counted(), {
    '1001 offered': 1,
    '1001 refused': 2,
    '1001 invalid': 1,
    '1001 no_cookie': 1,
    '1002 offered': 1,
    '1002 refused': 1,
  });
});

test('an empty id takes back what was set', async (t) => {
  const browser = await visit(t);
  const sync = (await browser.syncs()).get(1001);
  await browser.get(browser.back(sync, 'u'));
  await browser.get(browser.back(sync, ''));
  assert.deepEqual(await browser.auction(), [undefined]);
});

test('without consent nobody is offered, nothing is stored, and what was there goes', async (t) => {
  const yes = consentString({ vendors: [755], purposes: [1, 2] });
  const no = consentString({ vendors: [755], purposes: [2] });
  const refusals = [
    `&gdpr=1&consent=${no}`,
    '&gdpr=1',
    '&gdpr=1&consent=unreadable',
    '&coppa=1',
    '&us_privacy=1YYN',
    '&us_privacy=unreadable',
    '&lmt=1',
    '&dnt=1',
  ];
  for (const refusal of refusals) {
    const browser = await visit(t);
    const sync = (await browser.syncs(`&gdpr=1&consent=${yes}`)).get(1001);
    assert.match(sync ?? '', new RegExp(`gdpr=1&c=${yes}&`));
    await browser.get(browser.back(sync, 'u'));
    assert.deepEqual(await browser.auction(), [{ buyeruid: 'u' }]);
    // At the partner the user has changed their mind.
    await browser.get(browser.back(sync, 'v').replace(/&gdpr=1&consent=[^&]+/, refusal));
    assert.deepEqual(await browser.auction(), [undefined], refusal);
    browser.nowS += 2 * DAY_S;
    await browser.get(browser.back((await browser.syncs()).get(1001), 'w'));
    assert.equal((await browser.syncs(refusal)).size, 0);
    assert.deepEqual(browser.jar.names, [], refusal);
    assert.equal((await browser.counted())['1001 no_consent'], 1);
  }
});

test('under GDPR the exchange needs consent of its own once it has a vendor id', async (t) => {
  const exchange = (await aMarket()).snapshot.exchange;
  const browser = await visit(t, { entities: [{ ...exchange, gvlId: 8 }] });
  const partnerAlone = `&gdpr=1&consent=${consentString({ vendors: [755], purposes: [1, 2] })}`;
  const both = `&gdpr=1&consent=${consentString({ vendors: [8, 755], purposes: [1, 2] })}`;
  assert.equal((await browser.syncs(partnerAlone)).size, 0);
  assert.equal((await browser.syncs(both)).size, 1);
});

test('who opts out, at the exchange or in the browser, is not matched, stored or sent any more', async (t) => {
  const browser = await visit(t, { answer: ANSWER });
  const sync = (await browser.syncs()).get(1001);
  await browser.get(browser.back(sync, 'u'));
  assert.deepEqual(await browser.auction({}, { ...BROWSER, 'sec-gpc': '1' }), [undefined]);
  assert.deepEqual(await browser.auction(), [{ buyeruid: 'u' }]);
  const own = { 'sec-fetch-site': 'same-origin' };
  assert.match((await browser.get('/optout')).text, /may match this browser/);
  assert.match((await browser.get('/optout?choice=out', own, 'POST')).text, /You have opted out/);
  assert.deepEqual(browser.jar.names, ['rialto_optout']);
  assert.equal((await browser.syncs()).size, 0);
  assert.equal((await browser.get(browser.back(sync, 'u'))).status, 200);
  const named = { user: { ext: { prebid: { buyeruids: { 1001: 'named' } } } } };
  assert.deepEqual(await browser.auction(named), [undefined]);
  assert.deepEqual(browser.jar.names, ['rialto_optout']);
  assert.match((await browser.get('/optout')).text, /You have opted out/);
  await browser.get('/optout?choice=in', own, 'POST');
  assert.equal((await browser.syncs()).size, 1);
  assert.equal((await browser.syncs()).size, 0);
  browser.nowS += 2 * DAY_S;
  const { text } = await browser.get('/sync?format=json', { 'sec-gpc': '1' });
  assert.deepEqual([text, browser.jar.names], ['{"syncs":[]}', []]);
});

test('no other site makes the choice for its visitors', async (t) => {
  const browser = await visit(t);
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ];
  for (const headers of foreign) {
    for (const choice of ['in', 'out']) {
      assert.equal((await browser.get(`/optout?choice=${choice}`, headers, 'POST')).status, 400);
    }
  }
  assert.equal((await browser.get('/optout?choice=out')).status, 200);
  assert.deepEqual(browser.jar.names, []);
  const old = { origin: 'https://exchange.example' };
  assert.equal((await browser.get('/optout?choice=maybe', old, 'POST')).status, 400);
  assert.equal((await browser.get('/optout?choice=out', old, 'POST')).status, 200);
  assert.deepEqual(browser.jar.names, ['rialto_optout']);
});

const ANSWER = {
  customdata: 'seen "twice"',
  seatbid: [{ bid: [{ id: '1', impid: 'imp-1', price: 1, adm: '<b>ad</b>' }] }],
};

test('what a bidder has kept with its answer comes back to it from that browser', async (t) => {
  const browser = await visit(t, { answer: ANSWER });
  assert.deepEqual(await browser.auction({ regs: { coppa: 1 } }), [undefined]);
  assert.deepEqual(browser.jar.names, []);
  await browser.auction();
  assert.deepEqual(browser.jar.names, ['rialto_user_1001']);
  assert.deepEqual(await browser.auction(), [{ customdata: 'seen "twice"' }]);
  await browser.get(browser.back((await browser.syncs()).get(1001), 'u'));
  assert.deepEqual(await browser.auction(), [{ buyeruid: 'u', customdata: 'seen "twice"' }]);
  // The same again is not written each time.
  assert.equal((await browser.counted())['1001 customdata'], 1);
  const longer = await visit(t, { answer: { ...ANSWER, customdata: 'x'.repeat(257) } });
  await longer.auction();
  assert.deepEqual(longer.jar.names, []);
});

test('the list of a page is read by pages of sites of the exchange alone', async (t) => {
  const browser = await visit(t);
  const allowed = async (origin: string) =>
    (await browser.get('/sync?format=json', { origin })).headers['access-control-allow-origin'];
  assert.equal(await allowed('https://planet.example'), 'https://planet.example');
  assert.equal(await allowed('https://www.planet.example'), 'https://www.planet.example');
  for (const origin of [
    'https://evil.example',
    'https://xplanet.example',
    'http://planet.example',
    'null',
    'https://example',
  ]) {
    assert.equal(await allowed(origin), undefined);
  }
});

test('partners that are paused, or at addresses inside a network, are not offered', async (t) => {
  const hidden = [
    { ...partner(1001), status: 'PAUSED' as const },
    partner(1002, { syncUrl: 'http://192.168.1.1/router?reboot=1' }),
    partner(1003, { syncUrl: 'http://localhost:8080/' }),
    partner(1004, { syncUrl: 'http://[::1]/' }),
    partner(1005, { syncUrl: 'http://0x7f.1/' }),
    partner(1006, { syncUrl: null }),
  ];
  const browser = await visit(t, { entities: hidden });
  assert.equal((await browser.syncs()).size, 0);
  assert.deepEqual(browser.jar.names, []);
});

test('other methods are refused', async (t) => {
  const browser = await visit(t);
  for (const path of ['/sync', '/setuid']) {
    const { status, headers } = await browser.get(path, {}, 'POST');
    assert.deepEqual([status, headers['allow']], [405, 'GET']);
  }
});
