import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { compileSnapshot } from '../configuration/compile.ts';
import type { Database } from '../configuration/schema.ts';
import { readVersion } from '../configuration/version.ts';
import { applyConfigurationFile, describeInFile } from '../control/apply-file.ts';
import { createInternalServer } from '../control/internal.ts';
import { listenOn } from '../control/listen.ts';
import { createPublicServer } from '../control/public.ts';
import { SnapshotSource } from '../control/snapshot-source.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import type { RoleContext } from './child.ts';
import { openConfigurationStore } from './configuration-store.ts';

/**
 * Composes control: opens the store, applies the file it was started with, compiles the snapshot,
 * and serves operators and couriers. Its public port answers from the beginning, so that whoever
 * watches `/readyz` sees it start.
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
  await listenOn(publicServer, context.listenFd);

  if (settings.applyFile !== null) await applyAtStart(db, settings.applyFile, logger);
  await source.start();
  const internalServer = createInternalServer({
    logger,
    secret: settings.internalSecret,
    source,
  });
  context.onDrain(() => internalServer.close());
  await listenOn(internalServer, internalFd);
  context.ready();
}

async function applyAtStart(db: Kysely<Database>, file: string, logger: Logger): Promise<void> {
  const { created, updated, unchanged, version, notes } = await applyConfigurationFile(db, file);
  logger.info(
    { file, created, updated, unchanged, version: versionKey(version) },
    'configuration file applied',
  );
  for (const note of notes) logger.warn(describeInFile(file, note));
}
