import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { createBidderHttpClient } from '../../src/adapters/bidder-http.ts';
import { createBidderSocketClient } from '../../src/adapters/bidder-socket.ts';
import { startServer, type TestServer } from '../../src/adapters/http-fixture.ts';
import { aPartner } from '../../src/auction/eligibility-fixtures.ts';
import { aDeal } from '../../src/auction/fixtures.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import { createBidderHealth } from '../../src/exchange/bidder-health.ts';
import type { CallResult } from '../../src/exchange/call.ts';
import { Exchange } from '../../src/exchange/exchange.ts';
import {
  aBidder,
  aCaller,
  aMarket,
  anAdSpace,
  aRequest,
  aVideo,
  HEALTHY,
  someParts,
} from '../../src/exchange/fixtures.ts';
import { validateIncomingRequest } from '../../src/openrtb/validate-incoming.ts';

/*
 * What foreign bidders really answer, as data files: each case says what an answer was sent with,
 * what becomes of its bids, and whether it speaks for or against the bidder's health. An answer comes
 * over HTTP, to one impression of an ad space that takes everything, and is read by both clients alike.
 */

const AnswerCaseSchema = Type.Object(
  {
    description: Type.String(),
    /** The bidder's version; 2.5 where it is left out. */
    version: Type.Optional(Type.Literal('2.2')),
    /** What the impression offers; a banner where it is left out. */
    imp: Type.Optional(Type.Object({})),
    /** More of the publisher's request. */
    request: Type.Optional(Type.Object({})),
    deals: Type.Optional(Type.Array(Type.Object({}))),
    status: Type.Optional(Type.Integer()),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    gzip: Type.Optional(Type.Boolean()),
    /** The body as JSON, or as text; `$ID` stands for the id of the bid request. */
    answer: Type.Optional(Type.Unknown()),
    text: Type.Optional(Type.String()),
    /** So many of the only bid, with ids from `bid-1`. */
    copies: Type.Optional(Type.Integer()),
    outcome: Type.String(),
    reason: Type.Optional(Type.String()),
    /** The loss reason of each bid, by its id; the empty id of those without one. */
    bids: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    /** What bids are worth in micro-dollars, where that is what the case is about. */
    prices: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    /** False where forty such answers would have the bidder throttled. */
    healthy: Type.Boolean(),
  },
  { additionalProperties: false },
);
type AnswerCase = Static<typeof AnswerCaseSchema>;
const FileSchema = Compile(Type.Array(AnswerCaseSchema, { minItems: 1 }));

const directory = new URL('../foreign/answers/', import.meta.url);
const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
assert.ok(names.length > 0, 'no foreign answers were read');

let asked: AnswerCase | null = null;
let server: TestServer;
before(async () => {
  server = await startServer((_, response, body) => {
    assert.ok(asked !== null);
    const { status = 200, headers = {}, gzip = false } = asked;
    const sent = Buffer.from(bodyOf(asked, JSON.parse(body.toString()).id));
    response.writeHead(status, headers);
    response.end(gzip ? gzipSync(sent) : sent);
  });
});
after(() => server.close());

const CLIENTS = [createBidderSocketClient, createBidderHttpClient];

for (const name of names) {
  const cases: unknown = JSON.parse(readFileSync(new URL(name, directory), 'utf8'));
  assert.ok(FileSchema.Check(cases), `${name} is not as it should be`);
  for (const each of cases) {
    test(`${name}: ${each.description}`, async () => {
      for (const createClient of CLIENTS) {
        // oxlint-disable-next-line no-await-in-loop -- the server answers one case at a time
        const { record, result } = await hold(each, createClient);
        assertAsTheCaseSays(each, record, result);
      }
    });
  }
}

function assertAsTheCaseSays(each: AnswerCase, record: AuctionRecord, result: CallResult): void {
  const [call] = record.calls;
  assert.deepEqual([call?.outcome, call?.reason], [each.outcome, each.reason ?? '']);
  const reasons = record.bids.map(({ bid_id: id, loss_reason: reason }) => [id, reason]);
  assert.deepEqual(Object.fromEntries(reasons), each.bids ?? {}, result.detail);
  for (const [id, micros] of Object.entries(each.prices ?? {})) {
    const bid = record.bids.find(({ bid_id: bidId }) => bidId === id);
    assert.equal(bid?.price_micros, micros, id);
  }
  assert.equal(isHealthyAfter(result), each.healthy);
}

function bodyOf({ answer, text, copies = 0 }: AnswerCase, requestId: string): string {
  const body = (text ?? JSON.stringify(answer)).replaceAll('$ID', requestId);
  if (copies === 0) return body;
  const { seatbid, ...others } = JSON.parse(body);
  const [seat] = seatbid;
  const bid = Array.from({ length: copies }, (_, index) => ({
    ...seat.bid[0],
    id: `bid-${index + 1}`,
  }));
  return JSON.stringify({ ...others, seatbid: [{ ...seat, bid }] });
}

/** Holds an auction of one impression, whose one bidder answers as the case says. */
async function hold(
  each: AnswerCase,
  createClient: typeof createBidderSocketClient,
): Promise<{ record: AuctionRecord; result: CallResult }> {
  asked = each;
  // Nothing comes late where the clock stands still.
  const now = (): number => 1_000;
  const client = createClient({
    isAddressAllowed: () => true,
    connectionsMax: 1,
    inFlightMax: 1,
    lateGraceMs: 0,
    now,
  });
  const bidder = aBidder({
    endpoint: server.endpoint,
    openrtbVersion: each.version ?? '2.5',
    nativeInExt: true,
  });
  const money: string[] = [];
  const results: CallResult[] = [];
  const exchange = new Exchange(
    someParts({
      client,
      now,
      money: {
        append: (line, done) => {
          money.push(line);
          done?.(null);
        },
      },
      health: { ...HEALTHY, observe: (result) => results.push(result) },
    }),
  );
  const image = { w: 1_200, h: 627, isMinimum: true, mimes: [] };
  const native = { title: 25, icon: null, image, description: 90, cta: null, rating: false };
  exchange.useMarket(
    await aMarket(
      anAdSpace({
        video: aVideo(),
        native: { ...native, context: null, contextsubtype: null },
      }),
      aPartner(1001, { bidder }),
      ...(each.deals ?? []).map(aDeal),
    ),
  );
  const request = aRequest({
    imp: [{ id: 'imp-1', tagid: '4001', ...(each.imp ?? { banner: {} }) }],
    ...each.request,
  });
  const checked = validateIncomingRequest(request);
  assert.ok(checked.ok, JSON.stringify(checked));
  await exchange.hold(checked.value, aCaller({ ip: null }), now());
  await client.close();
  const [result] = results;
  assert.ok(result !== undefined, 'the bidder was not asked');
  return { record: JSON.parse(money[0] ?? 'null'), result };
}

/** Whether a bidder is still called that has answered so forty times, ten times a second. */
function isHealthyAfter(result: CallResult): boolean {
  let nowMs = 0;
  const health = createBidderHealth({
    registry: new Registry(),
    logger: { warn: () => {}, info: () => {} },
    inFlight: () => 0,
    now: () => nowMs,
  });
  const { sent } = result;
  assert.ok(sent !== null);
  for (let count = 0; count < 40; count += 1) {
    nowMs += 100;
    health.observe({ ...result, sent: { ...sent, atMs: nowMs } }, nowMs);
  }
  // The first may be a probe, which a bidder gets however often it has failed.
  health.admit(result.call.partner.id, nowMs);
  return health.admit(result.call.partner.id, nowMs) === null;
}
