import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { parseJson } from '../src/base/json.ts';
import { wellFormedJson } from '../src/base/well-formed-json.ts';
import { keyRingAt } from '../src/beacons/key-ring.ts';
import { NONCE_BYTES } from '../src/beacons/token.ts';
import { createDeviceDetector } from '../src/enrich/device.ts';
import { UNKNOWN_NETWORK } from '../src/enrich/network.ts';
import { createBidderHealth } from '../src/exchange/bidder-health.ts';
import { CreativeRecorder } from '../src/exchange/creative-recorder.ts';
import { Exchange } from '../src/exchange/exchange.ts';
import { NO_LIMITS, someParts } from '../src/exchange/fixtures.ts';
import { createExchangeMetrics } from '../src/exchange/metrics.ts';
import { createSeal } from '../src/exchange/seal.ts';
import { TraceBuffer } from '../src/exchange/trace-buffer.ts';
import { openJournal, type Journal } from '../src/journal/journal.ts';
import { validateIncomingRequest } from '../src/openrtb/validate-incoming.ts';
import type { BidderCall, BidderClient } from '../src/ports/bidder-client.ts';
import { exampleMarket } from '../test/support/golden.ts';
import { benchConfiguration, PUBLISHER_REQUEST } from './fixture.ts';
import { median } from './statistics.ts';
import { answerTo, describeBid } from './stub-bid.ts';

/**
 * What an auction takes without the network: from the text of the request to that of the answer, with real
 * journals, tokens, health and metrics, and bidders that answer at the next turn. CPU of the process with its
 * garbage collection, of which a run says the median of its rounds. It takes ten seconds, where
 * `npm run bench` takes minutes: compare alternating runs of two trees.
 *
 * Usage: node bench/logic.ts [BIDDERS [LINE ITEMS OF EACH]]
 */
const ROUNDS = 15;
const AUCTIONS_PER_ROUND = 640;
const WARM_UP_ROUNDS = 10;
/** So many are under way at a time, as in a process that serves. */
const WORKERS = 16;
const FIRST_PORT = 9_101;

const [bidders = 3, lineItems = 1] = process.argv.slice(2).map(Number);
const ports = Array.from({ length: bidders }, (_, index) => FIRST_PORT + index);

async function measure(): Promise<void> {
  const market = await exampleMarket(() => benchConfiguration(ports, { lineItems }));
  const directory = mkdtempSync(join(tmpdir(), 'rialto-logic-'));
  try {
    const { exchange, close } = open(directory);
    exchange.useMarket(market);
    const used: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const before = process.cpuUsage();
      // One round after the other.
      // oxlint-disable-next-line no-await-in-loop
      await Promise.all(Array.from({ length: WORKERS }, () => work(exchange)));
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) used.push((user + system) / AUCTIONS_PER_ROUND);
    }
    close();
    console.log(
      `${bidders} bidders, ${lineItems} line items each: ${median(used).toFixed(1)} µs an auction, at least ${Math.min(...used).toFixed(1)}`,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function work(exchange: Exchange): Promise<void> {
  const caller = {
    ip: '203.0.113.7',
    secure: true,
    fromBrowser: false,
    userAgent: null,
    referer: null,
    acceptLanguage: null,
  };
  for (let left = AUCTIONS_PER_ROUND / WORKERS; left > 0; left -= 1) {
    const checked = validateIncomingRequest(parseJson(PUBLISHER_REQUEST));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    // As one connection waits for its answer.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await exchange.hold(checked.value, caller, performance.now());
    if (answer.kind !== 'filled') throw new Error(JSON.stringify(answer));
    wellFormedJson(answer.response);
  }
}

function open(directory: string): { readonly exchange: Exchange; readonly close: () => void } {
  const money = openStream(directory, 'money');
  const trace = openStream(directory, 'trace');
  const traces = new TraceBuffer(trace);
  const registry = new Registry();
  const now = (): number => performance.now();
  const logger = pino({ level: 'silent' });
  const ring = keyRingAt([{ id: 1, secret: randomBytes(32), sealsFromMs: 0 }], Date.now());
  // Counted, not drawn: what a process draws in blocks costs next to nothing.
  const nonce = Buffer.alloc(NONCE_BYTES);
  let nonces = 0;
  let auctions = 0n;
  const exchange = new Exchange(
    someParts({
      client: new AnsweringClient(),
      seal: createSeal({
        trackerUrl: 'https://tracker.bench.example',
        home: '0123456789abcdef',
        keys: { ring },
        drawNonce: () => {
          nonces += 1;
          nonce.writeUInt32BE(nonces);
          return nonce;
        },
      }),
      money,
      unwritable: () => money.unwritable(),
      trace: traces,
      enrichment: {
        detectDevice: createDeviceDetector({ cacheEntriesMax: 1_000 }),
        networkOf: () => UNKNOWN_NETWORK,
        findInvalidTraffic: () => null,
      },
      metrics: createExchangeMetrics(registry),
      limits: NO_LIMITS,
      health: createBidderHealth({ registry, logger, inFlight: () => 0, now }),
      creatives: new CreativeRecorder({ trace: traces }),
      createAuctionId: () => (auctions += 1n).toString(16).padStart(32, '0'),
      now,
      unixTime: Date.now,
    }),
  );
  const close = (): void => {
    traces.flush();
    money.close();
    trace.close();
  };
  return { exchange, close };
}

function openStream(directory: string, stream: 'money' | 'trace'): Journal {
  return openJournal({ directory, stream, writer: 'exchange', now: Date.now });
}

/** Bidders that answer all calls of a turn at the next one. */
class AnsweringClient implements BidderClient {
  readonly #tails = ports.map((_, index) =>
    describeBid(1 + index / 10, index, 'http://127.0.0.1:9'),
  );
  #waiting: (() => void)[] = [];

  ask({ body, endpoint }: BidderCall, settle: Parameters<BidderClient['ask']>[1]): void {
    const index = Number(new URL(endpoint).port) - FIRST_PORT;
    this.#waiting.push(() =>
      settle({
        kind: 'answer',
        status: 200,
        body: answerTo(body, index, this.#tails[index] ?? ''),
      }),
    );
    if (this.#waiting.length === 1) setImmediate(() => this.#answer());
  }

  inFlight(): number {
    return 0;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }
}

await measure();
