import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createQuarantine } from '../analytics/quarantine.ts';
import { readDemandReport, readSupplyReport } from '../analytics/report.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { findAccount } from '../configuration/find-account.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import type { Database } from '../configuration/schema.ts';
import { readVersion } from '../configuration/version.ts';
import { applyConfigurationFile, describeInFile } from '../control/apply-file.ts';
import { removeInternalAddress, writeInternalAddress } from '../control/internal-address.ts';
import { createInternalServer } from '../control/internal.ts';
import { listenOn } from '../control/listen.ts';
import { registerLoaderMetrics } from '../control/loader-metrics.ts';
import { registerNodeMetrics } from '../control/node-metrics.ts';
import { NodeRegister } from '../control/node-register.ts';
import { createPublicServer } from '../control/public.ts';
import { SnapshotSource } from '../control/snapshot-source.ts';
import { registerReporting } from '../reporting/routes.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import { Analytics } from './analytics.ts';
import type { RoleContext } from './child.ts';
import { openConfigurationStore } from './configuration-store.ts';

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
  const source = new SnapshotSource({
    reader: { version: () => readVersion(db), compile: () => compileSnapshot(db) },
    registry,
    logger,
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
  await listenOn(publicServer, context.listenFd);

  if (settings.applyFile !== null) await applyAtStart(db, settings.applyFile, logger);
  await source.start();
  const nodes = new NodeRegister(Date.now);
  registerNodeMetrics(registry, nodes);
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
    forget: (incarnation, segments) => offsets.forget(incarnation, segments),
    storeReader: analytics,
  });
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
}

async function applyAtStart(db: Kysely<Database>, file: string, logger: Logger): Promise<void> {
  const { created, updated, unchanged, version, notes } = await applyConfigurationFile(db, file);
  logger.info(
    { file, created, updated, unchanged, version: versionKey(version) },
    'configuration file applied',
  );
  for (const note of notes) logger.warn(describeInFile(file, note));
}
