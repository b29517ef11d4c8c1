import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { resources } from './migrations/0001-resources.ts';
import { shipping } from './migrations/0002-shipping.ts';
import { winsAndLosses } from './migrations/0003-wins-and-losses.ts';
import { requestDetails } from './migrations/0004-request-details.ts';
import { traceBodies } from './migrations/0005-trace-bodies.ts';
import { traceShipping } from './migrations/0005-trace-shipping.ts';
import { leases } from './migrations/0006-leases.ts';
import { creatives } from './migrations/0007-creatives.ts';
import { accessTokens } from './migrations/0008-access-tokens.ts';
import { bidderHealth } from './migrations/0009-bidder-health.ts';
import { bidRequirements } from './migrations/0010-bid-requirements.ts';
import { userMatching } from './migrations/0011-user-matching.ts';
import { floors } from './migrations/0012-floors.ts';
import { trafficAndSellers } from './migrations/0013-traffic-and-sellers.ts';
import { management } from './migrations/0014-management.ts';
import { bidderHeaders } from './migrations/0015-bidder-headers.ts';
import { reportRequests } from './migrations/0016-report-requests.ts';
import { sessions } from './migrations/0017-sessions.ts';
import { seatNonBids } from './migrations/0018-seat-non-bids.ts';
import { secondFactors } from './migrations/0019-second-factors.ts';
import { analyticsStores } from './migrations/0020-analytics-stores.ts';
import type { Database } from './schema.ts';

/** In the order in which they run; one that has been released is never changed. */
const MIGRATIONS = {
  '0001-resources': resources,
  '0002-shipping': shipping,
  '0003-wins-and-losses': winsAndLosses,
  '0004-request-details': requestDetails,
  '0005-trace-bodies': traceBodies,
  '0005-trace-shipping': traceShipping,
  '0006-leases': leases,
  '0007-creatives': creatives,
  '0008-access-tokens': accessTokens,
  '0009-bidder-health': bidderHealth,
  '0010-bid-requirements': bidRequirements,
  '0011-user-matching': userMatching,
  '0012-floors': floors,
  '0013-traffic-and-sellers': trafficAndSellers,
  '0014-management': management,
  '0015-bidder-headers': bidderHeaders,
  '0016-report-requests': reportRequests,
  '0017-sessions': sessions,
  '0018-seat-non-bids': seatNonBids,
  '0019-second-factors': secondFactors,
  '0020-analytics-stores': analyticsStores,
};

/** What a store of this version has been through. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/**
 * Brings the store to the form that this version of Rialto works with; does nothing when it is
 * there already. Processes that do it at the same time wait for one another.
 *
 * @throws Error when a migration fails, of which then nothing remains, or when the store was made
 *   by a newer version.
 */
export async function migrateConfiguration(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? `: ${error.message}` : '';
    throw new Error(`cannot migrate the configuration store${reason}`, { cause: error });
  }
}
