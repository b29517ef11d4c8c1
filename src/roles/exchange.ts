import { randomBytes, randomFillSync } from 'node:crypto';
import nodeFs, { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBidderSocketClient } from '../adapters/bidder-socket.ts';
import { createNoticeHttpClient } from '../adapters/notice-http.ts';
import { createAddressPolicy } from '../base/address-policy.ts';
import { EVENT_LOOP } from '../base/loop-wait.ts';
import { TimeSlices } from '../base/slices.ts';
import { NONCE_BYTES } from '../beacons/token.ts';
import { openBeaconKeys } from '../courier/beacon-keys.ts';
import { openUserKeys } from '../courier/user-keys.ts';
import { snapshotPath } from '../courier/snapshot-file.ts';
import { Admission } from '../edge/admission.ts';
import { registerAdmissionMetrics } from '../edge/admission-metrics.ts';
import { createEdge } from '../edge/server.ts';
import type { UserParts } from '../edge/user-matching.ts';
import { createUserMetrics } from '../edge/user-metrics.ts';
import { createClientAddress } from '../enrich/client-address.ts';
import { Exchange } from '../exchange/exchange.ts';
import { createAuctionIds, RANDOM_BYTES } from '../exchange/auction-id.ts';
import { createBidderHealth } from '../exchange/bidder-health.ts';
import { CreativeRecorder } from '../exchange/creative-recorder.ts';
import { createMarkupKeeper } from '../exchange/kept-markup.ts';
import { MarketUpdates } from '../exchange/market-updates.ts';
import { createExchangeMetrics } from '../exchange/metrics.ts';
import { createSeal } from '../exchange/seal.ts';
import { createSeatPseudonyms } from '../exchange/seat-pseudonyms.ts';
import { TraceBuffer } from '../exchange/trace-buffer.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { LeaseHolder } from '../limits/lease-holder.ts';
import { registerLeaseMetrics } from '../limits/lease-metrics.ts';
import { BROWSER_ID_BYTES } from '../matching/payload.ts';
import { UserCookies } from '../matching/user-cookies.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RoleContext } from './child.ts';
import { runLeases } from './exchange-leases.ts';
import { openDetection } from './detection.ts';

/** Calls that may be open to one bidder, late ones included; each has a connection, so none waits. */
const BIDDER_CALLS_MAX = 512;
/** How long a late answer may still come in to save its connection. */
const LATE_GRACE_MS = 500;
/** Win notices that bring markup: connections to one destination, and calls to all of them. */
const MARKUP_CONNECTIONS_MAX = 64;
const MARKUP_CALLS_MAX = 256;

/**
 * Composes the exchange role: opens, wires, listens, and closes in reverse.
 *
 * @throws Error when the supervisor did not say where exchange and tracker are.
 */
export async function startExchange(context: RoleContext): Promise<void> {
  const { dataDirectory, logger, registry, settings } = context;
  const { exchangeUrl, trackerUrl } = settings;
  if (exchangeUrl === null || trackerUrl === null) {
    throw new Error('the exchange was not told where it is itself, or where the tracker is');
  }
  const now = (): number => performance.now();
  const journalDirectory = join(dataDirectory, 'journal');
  const money = openJournal({
    directory: journalDirectory,
    stream: 'money',
    writer: 'exchange',
    now: Date.now,
    onGrowth: context.tellGrowth,
  });
  const trace = openJournal({
    directory: journalDirectory,
    stream: 'trace',
    writer: 'exchange',
    now: Date.now,
    onGrowth: context.tellGrowth,
  });
  let isAddressAllowed = createAddressPolicy([]);
  const client = createBidderSocketClient({
    isAddressAllowed: (ip) => isAddressAllowed(ip),
    connectionsMax: BIDDER_CALLS_MAX,
    inFlightMax: BIDDER_CALLS_MAX,
    lateGraceMs: LATE_GRACE_MS,
    now,
  });
  const noticeClient = createNoticeHttpClient({
    isAddressAllowed: (ip) => isAddressAllowed(ip),
    connectionsMax: MARKUP_CONNECTIONS_MAX,
    pipeliningMax: 1,
    inFlightMax: MARKUP_CALLS_MAX,
    now,
  });
  const keys = openBeaconKeys({ dataDirectory, rotates: false, logger, now: Date.now });
  const node = readIncarnation(journalDirectory, nodeFs);
  const holder = new LeaseHolder({
    process: randomBytes(PROCESS_ID_BYTES).toString('hex'),
    worker: context.worker,
    now,
    unixTime: Date.now,
  });
  registerLeaseMetrics(registry, () => holder.figures);
  const traces = new TraceBuffer(trace);
  const creatives = new CreativeRecorder({ trace: traces });
  const metrics = createExchangeMetrics(registry);
  const detection = await openDetection(settings, logger);
  const userKeys = openUserKeys({ dataDirectory, logger, now: Date.now });
  const exchange = new Exchange({
    client,
    noticeClient,
    seal: createSeal({
      trackerUrl,
      home: node,
      keys,
      drawNonce: createDraw(NONCE_BYTES),
    }),
    nameSeat: createSeatPseudonyms(() => userKeys.ring),
    node,
    money,
    unwritable: () => money.unwritable(),
    trace: traces,
    enrichment: detection.enrichment,
    metrics,
    limits: holder,
    health: createBidderHealth({
      registry,
      logger,
      inFlight: (endpoint) => client.inFlight(endpoint),
      now,
    }),
    creatives,
    onFault: (error) => logger.error({ err: error }, 'a step of an auction failed'),
    createAuctionId: createAuctionIds(createDraw(RANDOM_BYTES), Date.now),
    now,
    unixTime: Date.now,
  });
  const admission = new Admission({ clock: EVENT_LOOP, auctionsMax: settings.auctionsMax });
  registerAdmissionMetrics(registry, () => admission.figures);
  const edge = createEdge({
    exchange,
    keeper: createMarkupKeeper({
      directory: join(dataDirectory, 'markup'),
      keys,
      drawNonce: createDraw(NONCE_BYTES),
      unixTime: Date.now,
    }),
    exchangeUrl,
    trackerUrl,
    users: userPartsOf(context, userKeys, exchangeUrl),
    clientAddress: createClientAddress(settings.trustedProxies),
    admission,
    metrics,
    logger,
  });

  context.onDrain(async () => {
    creatives.flush();
    traces.flush();
    keys.close();
    detection.close();
    userKeys.close();
    money.close();
    trace.close();
  });
  const onDisk = snapshotPath(dataDirectory);
  let lineItems: Snapshot['lineItems'] | null = null;
  const updates = new MarketUpdates({
    readWhole: () => readFile(onDisk, 'utf8'),
    use: async (market) => {
      const { snapshot } = market;
      isAddressAllowed = createAddressPolicy(snapshot.exchange.allowPrivateAddresses);
      exchange.useMarket(market);
      if (snapshot.lineItems === lineItems) return;
      ({ lineItems } = snapshot);
      await holder.useCaps([...lineItems.values()].flat(), new TimeSlices(pause));
    },
    pause,
    logger,
  });
  // With a snapshot on disk the first request already finds a market; without one they are told to
  // come back until the courier has brought it.
  if (existsSync(onDisk)) await updates.take(null);
  context.onSnapshot((news) => void updates.take(news));
  const leases = runLeases({ context, holder });
  context.onDrain(async () => {
    await edge.drain();
    await Promise.all([client.close(), noticeClient.close()]);
  });
  await leases.started;
  await new Promise<void>((resolve, reject) => {
    edge.server.once('error', reject);
    edge.server.listen({ fd: context.listenFd }, resolve);
  });
  context.ready();
}

function userPartsOf(
  { registry }: RoleContext,
  keys: UserParts['keys'],
  exchangeUrl: string,
): UserParts {
  const nowS = (): number => Math.floor(Date.now() / 1_000);
  return {
    cookies: new UserCookies({ keys, drawNonce: createDraw(NONCE_BYTES), nowS }),
    keys,
    metrics: createUserMetrics(registry),
    exchangeUrl,
    drawBrowser: () => randomBytes(BROWSER_ID_BYTES).toString('hex'),
    nowS,
  };
}

/** Lets auctions run between two slices of work. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** What tells the reports of one process from those of its predecessor. */
const PROCESS_ID_BYTES = 8;
const DRAWS_AT_ONCE = 256;

/**
 * Gives bytes of the system's randomness, never the same ones, drawn in blocks because that is
 * cheap. What it gave last is good until the next call.
 */
function createDraw(bytes: number): () => Buffer {
  const pool = Buffer.alloc(bytes * DRAWS_AT_ONCE);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += bytes;
    return pool.subarray(at - bytes, at);
  };
}
