import nodeFs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIncarnation } from '../../src/journal/incarnation.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { demoHistory } from './history.ts';

/** Records at a time; between them everything else of the process has its turn. */
const PORTION = 200;
/** The last day is there at once; what is older comes at a pace that leaves the demo most of the machine. */
const AT_ONCE = 10_000;
const PAUSE_MS = 80;

/** What a demo's history is written from. */
export interface HistorySource {
  /** The configuration file. */
  readonly configuration: string;
  /** Ad requests a second of the demo. */
  readonly rate: number;
}

/**
 * Writes months of auctions before now, as processes would have left them in the node's journal, while
 * the node runs: from the newest to the oldest, so that what people look at first is there first.
 *
 * @param directory of the node's journal.
 * @throws Error when it cannot be written; it just stops when the demo ends.
 */
export async function writeHistory(
  directory: string,
  { configuration, rate }: HistorySource,
  ended: AbortSignal,
): Promise<void> {
  const common = { directory, stream: 'money', now: Date.now } as const;
  const auctions = openJournal({ ...common, writer: 'exchange' });
  const beacons = openJournal({ ...common, writer: 'tracker' });
  const failed: { error: Error | null } = { error: null };
  const node = readIncarnation(directory, nodeFs);
  try {
    let count = 0;
    for (const record of demoHistory(configuration, { now: Date.now(), rate, node })) {
      const journal = record.kind === 'auction' ? auctions : beacons;
      journal.append(JSON.stringify(record), (error) => (failed.error ??= error));
      count += 1;
      if (count % PORTION !== 0) continue;
      // Portions are written one after the other, and slowly on purpose.
      // oxlint-disable-next-line no-await-in-loop
      await sleep(count < AT_ONCE ? 0 : PAUSE_MS);
      if (failed.error !== null) throw failed.error;
      if (ended.aborted) return;
    }
  } finally {
    auctions.close();
    beacons.close();
  }
}
