import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import type { AuctionRecord } from '../events/auction-record.ts';
import type { WonImp } from '../events/beacon-record.ts';
import type { TrafficTreatment } from '../snapshot/entities.ts';
import { Exchange, type AuctionAnswer, type WonNotices } from './exchange.ts';
import {
  aCaller,
  aMarket,
  aPublisher,
  aRequest,
  NO_ENRICHMENT,
  NO_LIMITS,
  readableSeal,
  someParts,
} from './fixtures.ts';
import { createExchangeMetrics } from './metrics.ts';
import { treatmentOf } from './treatment.ts';

const BID = {
  id: 'b',
  impid: '1',
  price: 2,
  adm: '<p></p>',
  nurl: 'https://bidder.example/win',
  burl: 'https://bidder.example/bill',
};

const CAPPED = aLineItem({
  id: 501,
  demandPartnerId: 1001,
  seat: null,
  capping: { maxQps: null, maxDailyImpressions: 9, maxDailySpendMicros: null },
});

interface Held {
  readonly answer: AuctionAnswer;
  readonly asked: number;
  readonly record: AuctionRecord;
  readonly trace: readonly string[];
  readonly sealed: readonly { readonly imp: WonImp; readonly due: WonNotices }[];
  readonly metrics: string;
  /** Wins that were reserved of a budget, and win notices that were called for markup. */
  readonly reserved: number;
  readonly notices: number;
}

/** An auction for a spider, under an exchange's and a publisher's setting. */
async function hold(
  exchange: TrafficTreatment,
  publisher: TrafficTreatment | null = null,
  bid: object = BID,
): Promise<Held> {
  const registry = new Registry();
  const money: string[] = [];
  const trace: string[] = [];
  const sealed: { imp: WonImp; due: WonNotices }[] = [];
  let asked = 0;
  let reserved = 0;
  let notices = 0;
  const held = new Exchange(
    someParts({
      client: {
        ask: (_, settle) => {
          asked += 1;
          const body = JSON.stringify({ id: 'auction', seatbid: [{ bid: [bid] }] });
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      limits: {
        ...NO_LIMITS,
        reserve: () => {
          reserved += 1;
          return null;
        },
      },
      noticeClient: {
        call: (_, settle) => {
          notices += 1;
          queueMicrotask(() => settle({ kind: 'timeout' }));
        },
        close: () => Promise.resolve(),
      },
      seal: (imp, due) => {
        sealed.push({ imp, due });
        return readableSeal(imp, due);
      },
      enrichment: { ...NO_ENRICHMENT, findInvalidTraffic: () => 'spider' },
      metrics: createExchangeMetrics(registry),
      money: { append: (line, done) => (money.push(line), done?.(null)) },
      trace: { append: (line) => void trace.push(line) },
    }),
  );
  const settings = { ...aSnapshot().exchange, invalidTraffic: exchange, traceShareBps: 10_000 };
  held.useMarket(await aMarket(settings, aPublisher({ invalidTraffic: publisher }), CAPPED));
  const answer = await held.hold(aRequest(), aCaller(), 1_000);
  const record: AuctionRecord = JSON.parse(money[0] ?? '');
  const counts = { asked, reserved, notices };
  return { answer, ...counts, record, trace, sealed, metrics: await registry.metrics() };
}

test('a publisher that says nothing is treated as the exchange says, else as it says itself', () => {
  const { exchange } = aSnapshot();
  const treatment = (publisher: TrafficTreatment | null) =>
    treatmentOf(
      'spider',
      { ...exchange, invalidTraffic: 'mark' },
      aPublisher({ invalidTraffic: publisher }),
    );
  assert.deepEqual(treatment(null), { kind: 'spider', treatment: 'mark' });
  assert.deepEqual(treatment('ignore'), { kind: 'spider', treatment: 'ignore' });
  assert.equal(treatmentOf(null, exchange, aPublisher()), null);
});

test('refused traffic is an auction to which nobody was asked: recorded, unfilled, counted', async () => {
  const { answer, asked, record, trace, metrics } = await hold('ignore', 'refuse');
  assert.equal(answer.kind, 'unfilled');
  assert.equal(asked, 0);
  assert.deepEqual([record.calls, record.bids, record.imps[0]?.filled], [[], [], 0]);
  assert.equal(record.test, 0, 'reports count its requests');
  assert.deepEqual(JSON.parse(trace[0] ?? '').invalid_traffic, {
    kind: 'spider',
    treatment: 'refuse',
  });
  assert.match(metrics, /rialto_invalid_traffic_total\{kind="spider",treatment="refuse"\} 1/);
  assert.match(metrics, /rialto_auctions_total\{outcome="unfilled"\} 1/);
});

test('marked traffic is sold as any other, and what is sealed of it counts and bills nothing', async () => {
  const { answer, record, sealed, trace } = await hold('mark');
  assert.equal(answer.kind, 'filled');
  assert.equal(record.test, 0);
  assert.deepEqual(
    record.notices.map(({ event }) => event),
    ['win'],
    'the bidder hears what became of its bid',
  );
  const [{ imp, due } = assert.fail('nothing is sealed')] = sealed;
  assert.equal(imp.test, 1);
  assert.deepEqual(due, { nurl: '', burl: '' });
  assert.match(trace[0] ?? '', /"invalid_traffic":\{"kind":"spider","treatment":"mark"\}/);
});

test('ignored traffic is billed as any other, and counted all the same', async () => {
  const { answer, sealed, metrics } = await hold('mark', 'ignore');
  assert.equal(answer.kind, 'filled');
  assert.equal(sealed[0]?.imp.test, 0);
  assert.equal(sealed[0].due.burl, BID.burl);
  assert.match(metrics, /rialto_invalid_traffic_total\{kind="spider",treatment="ignore"\} 1/);
});

test('marked traffic uses up no budget, and no bidder is told that it won to bring markup', async () => {
  const { adm: _, ...late } = BID;
  assert.equal((await hold('ignore')).reserved, 1);
  assert.equal((await hold('ignore', null, late)).notices, 1);
  assert.equal((await hold('mark')).reserved, 0);
  const marked = await hold('mark', null, late);
  assert.deepEqual([marked.notices, marked.record.bids[0]?.loss_reason], [0, 7]);
});
