import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { aPartner, aSnapshot } from '../auction/eligibility-fixtures.ts';
import { aDeal, aLineItem } from '../auction/fixtures.ts';
import { AuctionTraceSchema, type AuctionTrace } from '../events/trace-record.ts';
import { RECORD_LENGTH_MAX } from '../journal/journal.ts';
import { validateIncomingRequest } from '../openrtb/validate-incoming.ts';
import type { BidderCall } from '../ports/bidder-client.ts';
import type { Entity, ExchangeSettings } from '../snapshot/entities.ts';
import { Exchange } from './exchange.ts';
import { aBidder, aCaller, aMarket, aRequest, someParts } from './fixtures.ts';
import { runs } from '../../test/support/effort.ts';

const validator = Compile(AuctionTraceSchema);

interface Setting {
  readonly settings?: Partial<ExchangeSettings>;
  readonly entities?: readonly Entity[];
  readonly request?: object;
  readonly auctionId?: string;
  readonly answer?: (call: BidderCall) => string;
}

/** Holds one auction; gives its trace and the length of the line, or null where it left none. */
async function traced(
  setting: Setting,
): Promise<{ trace: AuctionTrace; line: string; money: string } | null> {
  const money: string[] = [];
  const lines: string[] = [];
  const exchange = new Exchange(
    someParts({
      client: {
        ask: (call, settle) => {
          const body = setting.answer?.(call) ?? '';
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      money: { append: (line, done) => (money.push(line), done?.(null)) },
      trace: { append: (line) => void lines.push(line) },
      createAuctionId: () => setting.auctionId ?? UNLUCKY,
    }),
  );
  const settings = { ...aSnapshot().exchange, ...setting.settings };
  exchange.useMarket(await aMarket(settings, ...(setting.entities ?? [])));
  const checked = validateIncomingRequest({ ...aRequest(), ...setting.request });
  assert.ok(checked.ok, JSON.stringify(checked));
  await exchange.hold(checked.value, aCaller({ ip: '198.51.100.23' }), 995.5);
  const [line] = lines;
  if (line === undefined) return null;
  assert.ok(line.length <= RECORD_LENGTH_MAX && !line.includes('\n'));
  const trace: unknown = JSON.parse(line);
  assert.ok(validator.Check(trace), JSON.stringify(validator.Errors(trace)));
  return { trace, line, money: money[0] ?? '' };
}

/** An auction whose lot is high: it falls into no share but the whole. */
const UNLUCKY = 'auction';

function bidding(more: object = {}, ...others: readonly object[]): NonNullable<Setting['answer']> {
  const bid = { id: 'b', impid: '1', price: 1, adm: '<p>An ad</p>', ...more };
  return ({ body }) =>
    JSON.stringify({
      id: JSON.parse(body).id,
      seatbid: [{ seat: 'seat-1', bid: [bid, ...others] }],
    });
}

test('a win leaves a trace that says how it came about, and no message', async () => {
  const found = await traced({
    entities: [
      aPartner(1001, { bidder: aBidder({ endpoint: 'http://a.example' }) }),
      aPartner(1002, { bidder: aBidder({ openrtbVersion: '2.2', endpoint: 'http://b.example' }) }),
      aLineItem({ id: 501, demandPartnerId: 1001, floorMicros: 400_000, seat: 'seat-1' }),
      aLineItem({ id: 502, demandPartnerId: 1002, seat: null }),
      aDeal({ id: 'deal-1', floorMicros: 500_000, adSpaceIds: [4001], seats: ['seat-1'] }),
    ],
    answer: (call) =>
      call.endpoint === 'http://a.example'
        ? bidding({ dealid: 'deal-1' }, { id: 'c', impid: '1', price: 0.1, dealid: 'deal-1' })(call)
        : '',
  });
  assert.ok(found !== null);
  const { calls, bids, ...rest } = found.trace;
  assert.deepEqual(rest, {
    kind: 'trace',
    auction_id: UNLUCKY,
    at_ms: Date.UTC(2026, 10, 20),
    publisher_id: 2001,
    demand_partner_ids: [1001, 1002],
    tmax_ms: 300,
    duration_us: 4_500,
    revenue_share_bps: 8_000,
    imps: [{ formats: ['banner'], first_price: 0 }],
  });
  const called = {
    request_id: UNLUCKY,
    imps: [0],
    deals: ['deal-1'],
    at: 2,
    sent_us: 4_500,
    tmax_ms: 195,
    status: 200,
    detail: '',
    request: '',
    response: '',
  };
  const [first, second] = calls;
  assert.deepEqual(first, { ...called, response_bytes: first?.response_bytes });
  assert.ok((first?.response_bytes ?? 0) > 100);
  assert.deepEqual(second, { ...called, deals: [], response_bytes: 0 });
  const bid = {
    lineitem_floor_micros: 400_000,
    deal_type: 'second_price',
    group: -1,
    out: 0,
  };
  assert.deepEqual(bids, [
    { detail: '', floor_micros: 500_000, min_to_win_micros: 500_000, ...bid },
    {
      detail: 'price 0.1 is below the floor of 0.5',
      floor_micros: 500_000,
      min_to_win_micros: 1_010_000,
      ...bid,
    },
  ]);
});

test('a partner that was not called stands in the trace as well', async () => {
  const found = await traced({
    settings: { traceShareBps: 10_000 },
    request: { user: {}, regs: { ext: { gdpr: 1 } } },
  });
  assert.deepEqual(found?.trace.demand_partner_ids, [1001]);
  const [call] = found.trace.calls;
  assert.deepEqual([call?.sent_us, call?.tmax_ms, call?.status], [-1, 0, 0]);
});

test('without a winner the share decides, by a lot that the id draws', async () => {
  assert.equal(await traced({}), null);
  assert.equal((await traced({ settings: { traceShareBps: 10_000 } }))?.trace.bids.length, 0);
  let kept = 0;
  for (let n = 0; n < 200; n += 1) {
    const settings = { traceShareBps: 5_000, traceBodiesBps: 1_000 };
    const found = await traced({ settings, auctionId: `auction-${n}` });
    if (found === null) continue;
    kept += 1;
    const [call] = found.trace.calls;
    assert.equal(call?.response, '', 'an empty answer');
  }
  assert.ok(kept > 60 && kept < 140, `${kept}`);
});

test('messages are kept of the share that settings name, with their trace, and of every test', async () => {
  const none = { traceShareBps: 0, traceBodiesBps: 0 };
  assert.equal((await traced({ settings: none, answer: bidding() }))?.trace.calls[0]?.request, '');
  const whole = { traceShareBps: 0, traceBodiesBps: 10_000 };
  for (const setting of [{ settings: whole }, { settings: none, request: { test: 1 } }]) {
    const found = await traced({ ...setting, answer: () => '{"id":"x","nbr":2}' });
    const [call] = found?.trace.calls ?? [];
    assert.equal(call?.response, '{"id":"x","nbr":2}');
    assert.equal(JSON.parse(call.request).id, UNLUCKY);
  }
});

test('of an answer that could not be read the beginning is kept, and no piece of it in the reason', async () => {
  const answer = `<html>${'x'.repeat(5_000)}`;
  const settings = { traceShareBps: 10_000, traceBodiesBps: 0 };
  const found = await traced({ settings, answer: () => answer });
  const [call] = found?.trace.calls ?? [];
  assert.equal(call?.response, `${answer.slice(0, 2_048)}…`);
  assert.equal(call.request, '');
  assert.equal(call.detail, "the answer is not JSON: Unexpected token '<'");
});

/** So many partners, each with a line item that takes all. */
function partnersFrom(firstId: number, count: number): readonly Entity[] {
  return Array.from({ length: count }, (_, index) => [
    aPartner(firstId + index, { bidder: aBidder() }),
    aLineItem({ id: firstId + 1_000 + index, demandPartnerId: firstId + index }),
  ]).flat();
}

test('long messages are cut, and none is kept where all together are too long for a record', async () => {
  const partners = partnersFrom(2_000, 40);
  const settings = { traceBodiesBps: 10_000 };
  const long = await traced({ settings, answer: () => 'x'.repeat(20_000) });
  assert.equal(long?.trace.calls[0]?.response, `${'x'.repeat(16_384)}…`);
  const many = await traced({
    settings,
    entities: partners,
    answer: () => 'x'.repeat(20_000),
  });
  const kept = many?.trace.calls.filter(({ response }) => response !== '') ?? [];
  assert.ok(kept.length > 5 && kept.length < 41, `${kept.length}`);
  // Six characters each, once they are written as JSON.
  const escaped = await traced({
    settings,
    entities: partners,
    answer: () => '\u0001'.repeat(20_000),
  });
  assert.ok(escaped !== null);
  assert.equal(escaped.trace.calls.length, 41);
  for (const { request, response } of escaped.trace.calls) {
    assert.deepEqual([request, response.length], ['', 2_049], 'the beginning at least');
  }
  const crowded = await traced({
    settings,
    entities: partnersFrom(2_000, 100),
    answer: () => '\u0001'.repeat(20_000),
  });
  assert.ok(crowded !== null);
  assert.equal(crowded.trace.calls.length, 101);
  assert.ok(crowded.trace.calls.every(({ request, response }) => request + response === ''));
});

const marker = (name: string) =>
  fc.stringMatching(/^[a-z0-9/é]{12,30}$/).map((text) => `${name}${text}`);

/** As a writer of JSON puts it that takes no risk. */
function inEscapes(value: string): string {
  const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((hex) => `\\u${hex}`).join('');
}
const degrees = fc.integer({ min: -8_999, max: 8_999 }).map((n) => n / 100 + 0.001234);
const octet = fc.integer({ min: 1, max: 254 });

/** A person, by every field that names one. */
const PERSON = fc.record({
  ifa: fc.uuid(),
  didsha1: marker('did1'),
  didmd5: marker('did5'),
  dpidsha1: marker('dpid1'),
  dpidmd5: marker('dpid5'),
  macsha1: marker('mac1'),
  macmd5: marker('mac5'),
  ip: fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.')),
  ipv6: fc.constant('2001:db8:85a3:8d3:1319:8a2e:370:7348'),
  lat: degrees,
  lon: degrees,
  id: marker('user'),
  buyeruid: marker('buyer'),
  mapped: marker('mapped'),
  eid: marker('eid'),
});
type Person = typeof PERSON extends fc.Arbitrary<infer Value> ? Value : never;

function requestOf(person: Person): object {
  const { lat, lon, id, buyeruid, mapped, eid, ...device } = person;
  const geo = { lat, lon, type: 1 };
  const ext = {
    eids: [{ source: 'ids.example', uids: [{ id: eid }] }],
    prebid: { buyeruids: { 1001: mapped } },
  };
  return { device: { ...device, geo }, user: { id, buyeruid, geo, ext } };
}

/** What a hostile bidder makes of what it knows of the person. */
function echoing(person: Person, isReadable: boolean): NonNullable<Setting['answer']> {
  const values = Object.values(person).map(String);
  const all = values.flatMap((value) => [value, value.toUpperCase(), encodeURIComponent(value)]);
  const text = all.join(' ');
  return (call) => {
    if (!isReadable) return `{"id":"${person.ifa}", ${text}`;
    const bids = all.map((value, index) => ({
      // Half of a surrogate pair is no text that the store would take.
      id: `${value}-${index % 3}\ud83d`,
      impid: index % 4 === 0 ? value : '1',
      price: index % 5 === 0 ? -1 : 1 + index / 100,
      adm: index % 7 === 0 ? '' : `<p>${text}</p>`,
      adomain: [`${value}.example`],
      crid: value,
      w: 1,
      h: index,
    }));
    const json = bidding({}, ...bids, ...bids)(call);
    const written = values.map(
      (value) => `"${inEscapes(value)}","${value.replaceAll('/', '\\/')}"`,
    );
    return `{"ext":[${written.join(',')}],${json.slice(1)}`;
  };
}

test('nothing that names the person is ever in a trace, whatever bidders repeat of it', async () => {
  const property = fc.asyncProperty(
    PERSON,
    fc.boolean(),
    fc.constantFrom('2.5' as const, '2.2' as const),
    async (person, isReadable, openrtbVersion) => {
      const found = await traced({
        settings: { traceBodiesBps: 10_000 },
        entities: [aPartner(1001, { bidder: aBidder({ openrtbVersion }) })],
        request: requestOf(person),
        answer: echoing(person, isReadable),
      });
      assert.ok(found !== null);
      const [call] = found.trace.calls;
      assert.ok(call !== undefined && call.request !== '' && call.response !== '');
      const { lat, lon, ...named } = person;
      const line = found.line.toLowerCase();
      for (const { detail } of found.trace.bids) assert.ok(detail.isWellFormed());
      assert.ok(call.response.isWellFormed());
      for (const value of Object.values(named)) {
        assert.ok(!line.includes(value.toLowerCase()), `${value} in ${found.line}`);
      }
      for (const value of [lat, lon])
        assert.ok(!line.includes(String(Math.abs(value))), `${value}`);
      assert.ok(!line.includes('198.51.100.23'));
      assert.equal(found.trace.bids.length, isReadable ? JSON.parse(found.money).bids.length : 0);
    },
  );
  await fc.assert(property, { numRuns: runs(5) });
});
