import type { Kysely } from 'kysely';
import { readDiscovery } from '../analytics/discovery.ts';
import { readFirsts } from '../analytics/firsts.ts';
import { readFunnel } from '../analytics/funnel.ts';
import { readKpis } from '../analytics/kpi.ts';
import { readLosses } from '../analytics/losses.ts';
import { readBidderSums, readTraffic } from '../analytics/traffic.ts';
import type { Database } from '../configuration/schema.ts';
import type { NodeRegister } from '../control/node-register.ts';
import {
  createAuctionExplainer,
  type ExplainerParts,
} from '../management/auctions/explain-auction.ts';
import type { Analytics } from './analytics.ts';
import { createQueryQueue } from './query-queue.ts';
import { createCreativeFinder } from './creative-finder.ts';
import { createExportSource } from './export-source.ts';
import type { ManagementComposition } from './management.ts';
import { createPulse } from './status-service.ts';

type Asks = ManagementComposition['asks'];

/** What control has, and the API asks for as it is. */
type Given = Pick<Asks, 'exchangeUrl' | 'testBidder' | 'readStatus' | 'quarantine' | 'files'>;

export interface ManagementAsksParts extends Given {
  readonly db: Kysely<Database>;
  readonly analytics: Pick<Analytics, 'opened' | 'listAuctions' | 'filledUntilMs'>;
  readonly nodes: Pick<NodeRegister, 'nodes'>;
  readonly explainer: ExplainerParts;
}

/**
 * What the management API asks of the rest of control. What reads the analytics store waits for its
 * turn; exports do not, which are read as slowly as they are fetched.
 */
export function createManagementAsks(parts: ManagementAsksParts): Asks {
  const { db, analytics, nodes, explainer, ...given } = parts;
  const opened = () => analytics.opened();
  const runQuery = createQueryQueue();
  const explainAuction = createAuctionExplainer(explainer);
  const findCreatives = createCreativeFinder(db, opened);
  return {
    ...given,
    presentSnapshot: explainer.snapshot,
    exports: createExportSource(opened, nodes),
    filledUntilMs: () => analytics.filledUntilMs(),
    explainAuction: (...asked) => runQuery(() => explainAuction(...asked)),
    listAuctions: (question) => runQuery(() => analytics.listAuctions(question)),
    findCreatives: (...asked) => runQuery(() => findCreatives(...asked)),
    readKpis: (question) => readKpis(opened(), question),
    readFunnel: (question) => runQuery(async () => readFunnel(opened(), question)),
    readLosses: (question) => runQuery(async () => readLosses(opened(), question)),
    discover: (targeting) => runQuery(async () => readDiscovery(opened(), targeting, Date.now())),
    readTraffic: (question) => runQuery(async () => readTraffic(opened(), question)),
    readBidderSums: (time) => runQuery(async () => readBidderSums(opened(), time)),
    readFirsts: () => runQuery(async () => readFirsts(opened())),
    readPulse: createPulse(opened, runQuery),
  };
}
