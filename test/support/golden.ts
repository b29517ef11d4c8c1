import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { openSqlite } from '../../src/adapters/sqlite.ts';
import { applyFile } from '../../src/configuration/apply.ts';
import { compileSnapshot } from '../../src/configuration/compile.ts';
import { saveReview } from '../../src/configuration/creative-reviews.ts';
import { migrateConfiguration } from '../../src/configuration/migrate.ts';
import type { CreativeReviewInput } from '../../src/configuration/resources/creative-review-schema.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { UNKNOWN_NETWORK } from '../../src/enrich/network.ts';
import { createDeviceDetector } from '../../src/enrich/device.ts';
import type { BidderHealth } from '../../src/exchange/bidder-health.ts';
import { Exchange, type AuctionAnswer, type RecordSink } from '../../src/exchange/exchange.ts';
import type { CallerUser } from '../../src/exchange/facts.ts';
import { createMarket, type Market } from '../../src/exchange/market.ts';
import { createExchangeMetrics } from '../../src/exchange/metrics.ts';
import { HEALTHY, NO_LIMITS, readableSeal } from '../../src/exchange/fixtures.ts';
import type { AuctionLimits, BudgetRefusal } from '../../src/limits/auction-limits.ts';
import { NO_MATCH, type Match } from '../../src/matching/match.ts';
import { validateIncomingRequest } from '../../src/openrtb/validate-incoming.ts';
import type { BidderCall, BidderClient, BidderReply } from '../../src/ports/bidder-client.ts';
import type { NoticeCall, NoticeClient, NoticeReply } from '../../src/ports/notice-client.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/snapshot/wire.ts';

/** What a scripted bidder does; without an entry it answers 204. */
export interface ScriptedBidder {
  readonly status?: number;
  /** An OpenRTB response; its `id` is that of the request unless it names one. */
  readonly response?: object;
  /** The body as it is, where it is no OpenRTB response. */
  readonly body?: string;
  /** What went wrong on the way. */
  readonly failure?: Exclude<BidderReply, { kind: 'answer' }>;
}

/** An auction as a data file: what goes in, who is asked for what, and what comes out. */
export interface GoldenAuction {
  readonly description: string;
  /** Deals, as a configuration file has them, beside the example's. */
  readonly deals?: readonly object[];
  /** More of a configuration file, which is applied on top of the example. */
  readonly configuration?: object;
  /** What was decided about creatives and advertisers. */
  readonly reviews?: readonly CreativeReviewInput[];
  /** Limits that hold somebody back, by line item and by demand partner. */
  readonly refusals?: GoldenRefusals;
  /** How many more wins the budgets of line items cover, by line item; others cover all. */
  readonly winsLeft?: Readonly<Record<string, number>>;
  readonly request: object;
  /** What the user's browser has in the exchange's cookie, by demand partner. */
  readonly matches?: Readonly<
    Record<string, { readonly uid?: string; readonly customdata?: string }>
  >;
  /** By the bidder's endpoint. */
  readonly bidders: Readonly<Record<string, ScriptedBidder>>;
  /** What win notices that bring markup are answered with, by their address with macros. */
  readonly winNotices?: Readonly<Record<string, NoticeReply>>;
  readonly expected: GoldenOutcome;
}

export interface GoldenRefusals {
  readonly lineItems?: Readonly<Record<string, BudgetRefusal | 'lineitem_qps'>>;
  readonly bidders?: Readonly<Record<string, 'bidder_qps' | 'unhealthy'>>;
}

/** Everything that is compared, whole. */
export interface GoldenOutcome {
  readonly calls: readonly GoldenCall[];
  /** The win notices that were called for markup. */
  readonly winNotices: readonly Pick<NoticeCall, 'url' | 'id'>[];
  /** What was sealed into the beacons of each winner. */
  readonly sealed: unknown;
  readonly answer: unknown;
  readonly record: unknown;
  readonly trace: unknown;
}

export interface GoldenCall {
  readonly endpoint: string;
  readonly version: BidderCall['openrtbVersion'];
  readonly request: unknown;
}

const ACTOR = { name: 'golden auctions', userId: null, clientId: null };
const NODE = 'fedcba9876543210';
const AUCTION_ID = '0123456789abcdef0123456789abcdef';
const UNIX_TIME_MS = Date.UTC(2026, 10, 20, 12);
const EXAMPLE = new URL('../../examples/exchange.yaml', import.meta.url);

/** The example exchange with more of a configuration file on top of it; JSON is YAML. */
export function marketWith({
  deals = [],
  configuration = {},
  reviews = [],
}: Pick<GoldenAuction, 'deals' | 'configuration' | 'reviews'>): Promise<Market> {
  // Deals are the last key of the file.
  const lines = deals.map((deal) => `  - ${JSON.stringify(deal)}\n`);
  return exampleMarket(
    (yaml) => `${yaml}${lines.join('')}`,
    JSON.stringify(configuration),
    reviews,
  );
}

/** The example exchange as a market. */
export async function exampleMarket(
  edit: (yaml: string) => string = (yaml) => yaml,
  more = '{}',
  reviews: readonly CreativeReviewInput[] = [],
): Promise<Market> {
  const db = await openSqlite<Database>(':memory:');
  try {
    await migrateConfiguration(db);
    for (const file of [edit(readFileSync(EXAMPLE, 'utf8')), more]) {
      // Each builds on what the one before has stored.
      // oxlint-disable-next-line no-await-in-loop
      const applied = await applyFile(db, file, {
        hashSecret: (secret) => Promise.resolve(`hash of ${secret}`),
        verifySecret: () => Promise.resolve(true),
        nowMs: () => UNIX_TIME_MS,
        actor: ACTOR,
      });
      assert.ok(applied.ok, JSON.stringify(applied));
    }
    for (const review of reviews) {
      // As above.
      // oxlint-disable-next-line no-await-in-loop
      const saved = await saveReview(db, review, { actor: ACTOR, nowMs: UNIX_TIME_MS });
      assert.ok(saved.ok, JSON.stringify(saved));
    }
    const { entities } = await compileSnapshot(db);
    const text = encodeSnapshot({ epoch: 'golden', seq: 1 }, entities);
    return createMarket(await decodeSnapshot(text), () => Promise.resolve());
  } finally {
    await db.destroy();
  }
}

/** Holds one golden auction with a clock that stands still, and gives all that can be compared. */
export async function holdGolden(
  market: Market,
  golden: Omit<GoldenAuction, 'description' | 'expected'>,
): Promise<GoldenOutcome> {
  const checked = validateIncomingRequest(golden.request);
  assert.ok(checked.ok, JSON.stringify(checked));
  const client = new ScriptedClient(golden.bidders);
  const notices = new ScriptedNotices(golden.winNotices ?? {});
  const sealed: unknown[] = [];
  const money: string[] = [];
  const trace: string[] = [];
  const exchange = new Exchange({
    client,
    noticeClient: notices,
    seal: (imp, due) => {
      sealed.push({ imp, notices: due });
      return readableSeal(imp, due);
    },
    nameSeat: (publisherId, partnerId) => `seat of ${partnerId} for ${publisherId}`,
    node: NODE,
    money: sinkInto(money),
    unwritable: () => null,
    trace: sinkInto(trace),
    enrichment: {
      detectDevice: createDeviceDetector({ cacheEntriesMax: 10 }),
      networkOf: (ip) => ({ ...UNKNOWN_NETWORK, country: ip.startsWith('81.') ? 'GB' : 'US' }),
      findInvalidTraffic: () => null,
    },
    metrics: createExchangeMetrics(new Registry()),
    limits: limitsOf(golden),
    health: healthOf(golden),
    creatives: { note: () => {} },
    onFault: assert.ifError,
    createAuctionId: () => AUCTION_ID,
    now: () => 1_000,
    unixTime: () => UNIX_TIME_MS,
  });
  exchange.useMarket(market);
  const caller = {
    ip: '203.0.113.7',
    secure: true,
    fromBrowser: false,
    userAgent: null,
    referer: null,
    acceptLanguage: null,
    ...(golden.matches === undefined ? {} : { user: userWith(golden.matches) }),
  };
  const answer = await exchange.hold(checked.value, caller, 1_000);
  return {
    calls: client.calls,
    winNotices: notices.calls,
    sealed,
    answer: plain(answer),
    record: money.map(parse).at(0) ?? null,
    trace: trace.map(parse).at(0) ?? null,
  };
}

function userWith(matches: NonNullable<GoldenAuction['matches']>): CallerUser {
  const kept = Object.entries(matches).map(([id, match]): [number, Match] => [
    Number(id),
    { ...NO_MATCH, ...match },
  ]);
  return { optedOut: false, matches: new Map(kept) };
}

function limitsOf({
  refusals = {},
  winsLeft = {},
}: Pick<GoldenAuction, 'refusals' | 'winsLeft'>): AuctionLimits {
  const { lineItems = {}, bidders = {} } = refusals;
  const left = new Map(Object.entries(winsLeft));
  return {
    ...NO_LIMITS,
    takeQps: (key) => {
      const [, kind, id = ''] = /^(partner|line item) (\d+)$/.exec(key) ?? [];
      if (kind === 'partner') return bidders[id] !== 'bidder_qps';
      return lineItems[id] !== 'lineitem_qps';
    },
    budget: ({ id }) => {
      const refusal = lineItems[String(id)] ?? null;
      return refusal === 'lineitem_qps' ? null : refusal;
    },
    reserve: ({ id }) => {
      const wins = left.get(String(id)) ?? Infinity;
      if (wins === 0) return 'daily_impressions';
      left.set(String(id), wins - 1);
      return null;
    },
  };
}

function healthOf({ refusals }: Pick<GoldenAuction, 'refusals'>): BidderHealth {
  const isUnhealthy = (id: number): boolean => refusals?.bidders?.[String(id)] === 'unhealthy';
  return { ...HEALTHY, admit: (id) => (isUnhealthy(id) ? 'unhealthy' : null) };
}

class ScriptedClient implements BidderClient {
  readonly calls: GoldenCall[] = [];
  readonly #script: Readonly<Record<string, ScriptedBidder>>;

  constructor(script: Readonly<Record<string, ScriptedBidder>>) {
    this.#script = script;
  }

  ask(call: BidderCall, settle: (reply: BidderReply) => void): void {
    const request: unknown = JSON.parse(call.body);
    this.calls.push({ endpoint: call.endpoint, version: call.openrtbVersion, request });
    const script = this.#script[call.endpoint] ?? { status: 204 };
    queueMicrotask(() => settle(script.failure ?? answerOf(script, request)));
  }

  inFlight(): number {
    return 0;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class ScriptedNotices implements NoticeClient {
  readonly calls: Pick<NoticeCall, 'url' | 'id'>[] = [];
  readonly #script: Readonly<Record<string, NoticeReply>>;

  constructor(script: Readonly<Record<string, NoticeReply>>) {
    this.#script = script;
  }

  call({ url, id }: NoticeCall, settle: (reply: NoticeReply) => void): void {
    this.calls.push({ url, id });
    queueMicrotask(() => settle(this.#script[url] ?? { kind: 'timeout' }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function answerOf({ status = 200, response, body }: ScriptedBidder, request: unknown): BidderReply {
  if (body !== undefined) return { kind: 'answer', status, body };
  if (response === undefined) return { kind: 'answer', status, body: '' };
  const id = typeof request === 'object' && request !== null && 'id' in request ? request.id : null;
  return { kind: 'answer', status, body: JSON.stringify({ id, ...response }) };
}

function sinkInto(lines: string[]): RecordSink {
  return {
    append(line, done) {
      lines.push(line);
      done?.(null);
    },
  };
}

function parse(line: string): unknown {
  return JSON.parse(line);
}

/** As it would be read back from JSON: without fields that are not sent. */
function plain(answer: AuctionAnswer): unknown {
  return parse(JSON.stringify(answer));
}
