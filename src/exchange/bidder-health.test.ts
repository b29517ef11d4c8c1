import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import type { BidderReply } from '../ports/bidder-client.ts';
import { createBidderHealth, type BidderHealth } from './bidder-health.ts';
import { readReply, type CallResult } from './call.ts';
import { aBidder, aCall } from './fixtures.ts';

const PARTNER = 1001;
const TIMEOUT: BidderReply = { kind: 'timeout' };
const EMPTY: BidderReply = { kind: 'answer', status: 204, body: '' };

function answered(body: string, status = 200): BidderReply {
  return { kind: 'answer', status, body };
}

const NO_BID = answered('{"id":"r","nbr":2}');

/** A health with a clock that each call moves, and what it has logged. */
class Ward {
  nowMs = 1_000;
  readonly registry = new Registry();
  readonly logged: { readonly level: string; readonly fields: object }[] = [];
  readonly health: BidderHealth = createBidderHealth({
    registry: this.registry,
    logger: {
      warn: (fields: object) => this.logged.push({ level: 'warn', fields }),
      info: (fields: object) => this.logged.push({ level: 'info', fields }),
    },
    inFlight: (endpoint) => (endpoint === aBidder().endpoint ? 3 : 0),
    now: () => this.nowMs,
  });

  /** Makes a call, if it may be made. */
  call(reply: BidderReply, more: { latencyMs?: number; tmaxMs?: number; afterMs?: number } = {}) {
    const { latencyMs = 50, tmaxMs = 195, afterMs = 100 } = more;
    const refused = this.health.admit(PARTNER, this.nowMs);
    if (refused === null) {
      const call = aCall({ bidder: aBidder({ timeoutMs: 200 }) }, PARTNER);
      const sent = { body: '{}', tmaxMs, atMs: this.nowMs };
      const result = readReply(call, 'r', reply, { latencyUs: latencyMs * 1000, sent });
      this.health.observe(result, this.nowMs + latencyMs);
    }
    this.nowMs += afterMs;
    return refused;
  }

  calls(count: number, reply: BidderReply, more?: Parameters<Ward['call']>[1]): void {
    for (let index = 0; index < count; index += 1) this.call(reply, more);
  }

  async value(name: string): Promise<number | undefined> {
    const metrics = await this.registry.getMetricsAsJSON();
    return metrics.find((metric) => metric.name === name)?.values[0]?.value;
  }
}

const FAILURES: readonly (readonly [what: string, reply: BidderReply])[] = [
  ['timeouts', TIMEOUT],
  ['broken connections', { kind: 'error', code: 'ECONNRESET' }],
  ['closed ports', { kind: 'error', code: 'ECONNREFUSED' }],
  ['statuses', answered('', 500)],
  ['answers that are no JSON', answered('<html>')],
  ['answers that are no bid response', answered('[]')],
  ['answers that are too large', { kind: 'oversized', bytesMax: 256 * 1024 }],
];

for (const [what, reply] of FAILURES) {
  test(`${what} open the breaker, which is logged once, and so is its closing`, async () => {
    const ward = new Ward();
    ward.calls(50, EMPTY);
    ward.calls(15, reply, { latencyMs: reply.kind === 'timeout' ? 200 : 50 });
    assert.equal(ward.call(EMPTY), 'unhealthy');
    assert.equal(await ward.value('rialto_bidder_breaker_open'), 1);
    assert.deepEqual(
      ward.logged.map(({ level }) => level),
      ['warn'],
    );
    ward.calls(60, EMPTY);
    assert.equal(ward.call(EMPTY), null);
    assert.equal(await ward.value('rialto_bidder_breaker_open'), 0);
    assert.equal(await ward.value('rialto_bidder_probes_total'), 2);
    assert.deepEqual(
      ward.logged.map(({ level }) => level),
      ['warn', 'info'],
    );
  });
}

test('the log says who fails and how', () => {
  const ward = new Ward();
  ward.calls(20, answered('', 503));
  const [{ fields } = { fields: {} }] = ward.logged;
  assert.deepEqual(fields, {
    demandPartnerId: PARTNER,
    endpoint: aBidder().endpoint,
    failuresInARow: 11,
    failingShare: 0.43,
    lastFailure: 'error http_503',
  });
});

test('no kind of no-bid opens it, in any order, however many there are', () => {
  const noBid = fc.constantFrom(
    EMPTY,
    answered(''),
    answered('  '),
    answered('{"id":"r","nbr":2}'),
    answered('{"id":"r","nbr":999}'),
    answered('{"id":"r","seatbid":[]}'),
    answered('{"id":"r","seatbid":[{"bid":[{"id":"1","impid":"1","price":1}]}]}'),
    { kind: 'busy', inFlightMax: 1 } satisfies BidderReply,
  );
  const call = fc.record({ reply: noBid, afterMs: fc.integer({ min: 0, max: 5_000 }) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
      const ward = new Ward();
      for (const { reply, afterMs } of calls) assert.equal(ward.call(reply, { afterMs }), null);
      assert.deepEqual(ward.logged, []);
    }),
  );
});

test('one timeout does nothing, whatever was before', () => {
  const ward = new Ward();
  ward.call(TIMEOUT, { latencyMs: 200 });
  for (let index = 0; index < 20; index += 1) assert.equal(ward.call(EMPTY), null);
});

test('a bidder is not blamed for calls that left it less time than it takes', () => {
  const ward = new Ward();
  for (let index = 0; index < 200; index += 1) {
    assert.equal(ward.call(NO_BID, { latencyMs: 150 }), null);
    // Nine of ten are cut short by their publishers.
    for (let short = 0; short < 9; short += 1) {
      assert.equal(ward.call(TIMEOUT, { tmaxMs: 75, latencyMs: 80, afterMs: 20 }), null);
    }
  }
  assert.deepEqual(ward.logged, []);
});

test('it is blamed when it has not answered at all for some seconds', () => {
  const ward = new Ward();
  ward.calls(50, NO_BID, { latencyMs: 150 });
  ward.calls(80, TIMEOUT, { tmaxMs: 75, latencyMs: 80 });
  assert.equal(ward.logged.length, 1);
});

test('it is blamed for a timeout after the whole time that was agreed', () => {
  const ward = new Ward();
  ward.calls(50, NO_BID, { latencyMs: 196 });
  ward.calls(20, TIMEOUT, { tmaxMs: 195, latencyMs: 200 });
  assert.equal(ward.logged.length, 1);
});

test('a timeout that this process was too busy to notice in time blames nobody', () => {
  const ward = new Ward();
  ward.calls(50, NO_BID);
  ward.calls(20, TIMEOUT, { tmaxMs: 195, latencyMs: 320 });
  assert.deepEqual(ward.logged, []);
});

test('a probe that was not sent leaves its place to the next call', () => {
  const ward = new Ward();
  ward.calls(50, answered('', 500));
  ward.nowMs += 1_000;
  assert.equal(ward.call({ kind: 'busy', inFlightMax: 1 }, { afterMs: 1 }), null);
  assert.equal(ward.call(EMPTY, { afterMs: 1 }), null);
  assert.equal(ward.call(EMPTY, { afterMs: 1 }), 'unhealthy');
});

test('late answers raise the allowance of their bidder alone', async () => {
  const ward = new Ward();
  ward.calls(1, EMPTY);
  for (let index = 0; index < 20; index += 1) ward.health.observeLate(PARTNER, 225, 195);
  assert.ok(ward.health.allowanceMs(PARTNER) > 30);
  assert.equal(ward.health.allowanceMs(PARTNER + 1), 5);
  const seconds = await ward.value('rialto_bidder_tmax_allowance_seconds');
  assert.ok(seconds !== undefined && seconds > 0.03 && seconds < 0.033);
});

test('the metrics tell of each bidder what it was like', async () => {
  const ward = new Ward();
  ward.calls(3, EMPTY, { latencyMs: 20 });
  ward.calls(1, NO_BID, { latencyMs: 2_000 });
  ward.calls(1, TIMEOUT);
  assert.equal(await ward.value('rialto_bidder_in_flight'), 3);
  assert.equal(await ward.value('rialto_bidder_called_share'), 1);
  const metrics = await ward.registry.getMetricsAsJSON();
  const histogram = metrics.find(({ name }) => name === 'rialto_bidder_response_seconds');
  const values = new Map(
    histogram?.values.map((value) => [
      `${'metricName' in value ? String(value.metricName) : ''} ${value.labels['le'] ?? ''}`,
      value.value,
    ]),
  );
  assert.equal(values.get('rialto_bidder_response_seconds_bucket 0.01'), 0);
  assert.equal(values.get('rialto_bidder_response_seconds_bucket 0.025'), 3);
  assert.equal(values.get('rialto_bidder_response_seconds_bucket 1'), 3);
  assert.equal(values.get('rialto_bidder_response_seconds_bucket +Inf'), 4);
  assert.equal(values.get('rialto_bidder_response_seconds_count '), 4);
  assert.equal(values.get('rialto_bidder_response_seconds_sum '), 2.06);
});

test('what was not sent is not taken for a call', () => {
  const ward = new Ward();
  const call = aCall({}, PARTNER);
  const result: CallResult = {
    call,
    requestId: 'r',
    outcome: 'throttled',
    reason: 'no_time',
    detail: '',
    latencyUs: 0,
    sent: null,
    status: 0,
    response: '',
    answer: null,
  };
  for (let index = 0; index < 100; index += 1) ward.health.observe(result, index * 1_000);
  assert.equal(ward.call(EMPTY), null);
  assert.deepEqual(ward.logged, []);
});
