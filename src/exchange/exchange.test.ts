import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import type { AuctionRecord } from '../events/auction-record.ts';
import { RECORD_LENGTH_MAX } from '../journal/journal.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { BidderCall, BidderClient } from '../ports/bidder-client.ts';
import type { Entity } from '../snapshot/entities.ts';
import { Exchange, type AuctionAnswer, type RecordSink } from './exchange.ts';
import { aBidder, aCaller, aMarket, aPublisher, aRequest, aSite, someParts } from './fixtures.ts';
import { createExchangeMetrics } from './metrics.ts';

interface Setting {
  readonly entities?: readonly Entity[];
  readonly request?: Parameters<typeof aRequest>[0];
  /** In place of the standard one. */
  readonly whole?: IncomingRequest;
  /** The body of each bidder's answer. */
  readonly answer?: (call: BidderCall, id: string) => string;
  readonly money?: RecordSink;
  readonly unwritable?: () => Error | null;
  /** How much time has passed when the auction is held, in milliseconds. */
  readonly lateMs?: number;
}

interface Held {
  readonly answer: AuctionAnswer;
  readonly calls: readonly BidderCall[];
  readonly money: readonly string[];
  readonly trace: readonly string[];
  readonly metrics: string;
}

async function hold(setting: Setting): Promise<Held> {
  const registry = new Registry();
  const calls: BidderCall[] = [];
  const money: string[] = [];
  const trace: string[] = [];
  const client: BidderClient = {
    ask(call, settle) {
      calls.push(call);
      const id = `auction${calls.length}`;
      const body = setting.answer?.(call, idOf(call.body) ?? id) ?? '';
      queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
    },
    inFlight: () => 0,
    close: () => Promise.resolve(),
  };
  const metrics = createExchangeMetrics(registry);
  const recorded = { money: setting.money ?? sinkInto(money), trace: sinkInto(trace) };
  const unwritable = setting.unwritable ?? (() => null);
  const exchange = new Exchange(someParts({ client, metrics, unwritable, ...recorded }));
  exchange.useMarket(await aMarket(...(setting.entities ?? [])));
  const startMs = 1_000 - (setting.lateMs ?? 0);
  const answer = await exchange.hold(
    setting.whole ?? aRequest(setting.request),
    aCaller(),
    startMs,
  );
  return { answer, calls, money, trace, metrics: await registry.metrics() };
}

function idOf(body: string): string | undefined {
  return /^\{"id":"([^"]+)"/.exec(body)?.[1];
}

function sinkInto(lines: string[]): RecordSink {
  return {
    append(line, done) {
      assert.ok(
        line.length <= RECORD_LENGTH_MAX && !line.includes('\n'),
        'the journal would throw',
      );
      lines.push(line);
      done?.(null);
    },
  };
}

function bidding(price: number, more: object = {}): NonNullable<Setting['answer']> {
  const bid = { id: 'b', impid: '1', price, adm: '<p>${AUCTION_PRICE}</p>', ...more };
  return (_, id) => JSON.stringify({ id, seatbid: [{ seat: 'seat-1', bid: [bid] }] });
}

function recordOf({ money }: Held): AuctionRecord {
  const [line, ...others] = money;
  assert.equal(others.length, 0);
  return JSON.parse(line ?? 'null');
}

test('the publisher is told its share or the price, and paid its share, from nothing to everything', async () => {
  // The bid alone pays the request's floor, which stands on the publisher's own basis.
  const cases = [
    { revenueShareBps: 0, priceBasis: 'net', told: 0, clearing: 100_000, payout: 0 },
    { revenueShareBps: 0, priceBasis: 'gross', told: 0.1, clearing: 100_000, payout: 0 },
    { revenueShareBps: 10_000, priceBasis: 'net', told: 0.1, clearing: 100_000, payout: 100_000 },
    { revenueShareBps: 3_333, priceBasis: 'net', told: 0.1, clearing: 300_031, payout: 100_000 },
    { revenueShareBps: 3_333, priceBasis: 'gross', told: 0.1, clearing: 100_000, payout: 33_330 },
  ] as const;
  for (const { revenueShareBps, priceBasis, told, clearing, payout } of cases) {
    const name = `${revenueShareBps} ${priceBasis}`;
    const held = await hold({
      entities: [aPublisher({ revenueShareBps, priceBasis })],
      request: { imp: [{ id: '1', tagid: '4001', banner: {}, bidfloor: 0.1 }] },
      answer: bidding(2),
    });
    assert.equal(held.answer.kind, 'filled', name);
    const [bid] = held.answer.response.seatbid?.[0]?.bid ?? [];
    assert.equal(bid?.price, told, name);
    assert.equal(bid.adm, `<p>${clearing / 1_000_000}</p>`, 'the buyer is told what it pays');
    const [recorded] = recordOf(held).bids;
    assert.deepEqual(
      [recorded?.clearing_micros, recorded?.payout_micros],
      [clearing, payout],
      name,
    );
  }
});

test('no bidder is asked for an auction that could not be recorded', async () => {
  const unwritable = (): Error => new Error('disk full');
  const held = await hold({ unwritable, answer: bidding(2) });
  assert.equal(held.answer.kind, 'unrecorded');
  assert.deepEqual([held.calls, held.money, held.trace], [[], [], []]);
  assert.match(held.metrics, /rialto_auctions_total\{outcome="unrecorded"\} 1/);
});

test('an auction whose record cannot be written is told to nobody', async () => {
  const money: RecordSink = { append: (_, done) => done?.(new Error('disk full')) };
  const { answer, metrics } = await hold({ money, answer: bidding(2) });
  assert.equal(answer.kind, 'unrecorded');
  assert.match(metrics, /rialto_auctions_total\{outcome="unrecorded"\} 1/);
  assert.doesNotMatch(metrics, /outcome="filled"/);
});

test('whatever bidders send, the record fits into the journal and keeps its winner', async () => {
  const partners = Array.from({ length: 12 }, (_, index) => 1001 + index);
  const entities = partners.flatMap((id) => [
    aPartner(id, { bidder: aBidder({ endpoint: `http://bidder-${id}.example/bid` }) }),
    aLineItem({ id: 500 + id, demandPartnerId: id }),
  ]);
  // Six characters each in JSON, in every text that a record has.
  const long = '\u0001'.repeat(128);
  const answer = (_: BidderCall, id: string): string => {
    const bids = Array.from({ length: 100 }, (__, index) => ({
      id: `${index}${long}`,
      impid: '1',
      price: index === 99 ? 2 : -1,
      adm: '<p>An ad</p>',
      crid: long,
      adomain: index === 99 ? [] : [long],
    }));
    return JSON.stringify({ id, seatbid: [{ seat: 'seat-1', bid: bids }] });
  };
  const held = await hold({ entities, answer });
  assert.equal(held.answer.kind, 'filled');
  const { bids, bids_dropped: dropped } = recordOf(held);
  assert.equal(bids.filter(({ loss_reason: reason }) => reason === 0).length, 1);
  assert.ok(bids.length > 100 && bids.length < 800);
  assert.equal(bids.length + dropped, 1_200);
  const trace: { bids: readonly unknown[] } = JSON.parse(held.trace[0] ?? 'null');
  assert.equal(trace.bids.length, bids.length, 'the trace runs parallel to the record');
});

test('with no time left nobody is asked, and the record says why', async () => {
  const held = await hold({ lateMs: 285 });
  assert.equal(held.answer.kind, 'unfilled');
  assert.equal(held.calls.length, 0);
  const [call] = recordOf(held).calls;
  assert.deepEqual([call?.outcome, call?.reason], ['throttled', 'no_time']);
});

test('a request whose time was over before it began is no auction', async () => {
  const { answer, calls, money, metrics } = await hold({ lateMs: 300 });
  assert.deepEqual([answer, calls, money], [{ kind: 'late' }, [], []]);
  assert.match(metrics, /rialto_auctions_refused_total\{reason="late"\} 1\n/);
  assert.match(metrics, /rialto_auctions_total\{outcome="overloaded"\} 1\n/);
});

test('a partner that is paused or archived, or has no active line item, is not asked', async () => {
  for (const status of ['PAUSED', 'ARCHIVED'] as const) {
    for (const entity of [
      aPartner(1001, { status }),
      aLineItem({ id: 501, demandPartnerId: 1001, status }),
    ]) {
      const held = await hold({ entities: [entity], answer: bidding(2) });
      assert.equal(held.answer.kind, 'unfilled');
      assert.deepEqual(recordOf(held).calls, [], `${entity.kind} ${status}`);
    }
  }
});

test('a test is said to bidders and recorded as one', async () => {
  const held = await hold({ request: { test: 1 }, answer: bidding(2) });
  assert.match(held.calls[0]?.body ?? '', /"test":1/);
  assert.equal(recordOf(held).test, 1);
});

test('one ad space twice in a request is two impressions, each with its winner', async () => {
  const imp = ['a', 'b'].map((id) => ({ id, tagid: '4001', banner: {} }));
  const answer = (_: BidderCall, id: string): string => {
    const bid = ['1', '2'].map((impid) => ({ id: impid, impid, price: 2, adm: '<p>An ad</p>' }));
    return JSON.stringify({ id, seatbid: [{ seat: 'seat-1', bid }] });
  };
  const held = await hold({ request: { imp }, answer });
  assert.equal(held.answer.kind, 'filled');
  assert.deepEqual(
    held.answer.response.seatbid?.[0]?.bid.map(({ id, impid }) => [id, impid]),
    [
      ['auction-1', 'a'],
      ['auction-2', 'b'],
    ],
  );
  assert.deepEqual(
    recordOf(held).imps.map(({ zone_id: zone, filled }) => [zone, filled]),
    [
      [4001, 1],
      [4001, 1],
    ],
  );
});

test('what does not fit into a bid request does not get there: an IPv6 address, a foreign field', async () => {
  const device = { ip: '2606:4700::1111', os: 'iOS', foreign: 'secret' };
  const held = await hold({ request: { device }, answer: bidding(2) });
  assert.doesNotMatch(held.calls[0]?.body ?? 'secret', /2606|secret/);
});

test('an impression of audio alone is left out with a note, and the others are sold under their ids', async () => {
  const imp = [
    { id: 'a', tagid: '4001', audio: { mimes: ['audio/mp4'] } },
    { id: 'b', tagid: '4001', banner: {} },
  ];
  const held = await hold({ request: { imp }, answer: bidding(2) });
  assert.equal(held.answer.kind, 'filled');
  const { seatbid, ext } = held.answer.response;
  assert.deepEqual(
    seatbid?.[0]?.bid.map(({ impid }) => impid),
    ['b'],
  );
  const message = 'Audio is not sold here; this impression was left out.';
  assert.deepEqual(ext, { rialto: { notes: [{ pointer: '/imp/0', message }] } });
  assert.equal(recordOf(held).imps.length, 1);
});

test('an ad space says whether a request that names neither is of a site or of an app', async () => {
  const { site: _, ...request } = aRequest();
  for (const type of ['site', 'app'] as const) {
    const property = aSite({ type, bundle: type === 'app' ? 'com.planet.reader' : null });
    const held = await hold({ entities: [property], whole: request, answer: bidding(2) });
    assert.equal(held.answer.kind, 'filled', type);
    assert.match(held.calls[0]?.body ?? '', new RegExp(`"${type}":\\{[^}]*"id":"3001"`));
  }
  const imp = [{ id: '1', tagid: '9', banner: {} }];
  const unknown = await hold({ whole: { ...request, imp } });
  assert.equal(unknown.answer.kind, 'invalid');
  assert.deepEqual(
    unknown.answer.problems.map(({ pointer }) => pointer),
    ['/imp/0/tagid'],
  );
});

test('half a surrogate pair does not leave, wherever in a request it stands', async () => {
  const half = 'a\ud800';
  const held = await hold({
    request: {
      id: half,
      site: { keywords: half, page: `https://planet.example/${half}`, content: { title: half } },
      device: { ua: half },
      user: { keywords: half, ext: { prebid: { buyeruids: { 1001: half } } } },
      source: {
        tid: half,
        ext: { schain: { ver: '1.0', complete: 1, nodes: [{ asi: half, sid: '1', hp: 1 }] } },
      },
      // A malformed domain blocks nothing and is not sent.
      badv: [half],
    },
    answer: bidding(2),
  });
  const { body = '' } = held.calls[0] ?? {};
  assert.equal(body.split('a\ufffd').length, 9, body);
  assert.ok(!body.includes('\\ud'), body);
  assert.ok([...held.money, ...held.trace].every((line) => !line.includes('\\ud')));
});

test('before there is a configuration no auction is held', async () => {
  const registry = new Registry();
  const metrics = createExchangeMetrics(registry);
  const exchange = new Exchange(someParts({ metrics }));
  assert.deepEqual(await exchange.hold(aRequest(), aCaller(), 0), { kind: 'not_ready' });
  assert.match(await registry.metrics(), /rialto_auctions_total\{outcome="not_ready"\} 1/);
});

test('of many tests at once a few keep their messages, because anybody may ask for tests', async () => {
  const lines: string[] = [];
  const exchange = new Exchange(someParts({ trace: sinkInto(lines) }));
  exchange.useMarket(await aMarket());
  for (let each = 0; each < 20; each += 1) {
    await exchange.hold(aRequest({ test: 1 }), aCaller(), 1_000 + each);
  }
  const kept = lines.filter((line) => !line.includes('"request":""'));
  assert.deepEqual([lines.length, kept.length], [20, 1]);
});
