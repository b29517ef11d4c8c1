import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/base/logger.ts';
import { applyFile } from '../../src/configuration/apply.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { createPublicServer } from '../../src/control/public.ts';
import { composeManagement } from '../../src/roles/management.ts';
import { openTestStore, readExample } from './configuration-store.ts';

/** Control's public server over a store with the example's users, in this process. */
export interface ManagementServer {
  readonly app: FastifyInstance;
  readonly db: Kysely<Database>;
  /** The file that the store is in. */
  readonly path: string;
  readonly registry: Registry;
  /** All that was logged so far. */
  readonly log: () => string;
}

/** @param edit changes the configuration file before it is applied. */
export async function openManagement(
  t: TestContext,
  edit: (yaml: string) => string = (yaml) => yaml,
): Promise<ManagementServer> {
  const { db, path } = await openTestStore(t);
  const applied = await applyFile(db, edit(await readExample()));
  if (!applied.ok) throw new Error('the example was refused');
  const registry = new Registry();
  const stream = new PassThrough();
  let log = '';
  stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const logger = createLogger({ level: 'trace', role: 'control' }, stream);
  const app = createPublicServer({
    logger,
    isReady: () => true,
    collectMetrics: () => registry.metrics(),
  });
  const explainAuction = () => Promise.resolve(null);
  composeManagement(app, {
    db,
    logger,
    registry,
    trustedProxies: ['127.0.0.1'],
    explainAuction,
  });
  t.after(() => app.close());
  await app.ready();
  return { app, db, path, registry, log: () => log };
}
