import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { aSnapshot } from '../auction/eligibility-fixtures.ts';
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

interface Held {
  readonly answer: AuctionAnswer;
  readonly asked: number;
  readonly record: AuctionRecord;
  readonly trace: readonly string[];
  readonly sealed: readonly { readonly imp: WonImp; readonly due: WonNotices }[];
  readonly metrics: string;
}

/** An auction for a spider, under an exchange's and a publisher's setting. */
async function hold(
  exchange: TrafficTreatment,
  publisher: TrafficTreatment | null = null,
): Promise<Held> {
  const registry = new Registry();
  const money: string[] = [];
  const trace: string[] = [];
  const sealed: { imp: WonImp; due: WonNotices }[] = [];
  let asked = 0;
  const held = new Exchange(
    someParts({
      client: {
        ask: (_, settle) => {
          asked += 1;
          const body = JSON.stringify({ id: 'auction', seatbid: [{ bid: [BID] }] });
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
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
  held.useMarket(await aMarket(settings, aPublisher({ invalidTraffic: publisher })));
  const answer = await held.hold(aRequest(), aCaller(), 1_000);
  const record: AuctionRecord = JSON.parse(money[0] ?? '');
  return { answer, asked, record, trace, sealed, metrics: await registry.metrics() };
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
