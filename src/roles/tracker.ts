import nodeFs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { EVENT_LOOP, LoopWait } from '../base/loop-wait.ts';
import { openBeaconKeys } from '../courier/beacon-keys.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal } from '../journal/journal.ts';
import { BeaconCounter } from '../tracker/beacon-counter.ts';
import { createTrackerMetrics } from '../tracker/metrics.ts';
import { restoreSeen } from '../tracker/restore-seen.ts';
import { SeenBeacons } from '../tracker/seen-beacons.ts';
import { createTracker } from '../tracker/server.ts';
import type { RoleContext } from './child.ts';
import { lockFile, type FileLock } from './file-lock.ts';

/**
 * Impressions remembered at a time, at 30 bytes each. Beyond it new beacons are told to come back:
 * to forget would be to bill twice.
 */
const SEEN_MAX = 8_000_000;
/** Beacons that may wait for the disk at a time, a second's worth. */
const WAITING_MAX = 20_000;
const SWEEP_EVERY_MS = 1_000;
/** Longer than any role's process lives without its supervisor. */
const PREDECESSOR_WAIT_MS = 6_000;
const LOCK_RETRY_MS = 50;

/**
 * Composes the tracker. It takes its first beacon once every predecessor has ended and all that they
 * counted is known again; until then connections wait in the kernel.
 *
 * @throws Error when a predecessor does not end, or journal or keys cannot be used
 */
export async function startTracker(context: RoleContext): Promise<void> {
  const { dataDirectory, logger, registry } = context;
  const now = (): number => performance.now();
  const lock = await lockAlone(join(dataDirectory, 'tracker.lock'));
  const directory = join(dataDirectory, 'journal');
  const seen = new SeenBeacons();
  const startMs = now();
  const restored = await restoreSeen({ directory, seen, nowMs: Date.now(), logger });
  logger.info({ ...restored, tookMs: Math.round(now() - startMs) }, 'counted beacons are known');

  const journal = openJournal({
    directory,
    stream: 'money',
    writer: 'tracker',
    now: Date.now,
    onGrowth: context.tellGrowth,
    durable: {
      // After a failed sync nobody knows what is on the disk: the next process brings it there
      // before it counts on it.
      onFailure: (error) => {
        logger.fatal({ err: error }, 'the journal could not be brought to the disk');
        process.exit(1);
      },
    },
  });
  const home = readIncarnation(directory, nodeFs);
  const keys = openBeaconKeys({ dataDirectory, rotates: true, logger, now: Date.now });
  const tracker = createTracker({
    counter: new BeaconCounter({
      sink: journal,
      node: home,
      seen,
      seenMax: SEEN_MAX,
      waitingMax: WAITING_MAX,
      unixTime: Date.now,
    }),
    keys,
    unwritable: () => journal.unwritable(),
    home,
    wait: new LoopWait(EVENT_LOOP),
    metrics: createTrackerMetrics(registry, seen),
    logger,
    now,
    unixTime: Date.now,
  });
  const sweeper = setInterval(() => seen.sweepNext(Date.now()), SWEEP_EVERY_MS);
  context.onDrain(async () => {
    await tracker.drain();
    clearInterval(sweeper);
    keys.close();
    journal.close();
    lock.release();
  });
  await new Promise<void>((resolve, reject) => {
    tracker.server.once('error', reject);
    tracker.server.listen({ fd: context.listenFd }, resolve);
  });
  context.ready();
}

/** Waits for a predecessor whose supervisor is gone: what it still counts has to be read. */
async function lockAlone(path: string): Promise<FileLock> {
  const deadlineMs = performance.now() + PREDECESSOR_WAIT_MS;
  for (;;) {
    const lock = lockFile(path);
    if (lock !== null) return lock;
    if (performance.now() > deadlineMs) throw new Error('another tracker runs on this directory');
    await delay(LOCK_RETRY_MS);
  }
}
