import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { createAddressPolicy } from '../base/address-policy.ts';
import type { Database } from '../configuration/schema.ts';
import { readVersion } from '../configuration/version.ts';
import { createAuctionIds, RANDOM_BYTES } from '../exchange/auction-id.ts';
import type { BidderTestParts } from '../management/bidder-test/routes.ts';
import { versionKey, type Snapshot } from '../snapshot/snapshot.ts';

/** Test requests are few: one at a time for each partner. */
const CALLS_MAX = 64;
/** How long a change may take to get into the configuration that couriers get. */
const FRESH_WITHIN_MS = 3_000;
const FRESH_EVERY_MS = 50;

export interface BidderTesterParts {
  readonly db: Kysely<Database>;
  /** The present configuration. @throws RialtoError as long as there is none. */
  readonly snapshot: () => Promise<Snapshot>;
}

/**
 * Sends test requests from control, by the exchange's own client and to where that may connect. What
 * an auction is made of is loaded with the first: most controls never need it.
 */
export function createBidderTester({ db, snapshot }: BidderTesterParts): {
  readonly testBidder: BidderTestParts['testBidder'];
  readonly close: () => Promise<void>;
} {
  let isAddressAllowed = createAddressPolicy([]);
  const now = (): number => performance.now();
  const load = async () => {
    const { createBidderSocketClient } = await import('../adapters/bidder-socket.ts');
    const { headersOfCall } = await import('../adapters/http-bidders.ts');
    const { sendTestRequest } = await import('../exchange/test-request.ts');
    const client = createBidderSocketClient({
      isAddressAllowed: (ip) => isAddressAllowed(ip),
      connectionsMax: CALLS_MAX,
      inFlightMax: CALLS_MAX,
      lateGraceMs: 0,
      now,
    });
    return { client, headersOfCall, sendTestRequest };
  };
  let loading: ReturnType<typeof load> | null = null;
  const createAuctionId = createAuctionIds(() => randomBytes(RANDOM_BYTES), Date.now);
  return {
    testBidder: async (demandPartnerId, wish) => {
      const present = await freshSnapshot(db, snapshot);
      isAddressAllowed = createAddressPolicy(present.exchange.allowPrivateAddresses);
      const partner = present.demandPartners.get(demandPartnerId);
      if (partner === undefined || partner.bidder === null) return 'no_bidder';
      const askable = { ...partner, bidder: partner.bidder };
      const { client, headersOfCall, sendTestRequest } = await (loading ??= load());
      const parts = { client, createAuctionId, now };
      const run = await sendTestRequest(present, askable, wish, parts);
      return run === null ? 'no_format' : { run, headers: headersOfCall(run.sent) };
    },
    close: async () => {
      await (await loading)?.client.close();
    },
  };
}

/** Waits for what was changed just now, which is what somebody wants to try. */
async function freshSnapshot(
  db: Kysely<Database>,
  snapshot: () => Promise<Snapshot>,
): Promise<Snapshot> {
  const wanted = await readVersion(db);
  const untilMs = performance.now() + FRESH_WITHIN_MS;
  for (;;) {
    // What it waits for is not there before.
    // oxlint-disable-next-line no-await-in-loop
    const present = await snapshot();
    const isFresh =
      versionKey(present.version) === versionKey(wanted) || present.version.seq > wanted.seq;
    if (isFresh || performance.now() >= untilMs) return present;
    // oxlint-disable-next-line no-await-in-loop
    await delay(FRESH_EVERY_MS);
  }
}
