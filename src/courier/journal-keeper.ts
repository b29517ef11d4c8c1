import { statfsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { JournalFs } from '../journal/journal-fs.ts';
import { latestRecordMs } from '../journal/latest-record.ts';
import { segmentsToRemove, type KeptSegment } from '../journal/retention.ts';
import { diskOf, JOURNAL_LIMITS, type JournalLimits } from '../journal/room.ts';
import type { JournalStream } from '../journal/segment.ts';
import type { NodeStatus } from '../ports/node-status.ts';
import { SyncFailure } from './durable-file.ts';
import type { JournalSegments } from './journal-segments.ts';
import type { Notices } from './notices.ts';
import type { Shipper } from './shipper.ts';

/** Short, because auctions may be waiting for room. */
const SWEEP_MS = 2_000;

export interface JournalKeeperOptions {
  readonly journalDirectory: string;
  readonly segments: JournalSegments;
  readonly shipper: Pick<Shipper, 'acknowledged' | 'controlIsBehind' | 'removed' | 'trims'>;
  /** Ships the trace. */
  readonly traces: Pick<Shipper, 'acknowledged' | 'removed'>;
  /** What a segment makes due has to be known elsewhere before it goes. */
  readonly notices: Pick<Notices, 'hasPassed'>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly limits?: JournalLimits;
  /** Of the disk; for tests. */
  readonly statfs?: JournalFs['statfsSync'];
}

/**
 * Keeps the journal within its limits: the only one that removes segments, and none that is being
 * written or holds money that is not acknowledged; traces go also where they are not. Which, and when,
 * says `journal/retention.ts`.
 */
export class JournalKeeper {
  readonly #options: JournalKeeperOptions;
  readonly #stopping = new AbortController();
  #bytes: Record<JournalStream, number> = { money: 0, trace: 0 };
  #removed = 0;
  #disk: ReturnType<typeof diskOf> = null;
  #failing = false;
  #running: Promise<void> | undefined;

  constructor(options: JournalKeeperOptions) {
    this.#options = options;
  }

  /** Bytes of the segments that are there, how many this process has removed, and the disk's room. */
  get figures(): NodeStatus['journal'] {
    const { money, trace } = this.#bytes;
    const figures = { moneyBytes: money, traceBytes: trace, removedSegments: this.#removed };
    return this.#disk === null ? figures : { ...figures, disk: this.#disk };
  }

  /** Sweeps until `stop`. The first failed fsync is thrown, unhandled, and ends the process. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Removes what may go now. */
  async sweep(): Promise<void> {
    const { journalDirectory, segments, shipper, traces, notices, logger, now } = this.#options;
    const { limits = JOURNAL_LIMITS, statfs = statfsSync } = this.#options;
    const kept: KeptSegment[] = [];
    const acknowledged = new Map([...shipper.acknowledged, ...traces.acknowledged]);
    for (const segment of await segments.survey(acknowledged)) {
      const isRead = segment.stream === 'trace' || notices.hasPassed(segment.name, segment.bytes);
      kept.push(isRead ? segment : { ...segment, heldUntilMs: Infinity });
    }
    this.#bytes = { money: bytesOf(kept, 'money'), trace: bytesOf(kept, 'trace') };
    const disk = diskOf(journalDirectory, limits, { statfsSync: statfs });
    this.#disk = disk;
    const keepsMoney = shipper.controlIsBehind;
    const names = segmentsToRemove(kept, { nowMs: now(), limits, disk, keepsMoney });
    const traceNames = new Set(namesOf(kept, 'trace'));
    await shipper.trims(await this.#latestMs(names.filter((name) => !traceNames.has(name))));
    for (const name of names) {
      await unlink(join(journalDirectory, name));
      (traceNames.has(name) ? traces : shipper).removed(name);
      this.#removed += 1;
    }
    if (names.length > 0) logger.info({ segments: names }, 'segments of the journal removed');
  }

  /** When the latest record of these segments is of, in Unix time in milliseconds; 0 without any. */
  async #latestMs(names: readonly string[]): Promise<number> {
    let latestMs = 0;
    for (const name of names) {
      const path = join(this.#options.journalDirectory, name);
      latestMs = Math.max(latestMs, await latestRecordMs(path));
    }
    return latestMs;
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.sweep();
        this.#failing = false;
      } catch (error) {
        if (error instanceof SyncFailure) throw error;
        if (!this.#failing) logger.error({ err: error }, 'the journal cannot be kept in order');
        this.#failing = true;
      }
      await delay(SWEEP_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function namesOf(segments: readonly KeptSegment[], stream: JournalStream): readonly string[] {
  return segments.filter((each) => each.stream === stream).map(({ name }) => name);
}

function bytesOf(segments: readonly KeptSegment[], stream: JournalStream): number {
  return segments.reduce((sum, each) => sum + (each.stream === stream ? each.bytes : 0), 0);
}
