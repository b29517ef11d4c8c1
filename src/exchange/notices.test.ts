import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord, NoticeRecord } from '../events/auction-record.ts';
import { Exchange, type WonNotices } from './exchange.ts';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import type { Entity } from '../snapshot/entities.ts';
import {
  aBidder,
  aCaller,
  aMarket,
  aPublisher,
  aRequest,
  readableSeal,
  someParts,
} from './fixtures.ts';

const AT_MS = Date.UTC(2026, 10, 20);
const MACROS =
  'p=${AUCTION_PRICE}&l=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}&r=${AUCTION_MBR}&i=${AUCTION_IMP_ID}';

interface Setting {
  /** Bids by partner; every bid has all three notices. */
  readonly bids: Readonly<Record<number, readonly object[]>>;
  readonly request?: Parameters<typeof aRequest>[0];
  readonly entities?: readonly Entity[];
  /** What each win notice brings. */
  readonly markup?: string;
}

/** Holds an auction among partners and gives what it made due. */
async function held({ bids, request, entities = [], markup = '' }: Setting): Promise<{
  readonly notices: readonly NoticeRecord[];
  readonly record: AuctionRecord;
  /** What the beacons of winners make due. */
  readonly sealed: readonly WonNotices[];
}> {
  const partners = Object.keys(bids).map(Number);
  const lines: string[] = [];
  const sealed: WonNotices[] = [];
  const exchange = new Exchange(
    someParts({
      client: {
        ask(call, settle) {
          const partner = Number(/\d{4}/.exec(call.endpoint)?.[0]);
          const { id }: { id: string } = JSON.parse(call.body);
          const answered = (bids[partner] ?? []).map((bid) => ({ ...noticesFor(partner), ...bid }));
          const body = JSON.stringify({ id, seatbid: [{ bid: answered }] });
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      noticeClient: {
        call: (_, settle) =>
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body: markup })),
        close: () => Promise.resolve(),
      },
      seal: (imp, due) => (sealed.push(due), readableSeal(imp, due)),
      money: {
        append(line, done) {
          lines.push(line);
          done?.(null);
        },
      },
    }),
  );
  const asked = partners.flatMap((id) => [
    aPartner(id, { bidder: aBidder({ endpoint: `http://bidder-${id}.example/bid` }) }),
    aLineItem({ id: id - 500, demandPartnerId: id, seat: null }),
  ]);
  exchange.useMarket(await aMarket(...asked, ...entities));
  await exchange.hold(aRequest(request), aCaller(), 1_000);
  const record: AuctionRecord = JSON.parse(lines[0] ?? 'null');
  return { notices: record.notices, record, sealed };
}

function noticesFor(partner: number): object {
  return {
    nurl: `http://${partner}.example/win?${MACROS}`,
    burl: `http://${partner}.example/bill?${MACROS}`,
    lurl: `http://${partner}.example/loss?${MACROS}`,
  };
}

const bid = (id: string, price: number, more: object = {}): object => ({
  id,
  impid: '1',
  price,
  adm: '<p>An ad</p>',
  ...more,
});

test('a winner is told its price, a loser why it lost and what would have won', async () => {
  const { notices } = await held({
    bids: { 1001: [bid('a', 2)], 1002: [bid('b', 4)], 1003: [bid('c', 1, { attr: [1] })] },
    entities: [
      aPublisher({ blocking: { categories: [], advertisers: [], apps: [], attributes: [1] } }),
    ],
  });
  assert.deepEqual(
    notices.map(({ event, bid: index, demand_partner_id: partner, lineitem_id: line, url }) => [
      event,
      index,
      partner,
      line,
      url,
    ]),
    [
      ['loss', 0, 1001, 501, 'http://1001.example/loss?p=2.01&l=102&m=4.01&r=1.005&i=1'],
      ['win', 1, 1002, 502, 'http://1002.example/win?p=2.01&l=0&m=2.01&r=0.5025&i=1'],
      ['loss', 2, 1003, 503, 'http://1003.example/loss?p=2.01&l=210&m=&r=2.01&i=1'],
    ],
  );
});

test('losers are not told the clearing price where the exchange says so', async () => {
  const exchange = { ...aSnapshot().exchange, lossNoticePrice: false };
  const { notices } = await held({
    bids: { 1001: [bid('a', 2)], 1002: [bid('b', 4)] },
    entities: [exchange],
  });
  assert.equal(notices[0]?.url, 'http://1001.example/loss?p=&l=102&m=4.01&r=&i=1');
  assert.match(notices[1]?.url ?? '', /p=2\.01/);
});

test('a bid below its floor is told what it would have taken', async () => {
  const { notices } = await held({
    bids: { 1001: [bid('a', 0.2)], 1002: [bid('b', 4)] },
    request: { imp: [{ id: '1', tagid: '4001', banner: {}, bidfloor: 0.8 }] },
  });
  // The floor of the publisher's 80 % is 1.00 for the buyer, but it takes 4.01 to beat the winner.
  assert.equal(notices[0]?.url, 'http://1001.example/loss?p=1&l=100&m=4.01&r=5&i=1');
});

test('where the publisher decides the winner hears of a loss at its expiry, and of no win yet', async () => {
  for (const [name, request, entities] of [
    ['the request says so', { source: { fd: 1 } }, []],
    ['the publisher always does', {}, [aPublisher({ confirmsWins: true })]],
  ] as const) {
    const { notices, record } = await held({
      bids: { 1001: [bid('a', 2)], 1002: [bid('b', 4, { exp: 60 })] },
      request,
      entities,
    });
    assert.equal(record.fd, 1, name);
    assert.deepEqual(
      notices.map(({ event, unless_won_by_ms: byMs, url }) => [event, byMs, url]),
      [
        ['loss', 0, 'http://1001.example/loss?p=2.01&l=102&m=4.01&r=1.005&i=1'],
        ['loss', AT_MS + 60_000, 'http://1002.example/loss?p=2.01&l=2&m=2.01&r=0.5025&i=1'],
      ],
      name,
    );
  }
});

test('a win notice that has brought the markup is not due again', async () => {
  const { notices, record } = await held({
    bids: { 1001: [bid('a', 2, { adm: undefined })] },
    markup: '<p>Late</p>',
  });
  assert.equal(record.imps[0]?.filled, 1);
  assert.deepEqual(notices, []);
});

test('a forfeit bid hears that it brought no markup', async () => {
  const { notices, record } = await held({
    bids: { 1001: [bid('a', 2)], 1002: [bid('b', 4, { adm: undefined })] },
  });
  assert.deepEqual(
    notices.map(({ event, demand_partner_id: partner }) => [event, partner]),
    [
      ['win', 1001],
      ['loss', 1002],
    ],
  );
  assert.match(notices[1]?.url ?? '', /l=7/);
  assert.equal(record.bids[1]?.in_auction, 0);
});

test('nothing of a test is told to anybody', async () => {
  const { notices, record } = await held({
    bids: { 1001: [bid('a', 2)], 1002: [bid('b', 4)] },
    request: { test: 1 },
  });
  assert.equal(record.test, 1);
  assert.deepEqual(notices, []);
});

test('a bid on an impression that nobody offered, or one that cannot be read, hears nothing', async () => {
  const { notices } = await held({
    bids: { 1001: [bid('a', 2, { impid: '9' }), bid('b', 2, { price: 'much' }), bid('c', 1)] },
  });
  assert.deepEqual(
    notices.map(({ event, bid: index }) => [event, index]),
    [['win', 1]],
  );
});

test('a loss notice that is too long is not due, and the auction goes on', async () => {
  const lurl = `http://1001.example/${'x'.repeat(3_000)}`;
  const { notices } = await held({ bids: { 1001: [bid('a', 1, { lurl })], 1002: [bid('b', 2)] } });
  assert.deepEqual(
    notices.map(({ event }) => event),
    ['win'],
  );
});

test('loss notices never keep a bid out of the record: what is too much of them is not called', async () => {
  const lurl = `http://b.example/${'x'.repeat(1_900)}`;
  const hostile = Array.from({ length: 100 }, (_, index) => bid(`h${index}`, 1, { lurl }));
  const { notices, record } = await held({
    bids: {
      1001: hostile,
      1002: hostile,
      1003: hostile,
      1004: hostile,
      1005: hostile,
      1006: [bid('a', 5)],
      1007: [bid('b', 4)],
    },
  });
  assert.deepEqual([record.bids.length, record.bids_dropped], [502, 0]);
  const toldBy = (partner: number): number =>
    notices.filter(({ demand_partner_id: id }) => id === partner).length;
  assert.ok(toldBy(1001) > 20 && toldBy(1001) < 100, `${toldBy(1001)} notices`);
  assert.deepEqual([toldBy(1006), toldBy(1007)], [1, 1], 'nobody pays for the others');
});

test('in a test no win notice is called for markup', async () => {
  const { record } = await held({
    bids: { 1001: [bid('a', 2, { adm: undefined })], 1002: [bid('b', 1)] },
    request: { test: 1 },
    markup: '<p>Late</p>',
  });
  assert.deepEqual(
    record.bids.map(({ bid_id: id, loss_reason: reason }) => [id, reason]),
    [
      ['a', 7],
      ['b', 0],
    ],
  );
});

test('half a surrogate pair in anything that a bidder sends gets into no record', async () => {
  const half = '\ud800';
  const urls = Object.fromEntries(
    ['nurl', 'burl', 'lurl'].map((name) => [name, `http://b.example/${name}?${half}`]),
  );
  const texts = {
    crid: half,
    cid: half,
    adid: half,
    cat: [half],
    adm: `<p>${half}`,
  };
  const { record, notices, sealed } = await held({
    bids: {
      1001: [bid(`a${half}`, 3, { ...urls, ...texts }), bid('b', 2, { ...urls, impid: half })],
      1002: [bid('c', 1, { ...urls, ...texts, adomain: [half] })],
    },
    request: { id: half, device: { os: half, language: half, ua: half } },
  });
  assert.deepEqual(
    notices.map(({ event }) => event),
    ['win', 'loss'],
  );
  assert.match(sealed[0]?.burl ?? '', /burl/);
  // What JSON cannot say it escapes.
  assert.doesNotMatch(JSON.stringify([record, sealed]), /\\ud[89a-f]/);
});
