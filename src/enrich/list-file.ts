import { CommandError } from '../base/errors.ts';
import { readOperatorFile } from './operator-file.ts';

/** A list of some tens of thousands of lines has below a megabyte. */
const LIST_BYTES_MAX = 16 * 1024 * 1024;
/** Faults told at once. */
const FAULTS_MAX = 10;
/** How long a slice of work may take: auctions go on between two. */
const SLICE_MS = 1.5;

/** What one line says, or what it should have said. */
export type ReadLine<Entry> =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads a list of one entry a line. What stands behind a `#` at the start of a line or after a space
 * is a comment; empty lines are none.
 *
 * @param what what the list is, as errors call it.
 * @throws CommandError when the file cannot be read, has no entry, or has lines that are none: with
 *   the number of each and what is wrong there.
 */
export async function readListFile<Entry>(
  what: string,
  path: string,
  readLine: (line: string) => ReadLine<Entry>,
): Promise<readonly Entry[]> {
  const lines = (await readOperatorFile(what, path, LIST_BYTES_MAX))
    .toString('utf8')
    .split(/\r?\n/);
  const entries: Entry[] = [];
  const faults: string[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, written] of lines.entries()) {
    const line = written.replace(/(?:^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const read = readLine(line);
    if (read.ok) entries.push(read.entry);
    else faults.push(`${path}:${index + 1} ${read.fault}`);
    if (performance.now() < sliceEnd) continue;
    await pause();
    sliceEnd = performance.now() + SLICE_MS;
  }
  if (faults.length > 0) throw new CommandError(describe(what, faults));
  if (entries.length === 0) throw new CommandError(`${what} ${path} has no entry`);
  return entries;
}

function describe(what: string, faults: readonly string[]): string {
  const more = faults.length - FAULTS_MAX;
  const rest = more > 0 ? [`and ${more} more`] : [];
  const heading = `${what} has ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}:`;
  return [heading, ...faults.slice(0, FAULTS_MAX), ...rest].join('\n  ');
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
