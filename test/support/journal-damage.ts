import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../sim/random.ts';
import type { FaultyNode } from './faulty-node.ts';
import { until } from './wait.ts';

const KNOWN_MS = 30_000;
/** So many auctions stand in a segment before it is damaged. */
const AUCTIONS = 10;
const DIGIT = /[0-9]/;

/** A record as it stands in its segment. */
interface WrittenLine {
  readonly start: number;
  readonly text: string;
}

/** What a disk does to a segment of which nothing has been shipped. */
export interface JournalDamage {
  readonly name: string;
  /** @returns what is lost of the lines. */
  apply(segment: number, lines: readonly WrittenLine[], random: Random): readonly WrittenLine[];
}

export const DAMAGES: readonly JournalDamage[] = [
  {
    name: 'a digit of a record is another',
    apply: (segment, lines, random) => {
      const line = random.pick(lines);
      const at = line.text.search(DIGIT);
      writeSync(segment, line.text[at] === '7' ? '8' : '7', line.start + at);
      return [line];
    },
  },
  {
    name: 'a record is zeros',
    apply: (segment, lines, random) => {
      const line = random.pick(lines);
      writeSync(segment, Buffer.alloc(Buffer.byteLength(line.text)), 0, null, line.start);
      return [line];
    },
  },
  {
    name: 'a header is damaged',
    apply: (segment) => {
      writeSync(segment, 'XXXX', 2);
      return [];
    },
  },
];

/**
 * Damages a segment of the exchange while the courier stands still.
 *
 * @returns when the courier went on, and the requests of the auctions that are lost.
 */
export async function damageJournal(
  { node, files, requests }: FaultyNode,
  damage: JournalDamage,
  random: Random,
): Promise<{ readonly endedMs: number; readonly requestIds: readonly string[] }> {
  const directory = join(files, 'journal');
  node.kill('courier', 'SIGSTOP');
  const before = new Set(readdirSync(directory));
  node.kill('exchange');
  const path = await until('another segment has auctions', KNOWN_MS, () => {
    const fresh = readdirSync(directory).filter((each) => !before.has(each));
    return fresh
      .map((name) => join(directory, name))
      .find((each) => auctionsIn(each).length >= AUCTIONS);
  });
  const segment = openSync(path, 'r+');
  const lost = damage.apply(segment, auctionsIn(path), random);
  closeSync(segment);
  node.kill('courier', 'SIGCONT');
  const requestIds = lost.map(({ text }) => /"request_id":"([^"]+)"/.exec(text)?.[1] ?? '');
  assert.ok(requestIds.every((id) => requests.sent.has(id)));
  return { endedMs: performance.now(), requestIds };
}

/** What `rialto quarantine list --json` says of all entries together. */
export function heldIn(stdout: string): { readonly places: number; readonly missing: number } {
  const { entries }: { entries: { damaged_places: number; missing_records: number }[] } =
    JSON.parse(stdout);
  return {
    places: entries.reduce((sum, { damaged_places: places }) => sum + places, 0),
    missing: entries.reduce((sum, { missing_records: missing }) => sum + missing, 0),
  };
}

/** The auctions of a segment whose lines are whole. */
function auctionsIn(path: string): WrittenLine[] {
  const bytes = readFileSync(path);
  const lines: WrittenLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
    const text = bytes.toString('utf8', start, end);
    if (text.startsWith('{"kind":"auction"')) lines.push({ start, text });
    start = end + 1;
  }
  return lines;
}
