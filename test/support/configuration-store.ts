import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import { openSqlite } from '../../src/adapters/sqlite.ts';
import { applyFile, type Applied, type ApplyTools } from '../../src/configuration/apply.ts';
import { describeProblem } from '../../src/configuration/finding.ts';
import { migrateConfiguration } from '../../src/configuration/migrate.ts';
import type { Database } from '../../src/configuration/schema.ts';

/** A connection to a store, of which a test may have several. */
export async function openStore(path: string): Promise<Kysely<Database>> {
  return openSqlite<Database>(path);
}

/** A store for one test, migrated and empty, that ends with it. */
export async function openTestStore(
  context: TestContext,
): Promise<{ db: Kysely<Database>; path: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'rialto-configuration-'));
  const path = join(directory, 'rialto.db');
  const db = await openStore(path);
  context.after(async () => {
    await db.destroy();
    await rm(directory, { recursive: true });
  });
  await migrateConfiguration(db);
  return { db, path };
}

/** `examples/exchange.yaml`, as it stands. */
export async function readExample(): Promise<string> {
  return readFile(join(import.meta.dirname, '../../examples/exchange.yaml'), 'utf8');
}

/** Hashes at no cost, where a test is not about the hashes. */
export const QUICK_TOOLS: ApplyTools = {
  hashSecret: (plain) => Promise.resolve(digest(plain)),
  verifySecret: (plain, stored) => Promise.resolve(digest(plain) === stored),
  nowMs: () => 1_700_000_000_000,
};

export async function applyQuickly(db: Kysely<Database>, text: string): Promise<Applied> {
  return applyFile(db, text, QUICK_TOOLS);
}

/** The problems of a file as people read them; none when it was applied. */
export async function problemsOf(db: Kysely<Database>, text: string): Promise<readonly string[]> {
  const applied = await applyQuickly(db, text);
  return applied.ok ? [] : applied.problems.map((problem) => describeProblem(problem));
}

function digest(plain: string): string {
  return createHash('sha256').update(plain).digest('base64');
}
