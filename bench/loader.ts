import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { openChdb } from '../src/adapters/chdb.ts';
import { openSqlite } from '../src/adapters/sqlite.ts';
import { RollupFiller } from '../src/analytics/fill-rollups.ts';
import { createLoader } from '../src/analytics/load.ts';
import { createQuarantine } from '../src/analytics/quarantine.ts';
import { RollupSteps } from '../src/analytics/step-rollups.ts';
import { migrateConfiguration } from '../src/configuration/migrate.ts';
import { createOffsetStore } from '../src/configuration/offset-store.ts';
import type { Database } from '../src/configuration/schema.ts';
import { registerIntake } from '../src/control/intake.ts';
import { copyAnalytics } from '../test/support/analytics-store.ts';

/**
 * Control's part of loading alone: batches come over HTTP, are loaded, and counted in steps, at the pace
 * of a node. Prints its port as one line of JSON; at each line on its input it fills the rollups and prints
 * what it has used since its start, in microseconds of CPU with all threads.
 */
const directory = mkdtempSync(join(tmpdir(), 'rialto-bench-loader-'));
await copyAnalytics(join(directory, 'analytics'));
const store = await openChdb({ directory: join(directory, 'analytics') });
const db = await openSqlite<Database>(join(directory, 'configuration.sqlite'));
await migrateConfiguration(db);
const offsets = createOffsetStore(db, 'bench');
const fail = (error: unknown): never => {
  console.error(error);
  process.exit(1);
};
const loader = createLoader({
  store,
  offsets,
  quarantine: createQuarantine(join(directory, 'quarantine')),
  onLoaded: async () => filler.note(),
  onRetry: fail,
});
const filler = new RollupFiller({
  steps: new RollupSteps({ store, offsets }),
  loader,
  loadedUntilMs: () => 0,
  onWrong: fail,
  onFault: fail,
});
const app = fastify({ logger: false });
registerIntake(app, {
  load: (batch) => loader.load(batch),
  giveUp: () => Promise.reject(new Error('nothing is given up')),
  logger: pino({ level: 'silent' }),
});
const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
console.log(JSON.stringify({ port: Number(url.port) }));
for await (const question of createInterface({ input: process.stdin })) {
  if (question === '') continue;
  await filler.filled('demand_daily');
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuUs: user + system }));
}
await filler.stop();
await store.close();
rmSync(directory, { recursive: true });
process.exit(0);
