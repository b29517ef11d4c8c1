import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { openPostgres } from '../../src/adapters/postgres.ts';
import { openSqlite } from '../../src/adapters/sqlite.ts';
import { applyFile, type Applied, type ApplyTools } from '../../src/configuration/apply.ts';
import { describeProblem } from '../../src/configuration/finding.ts';
import { migrateConfiguration } from '../../src/configuration/migrate.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { hashSecret, verifySecret } from '../../src/identity/passwords.ts';
import { createDatabase, dropDatabase, postgres } from './postgres.ts';
import { findTemplate, type TemplateRecipe } from './template.ts';

/** The stores that the configuration can be in. */
export type StoreKind = 'sqlite' | 'postgres';

/** A store for one test. */
export interface TestStore {
  readonly db: Kysely<Database>;
  /** For `openStore`: a file, or the address of a database. */
  readonly path: string;
}

/** What `openTestStore` opens in this process; `on-postgres.ts` chooses. */
let kind: StoreKind = 'sqlite';

/** From here on `openTestStore` opens stores of this kind. */
export function useStores(chosen: StoreKind): void {
  kind = chosen;
}

/** A connection to a store, of which a test may have several. */
export async function openStore(path: string): Promise<Kysely<Database>> {
  return path.startsWith('postgresql:') ? openPostgres<Database>(path) : openSqlite<Database>(path);
}

/**
 * A store for one test, migrated and empty, that ends with it. Tests that use it are run on both
 * kinds of store.
 */
export async function openTestStore(context: TestContext): Promise<TestStore> {
  return kind === 'postgres' ? openInPostgres(context) : openInFile(context);
}

/** The place of a store for one test, in which nothing is. */
export async function emptyPlace(context: TestContext): Promise<string> {
  if (kind === 'postgres') return createDatabase();
  const directory = await makeDirectory();
  context.after(() => rm(directory, { recursive: true }));
  return join(directory, 'rialto.db');
}

async function openInFile(context: TestContext): Promise<TestStore> {
  const directory = await makeDirectory();
  const path = join(directory, 'rialto.db');
  await copyFile(await findTemplate(EMPTY_FILE), path);
  const store = await openCopy(context, path, () => rm(directory, { recursive: true }));
  // No test pulls the plug.
  await sql`pragma synchronous = off`.execute(store.db);
  return store;
}

function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rialto-configuration-'));
}

async function openInPostgres(context: TestContext): Promise<TestStore> {
  template ??= makeTemplate();
  const path = await createDatabase(await template);
  return openCopy(context, path, () => dropDatabase(path));
}

/** Opens the copy of a store, which gets an epoch of its own: it is another store. */
async function openCopy(
  context: TestContext,
  path: string,
  remove: () => Promise<void>,
): Promise<TestStore> {
  const db = await openStore(path);
  context.after(async () => {
    await db.destroy();
    await remove();
  });
  const epoch = randomBytes(8).toString('hex');
  await db.updateTable('configuration_version').set({ epoch }).execute();
  return { db, path };
}

/** A store in a file, migrated and empty. */
const EMPTY_FILE: TemplateRecipe = {
  name: 'configuration.sqlite',
  sources: [
    // Whose fields the columns are.
    'src/resources/*.ts',
    'src/configuration/migrate.ts',
    'src/configuration/migrations/*.ts',
    'src/adapters/sqlite.ts',
  ],
  make: async (path) => {
    const db = await openStore(path);
    await migrateConfiguration(db);
    await db.destroy();
  },
};

const TEMPLATE = 'migrated';
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const server = await postgres();
  await server.run(`create database ${TEMPLATE} template template0`);
  const db = await openStore(server.url(TEMPLATE));
  await migrateConfiguration(db);
  await db.destroy();
  return TEMPLATE;
}

/** `examples/exchange.yaml`, as it stands. */
export async function readExample(): Promise<string> {
  return readFile(join(import.meta.dirname, '../../examples/exchange.yaml'), 'utf8');
}

/** As cheap as scrypt can be. */
const CHEAP = new Map([
  ['ln', 1],
  ['r', 1],
  ['p', 1],
]);

/** A hash that is verified like any other and costs nothing, where a test is not about hashes. */
export async function hashCheaply(plain: string): Promise<string> {
  return hashSecret(plain, 'scrypt', CHEAP);
}

export const QUICK_TOOLS: ApplyTools = {
  hashSecret: hashCheaply,
  verifySecret,
  nowMs: () => 1_700_000_000_000,
  actor: { name: 'a test', userId: null, clientId: null },
};

export async function applyQuickly(db: Kysely<Database>, text: string): Promise<Applied> {
  return applyFile(db, text, QUICK_TOOLS);
}

/** The problems of a file as people read them; none when it was applied. */
export async function problemsOf(db: Kysely<Database>, text: string): Promise<readonly string[]> {
  const applied = await applyQuickly(db, text);
  return applied.ok ? [] : applied.problems.map((problem) => describeProblem(problem));
}
