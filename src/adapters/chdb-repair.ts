import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode, isMissing } from '../base/unknown-error.ts';

/**
 * A deduplication log says of every inserted part which block it holds: `1 <part> <block>` for one
 * that came, `2 <part> <block>` for one that went, with tabs between.
 */
const ADDED = '1';
const REMOVED = '2';

const LOG_DIRECTORY = 'deduplication_logs';
const LOG_NAME = /^deduplication_log_(\d+)\.txt$/;
/**
 * `202611_7_9_1`: partition, first and last block, level; `202611_7_9_1_12` once a mutation, such as
 * the making of a projection, has rewritten it.
 */
export const PART_NAME = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/;
const NEWLINE = 0x0a;

/**
 * Takes back what a killed process wrote into deduplication logs and did not do. ClickHouse writes
 * "this block is there" before it renames the part to its place; killed in between (measured: at any
 * of the ten renames of an INSERT into two partitions and four rollups), it takes the repeated
 * INSERT for a duplicate, and the rows are lost. Both steps happen under the table's lock, so that
 * only the last line of a log can be wrong. To be run before the engine opens the directory.
 *
 * @returns the parts that were announced and are not there.
 */
export async function repairDeduplicationLogs(directory: string): Promise<string[]> {
  const repaired: string[] = [];
  for (const path of await tablesIn(directory)) {
    const part = await repairTable(path);
    if (part !== null) repaired.push(`${basename(path)}/${part}`);
  }
  return repaired;
}

/** The directories of the tables of an engine's directory, by their ids. */
export async function tablesIn(directory: string): Promise<string[]> {
  const store = join(directory, 'store');
  const prefixes = await namesIn(store);
  const tables = prefixes.map(async (prefix) =>
    (await namesIn(join(store, prefix))).map((table) => join(store, prefix, table)),
  );
  return (await Promise.all(tables)).flat();
}

/** The part that was wrongly announced, or null. */
async function repairTable(table: string): Promise<string | null> {
  const logs = join(table, LOG_DIRECTORY);
  const newestFirst = (await namesIn(logs))
    .map((name) => LOG_NAME.exec(name))
    .filter((match) => match !== null)
    .sort((a, b) => Number(b[1]) - Number(a[1]));
  for (const [name] of newestFirst) {
    const path = join(logs, name);
    const line = await lastWholeLine(path);
    // A log that was just begun; the one before it has the last line.
    if (line === null) continue;
    const [operation, part, block] = line.split('\t');
    if (operation !== ADDED || part === undefined || block === undefined) return null;
    if (isThere(part, await namesIn(table))) return null;
    await appendDurably(path, `${REMOVED}\t${part}\t${block}\n`);
    return part;
  }
  return null;
}

/**
 * A part is there, or was: under its name, merged into another, or replaced by a later one. Blocks
 * are counted upwards, so that nothing in the partition reaches as far as one that was never made.
 */
function isThere(part: string, entries: readonly string[]): boolean {
  const sought = PART_NAME.exec(part);
  if (sought === null) return true;
  return entries.some((entry) => {
    const found = PART_NAME.exec(entry);
    return found?.[1] === sought[1] && Number(found?.[3]) >= Number(sought[3]);
  });
}

/** Cuts off what the end of a machine left of a line. */
async function lastWholeLine(path: string): Promise<string | null> {
  const file = await open(path, 'r+');
  try {
    const bytes = await file.readFile();
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end < bytes.length) {
      await file.truncate(end);
      await file.sync();
    }
    const lines = bytes.toString('utf8', 0, end).split('\n');
    return lines.findLast((line) => line !== '') ?? null;
  } finally {
    await file.close();
  }
}

async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The entries of a directory; none where there is no such directory. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}
