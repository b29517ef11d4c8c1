import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import type { AuctionRecord } from '../events/auction-record.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import { Exchange, type AuctionAnswer, type ExchangeParts } from './exchange.ts';
import {
  aBidder,
  aCaller,
  aMarket,
  aPublisher,
  aRequest,
  HEALTHY,
  NO_LIMITS,
  readableSeal,
  someParts,
} from './fixtures.ts';

/** Throws once: at the step of this number, counted from the first bid request on. */
class Fault {
  /** Where it was; null where the auction had ended before. */
  place: string | null = null;
  isArmed = false;
  #stepsLeft: number;

  constructor(step: number) {
    this.#stepsLeft = step;
  }

  step(place: string): void {
    if (!this.isArmed || this.place !== null) return;
    this.#stepsLeft -= 1;
    if (this.#stepsLeft > 0) return;
    this.place = place;
    throw new Error(`planted at ${place}`);
  }

  /** An object of which every field that is read, at any depth, is a step. */
  in<Value extends object>(name: string, value: Value): Value {
    return new Proxy(value, {
      get: (target, key) => {
        const field: unknown = Reflect.get(target, key);
        this.step(`${name}.${String(key)}`);
        const isObject = typeof field === 'object' && field !== null;
        return isObject ? this.in(`${name}.${String(key)}`, field) : field;
      },
    });
  }

  /** The same function, of which every call is a step. */
  before<Args extends unknown[], Result>(
    name: string,
    work: (...args: Args) => Result,
  ): (...args: Args) => Result {
    return (...args) => {
      this.step(name);
      return work(...args);
    };
  }
}

/** Throws whenever one field is read. */
class LastingFault extends Fault {
  readonly #field: string;

  constructor(field: string) {
    super(Infinity);
    this.#field = field;
  }

  override step(place: string): void {
    if (this.isArmed && place === this.#field) throw new Error(`planted at ${place}`);
  }
}

const ABUNDANT = { maxQps: null, maxDailyImpressions: 1_000, maxDailySpendMicros: null };

interface Held {
  readonly answer: AuctionAnswer | Error;
  readonly records: readonly AuctionRecord[];
  readonly reserved: number;
  readonly faults: readonly unknown[];
}

function kindOf(answer: Held['answer']): string {
  return answer instanceof Error ? `threw ${answer.message}` : answer.kind;
}

/** An auction of two bidders: the better one's markup comes with its win notice. */
async function hold(fault: Fault, money?: ExchangeParts['money']): Promise<Held> {
  const records: AuctionRecord[] = [];
  const faults: unknown[] = [];
  let reserved = 0;
  const entities = [1001, 1002].flatMap((id) => {
    const endpoint = `http://bidder-${id}.example/bid`;
    const lineItem = aLineItem({ id: id - 500, demandPartnerId: id, capping: ABUNDANT });
    return [
      aPartner(id, { bidder: fault.in('bidder', aBidder({ endpoint })) }),
      fault.in('lineItem', lineItem),
    ];
  });
  const bids: Readonly<Record<string, object>> = {
    'http://bidder-1001.example/bid': { price: 3, nurl: 'http://bidder.example/win' },
    'http://bidder-1002.example/bid': { price: 2, adm: '<p>An ad</p>' },
  };
  const { metrics } = someParts();
  const exchange = new Exchange(
    someParts({
      client: {
        ask(call, settle) {
          fault.isArmed = true;
          fault.step('ask');
          const { id }: BidRequest = JSON.parse(call.body);
          const bid = { id: 'b', impid: '1', ...bids[call.endpoint] };
          const body = JSON.stringify({ id, seatbid: [{ seat: 'seat-1', bid: [bid] }] });
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      noticeClient: {
        call: fault.before('notice', (_, settle) => {
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body: '<p>Late</p>' }));
        }),
        close: () => Promise.resolve(),
      },
      limits: {
        ...NO_LIMITS,
        reserve: fault.before('reserve', () => {
          reserved += 1;
          return null;
        }),
        release: () => {
          reserved -= 1;
        },
      },
      health: {
        ...HEALTHY,
        observe: fault.before('observe', () => {}),
        allowanceMs: fault.before('allowance', () => 5),
      },
      seal: fault.before('seal', readableSeal),
      trace: { append: fault.before('trace', () => {}) },
      money: money ?? {
        append: (line, done) => {
          records.push(JSON.parse(line));
          done?.(null);
        },
      },
      metrics: {
        ...metrics,
        countAuction: fault.before('count', () => {}),
      },
      creatives: { note: fault.before('note', () => {}) },
      now: fault.before('now', () => 1_000),
      unixTime: fault.before('time', () => Date.UTC(2026, 10, 20)),
      onFault: (error) => void faults.push(error),
    }),
  );
  const settings = { ...aSnapshot().exchange, traceBodiesBps: 10_000 };
  exchange.useMarket(await aMarket(settings, fault.in('publisher', aPublisher()), ...entities));
  const device = { ip: '203.0.113.7', ifa: 'AEBE52E7-03EE-455A-B3C4-E57283966239' };
  const request = aRequest({ device, user: { id: 'user-1', ext: { atts: 3 } } });
  const answer = await exchange
    .hold(fault.in('request', request), aCaller(), 1_000)
    .catch((error: Error) => error);
  return { answer, records, reserved, faults };
}

test('whatever step throws after a bidder was asked, the auction has one record, and holds what it won', async () => {
  const places = new Set<string>();
  for (let step = 1; ; step += 1) {
    const fault = new Fault(step);
    const { answer, records, reserved, faults } = await hold(fault);
    if (fault.place === null) {
      assert.deepEqual([kindOf(answer), faults.length], ['filled', 0]);
      break;
    }
    const name = `step ${step}, ${fault.place}`;
    places.add(fault.place);
    assert.equal(faults.length, 1, `${name}: told once`);
    const [record, ...others] = records;
    assert.ok(record !== undefined && others.length === 0, `${name}: one record`);
    assert.equal(record.calls.length, 2, `${name}: whoever was asked is on record`);
    const won = record.imps.filter(({ filled }) => filled === 1).length;
    assert.equal(kindOf(answer), won === 1 ? 'filled' : 'unfilled', name);
    assert.equal(reserved, won, `${name}: reserved is what was won`);
    for (const { loss_reason: reason, clearing_micros: price } of record.bids) {
      assert.equal(
        reason === 0,
        price > 0 && won === 1,
        `${name}: no bid won without an impression`,
      );
    }
  }
  for (const place of ['reserve', 'notice', 'seal', 'trace', 'count', 'note', 'observe', 'now']) {
    assert.ok(places.has(place), `a fault was planted at ${place}`);
  }
  const redacted = [...places].filter((place) => place.startsWith('request.device'));
  assert.ok(redacted.length > 0, 'and in what the trace reads of the person');
});

test('a journal that throws is one that does not record', async () => {
  const append = (): never => {
    throw new Error('longer than a record may be');
  };
  const { answer, reserved, faults } = await hold(new Fault(Infinity), { append });
  assert.deepEqual([kindOf(answer), reserved, faults.length], ['unrecorded', 0, 1]);
});

test('an auction of which nothing at all can be recorded holds no reservation', async () => {
  const { answer, records, reserved } = await hold(new LastingFault('publisher.id'));
  assert.match(kindOf(answer), /planted at publisher.id/);
  assert.deepEqual([records.length, reserved], [0, 0]);
});
