import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CommandError } from '../base/errors.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

/** Where the migrations of this version lie. */
export const SQL_DIRECTORY = join(import.meta.dirname, '..', '..', 'sql');

const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/;

/**
 * ClickHouse has no transactions over definitions: a migration that was cut off is run again from
 * its start, so that each of its statements has to be one that does nothing the second time.
 */
const REPEATABLE = /\bIF (?:NOT )?EXISTS\b|^ALTER TABLE \w+ MODIFY\b/;

/** The migrations that were run; the hash shows one that was edited afterwards. */
const MIGRATIONS_TABLE = `
CREATE TABLE IF NOT EXISTS migrations
(
    name String,
    hash String,
    applied_at DateTime('UTC') DEFAULT now('UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`;

interface Migration {
  readonly name: string;
  readonly hash: string;
  readonly statements: readonly string[];
}

/**
 * Brings the analytics store to the form that this version works with, by the files of `sql/` in
 * the order of their names. Each is run once and recorded.
 *
 * @returns the names of those that were run now.
 * @throws CommandError when a file was edited after it was run, is missing or out of order, or when
 *   the store was made by a newer version. Nothing is run then.
 */
export async function migrateAnalytics(
  store: AnalyticsStore,
  directory: string = SQL_DIRECTORY,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  await store.command(MIGRATIONS_TABLE);
  const applied = await readApplied(store);
  const pending = pendingOf(migrations, applied);
  for (const { name, hash, statements } of pending) {
    for (const statement of statements) await store.command(statement);
    await record(store, name, hash);
  }
  return pending.map(({ name }) => name);
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    if (!FILE_NAME.test(name)) {
      throw new CommandError(`${name} in ${directory} is not named like 0001-what.sql.`);
    }
    const text = await readFile(join(directory, name), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const statements = statementsOf(text);
    for (const statement of statements) {
      if (REPEATABLE.test(statement)) continue;
      const first = statement.split('\n', 1)[0] ?? '';
      throw new CommandError(`${name}: "${first}" cannot be run twice: write IF [NOT] EXISTS.`);
    }
    migrations.push({ name, hash, statements });
  }
  return migrations;
}

/** Statements end with a semicolon at the end of a line; comments have lines of their own. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function readApplied(store: AnalyticsStore): Promise<Map<string, string>> {
  const rows = await store.query('SELECT name, hash FROM migrations FINAL ORDER BY name');
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]));
}

/** What is still to be run: the files behind the last one that was, whose predecessors are as then. */
function pendingOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (known.has(name)) continue;
    throw new CommandError(`The analytics store was made by a newer version: it has ${name}.`);
  }
  migrations.forEach(({ name, hash }, index) => {
    const then = applied.get(name);
    if (then === undefined && index < applied.size) {
      throw new CommandError(`${name} comes before a migration that has already been run.`);
    }
    if (then !== undefined && then !== hash) {
      throw new CommandError(`${name} was edited after it had been run; write a new one instead.`);
    }
  });
  return migrations.slice(applied.size);
}

/** The two values are a checked file name and a hash: neither can hold a quote. */
async function record(store: AnalyticsStore, name: string, hash: string): Promise<void> {
  await store.command(
    `INSERT INTO migrations (name, hash) SETTINGS async_insert = 0 VALUES ('${name}', '${hash}')`,
  );
}
