import { join } from 'node:path';
import { setImmediate as nextSlice } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { readBilled, readBillingNodes } from '../analytics/billed.ts';
import { createQuarantine } from '../analytics/quarantine.ts';
import { readDemandReport, readSupplyReport } from '../analytics/report.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { findAccount } from '../configuration/find-account.ts';
import { createLeaseStore } from '../configuration/lease-store.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import type { Database } from '../configuration/schema.ts';
import { readVersion } from '../configuration/version.ts';
import { applyConfigurationFile, describeInFile } from '../control/apply-file.ts';
import { removeInternalAddress, writeInternalAddress } from '../control/internal-address.ts';
import { createInternalServer } from '../control/internal.ts';
import { registerGrantMetrics } from '../control/lease-metrics.ts';
import { LeaseSettlement } from '../control/lease-settlement.ts';
import { Leases } from '../control/leases.ts';
import { listenOn } from '../control/listen.ts';
import { registerLoaderMetrics } from '../control/loader-metrics.ts';
import { registerNodeMetrics } from '../control/node-metrics.ts';
import { NodeRegister } from '../control/node-register.ts';
import { createPresentSnapshot } from '../control/present-snapshot.ts';
import { createPublicServer } from '../control/public.ts';
import { SnapshotSource } from '../control/snapshot-source.ts';
import {
  createAuctionAnswerer,
  createAuctionExplainer,
  type ExplainerParts,
} from '../management/auctions/explain-auction.ts';
import { registerReporting } from '../reporting/routes.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import { Analytics } from './analytics.ts';
import type { RoleContext } from './child.ts';
import { createBidderDesk } from './bidder-desk.ts';
import { createCreativeDesk } from './creative-desk.ts';
import { openConfigurationStore } from './configuration-store.ts';
import { composeManagement } from './management.ts';

/** A batch may come over a slow line: 4 MB at 1 Mbit/s. */
const INTERNAL_REQUEST_MS = 40_000;
/**
 * Opening the analytics store takes the processor for a fifth of a second, which is left to the
 * node's other processes while they start. A batch that comes before begins it.
 */
const ANALYTICS_AFTER_MS = 1_000;

/**
 * Composes control: opens the store, applies the file it was started with, compiles the snapshot,
 * and serves operators and couriers. Its public port answers from the beginning, so that whoever
 * watches `/readyz` sees it start. The analytics store is opened when all that is done.
 */
export async function startControl(context: RoleContext): Promise<void> {
  const { settings, logger, registry, listenFds } = context;
  if (settings.internalSecret === null) throw new Error('control was given no internal secret');
  const internalFd = listenFds['internal'];
  if (internalFd === undefined) throw new Error('control was given no internal socket');

  const db = await openConfigurationStore(context.dataDirectory);
  context.onDrain(() => db.destroy());
  const leases = new Leases({ store: createLeaseStore(db), now: Date.now });
  const source = new SnapshotSource({
    reader: { version: () => readVersion(db), compile: () => compileSnapshot(db) },
    registry,
    logger,
    onCompiled: (entities) => leases.useCaps(entities),
  });
  const publicServer = createPublicServer({
    logger,
    isReady: () => source.current !== undefined,
    collectMetrics: () => context.collectRoleMetrics(),
  });
  context.onDrain(() => publicServer.close());
  const offsets = createOffsetStore(db);
  const quarantine = createQuarantine(join(context.dataDirectory, 'quarantine'), Date.now);
  const { dataDirectory } = context;
  const analytics = new Analytics({ dataDirectory, offsets, quarantine, logger });
  context.onDrain(() => analytics.close());
  registerReporting(publicServer, {
    findAccount: (token) => findAccount(db, token),
    demandReport: (accountId, query) =>
      readDemandReport(analytics.opened(), { ...query, accountId }),
    supplyReport: (accountId, query) =>
      readSupplyReport(analytics.opened(), { ...query, accountId }),
    now: Date.now,
  });
  const { trustedProxies } = settings;
  const explainerParts: ExplainerParts = {
    findAuction: (id) => analytics.findAuction(id),
    snapshot: createPresentSnapshot(source, () => nextSlice()),
    now: Date.now,
  };
  const explainAuction = createAuctionExplainer(explainerParts);
  composeManagement(publicServer, { db, logger, registry, trustedProxies, explainAuction });
  await listenOn(publicServer, context.listenFd);

  if (settings.applyFile !== null) await applyAtStart(db, settings.applyFile, logger);
  await source.start();
  const nodes = new NodeRegister(Date.now);
  registerNodeMetrics(registry, nodes);
  registerGrantMetrics(registry, leases);
  registerLoaderMetrics(registry, {
    counters: () => analytics.loader?.counters ?? null,
    quarantined: () => quarantine.count(),
  });
  const internalServer = createInternalServer({
    logger,
    secret: settings.internalSecret,
    source,
    load: (batch) => analytics.load(batch),
    nodes,
    grant: (report) => leases.answer(report),
    forget: (incarnation, segments) => offsets.forget(incarnation, segments),
    storeReader: analytics,
    explain: createAuctionAnswerer(explainerParts),
    bidders: createBidderDesk(db, Date.now),
    creatives: createCreativeDesk(db, () => analytics.opened(), Date.now),
  });
  const settlement = new LeaseSettlement({
    leases,
    nodes,
    readBilled: (question) => readBilled(analytics.opened(), question),
    readBillingNodes: (date) => readBillingNodes(analytics.opened(), date),
    logger,
    now: Date.now,
  });
  context.onDrain(() => settlement.stop());
  context.onDrain(() => internalServer.close());
  await listenOn(internalServer, internalFd);
  internalServer.server.requestTimeout = INTERNAL_REQUEST_MS;
  if (settings.internalUrl !== null) {
    const address = { supervisor: process.ppid, url: settings.internalUrl };
    context.onDrain(() => removeInternalAddress(dataDirectory));
    // Commands that cannot find this control are no reason not to serve.
    await writeInternalAddress(dataDirectory, address).catch((error: unknown) =>
      logger.warn({ err: error }, 'the address of the internal listener cannot be written'),
    );
  }
  context.ready();
  setTimeout(() => analytics.open(), ANALYTICS_AFTER_MS);
  settlement.start();
}

async function applyAtStart(db: Kysely<Database>, file: string, logger: Logger): Promise<void> {
  const { created, updated, unchanged, version, notes } = await applyConfigurationFile(db, file);
  logger.info(
    { file, created, updated, unchanged, version: versionKey(version) },
    'configuration file applied',
  );
  for (const note of notes) logger.warn(describeInFile(file, note));
}
