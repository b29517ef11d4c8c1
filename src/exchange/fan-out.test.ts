import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidderCall, BidderClient, BidderReply } from '../ports/bidder-client.ts';
import type { BidderHealth } from './bidder-health.ts';
import { Composer } from './compose.ts';
import { fanOut } from './fan-out.ts';
import { gatherFacts } from './facts.ts';
import { aBidder, aCall, aCaller, aMarket, aRequest, HEALTHY, NO_ENRICHMENT } from './fixtures.ts';
import { findSlots } from './slots.ts';

const START_MS = 1_000;

interface Setting {
  readonly leftMs?: number;
  readonly allowanceMs?: number;
  readonly reply?: BidderReply;
  /** How long after it was sent a late answer comes. */
  readonly lateMs?: number;
}

/** One call to one bidder; what was asked, and what health was told. */
async function fan({ leftMs = 200, allowanceMs = 5, reply = NOTHING, lateMs = 0 }: Setting) {
  const market = await aMarket();
  const request = aRequest();
  const found = findSlots(request, market, { secure: true, country: null });
  assert.ok(found.ok);
  const [slot] = found.value;
  assert.ok(slot !== undefined);
  const asked: BidderCall[] = [];
  const told: string[] = [];
  let nowMs = START_MS;
  const client: BidderClient = {
    ask: (call, settle, onLate) => {
      asked.push(call);
      queueMicrotask(() => {
        settle(reply);
        nowMs = START_MS + lateMs;
        if (lateMs > 0) onLate?.();
      });
    },
    inFlight: () => 0,
    close: () => Promise.resolve(),
  };
  const health: BidderHealth = {
    ...HEALTHY,
    observe: ({ outcome, reason }) => told.push(`${outcome} ${reason}`.trim()),
    observeLate: (id, latencyMs, tmaxMs) => told.push(`${id} late ${latencyMs} of ${tmaxMs}`),
    allowanceMs: () => allowanceMs,
  };
  const results = await fanOut({
    auctionId: 'auction',
    calls: [aCall({ bidder: aBidder({ timeoutMs: 1_000, maxConcurrency: 7, headers: HEADERS }) })],
    composer: new Composer({
      request,
      slots: [slot],
      facts: gatherFacts(request, aCaller(), NO_ENRICHMENT),
      exchange: market.snapshot.exchange,
      publisherDecides: false,
    }),
    client,
    health,
    giveBackQps: ({ partner }) => told.push(`${partner.id} gets its rates back`),
    onFault: assert.ifError,
    deadlineMs: START_MS + leftMs,
    now: () => nowMs,
  });
  const tmax = asked.map(({ body }) => JSON.parse(body).tmax);
  return { asked, told, tmax, results };
}

const HEADERS = { 'x-api-key': 'k' };
const NOTHING: BidderReply = { kind: 'answer', status: 204, body: '' };

test('a bidder is told the time left less its allowance, and never less than half of it', async () => {
  assert.deepEqual((await fan({ leftMs: 200, allowanceMs: 5 })).tmax, [195]);
  assert.deepEqual((await fan({ leftMs: 200, allowanceMs: 31.4 })).tmax, [168]);
  assert.deepEqual((await fan({ leftMs: 40, allowanceMs: 50 })).tmax, [20]);
});

test('the limit of open calls and the headers go to the client, the latter as the same object', async () => {
  const { asked } = await fan({});
  assert.equal(asked[0]?.headers, HEADERS);
  assert.equal(asked[0]?.inFlightMax, 7);
});

test('health hears what became of a call, and of its answer if that comes late', async () => {
  assert.deepEqual((await fan({})).told, ['no_bid']);
  const late = await fan({ reply: { kind: 'timeout' }, lateMs: 212 });
  assert.deepEqual(late.told, ['timeout', '1001 late 212 of 195']);
});

test('health hears of a call that was let through and not sent, and its rates come back', async () => {
  const { asked, told, results } = await fan({ leftMs: 9 });
  assert.deepEqual([asked, told], [[], ['1001 gets its rates back', 'throttled no_time']]);
  assert.equal(results[0]?.sent, null);
  const busy = await fan({ reply: { kind: 'busy', inFlightMax: 7 } });
  assert.deepEqual(busy.told, ['1001 gets its rates back', 'throttled busy']);
});
