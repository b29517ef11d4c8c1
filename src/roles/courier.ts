import nodeFs from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { ControlClient } from '../courier/control-client.ts';
import { JournalKeeper } from '../courier/journal-keeper.ts';
import { JournalSegments } from '../courier/journal-segments.ts';
import { Shipper } from '../courier/shipper.ts';
import { SnapshotFeed } from '../courier/snapshot-feed.ts';
import { StatusReporter } from '../courier/status-reporter.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import type { RoleContext } from './child.ts';

/**
 * Composes the courier. On a node with control it is ready once it has what control has, so that
 * an exchange started after it never serves an older configuration; elsewhere after its first
 * question, answered or not, because the node serves what it has on disk when control is away.
 *
 * @throws Error when the supervisor did not say where control is.
 */
export async function startCourier(context: RoleContext): Promise<void> {
  const { settings, logger, dataDirectory } = context;
  const { internalUrl, internalSecret, roles } = settings;
  if (internalUrl === null || internalSecret === null) {
    throw new Error('the courier was not told where control is');
  }
  const feed = new SnapshotFeed({
    url: internalUrl,
    secret: internalSecret,
    dataDirectory,
    logger,
    onNew: (version) => context.announceSnapshot(version),
  });
  context.onDrain(() => feed.stop());
  feed.start((answered) => {
    if (answered || !roles.includes('control')) context.ready();
  });
  const control = new ControlClient({ url: internalUrl, secret: internalSecret });
  await startShipping(context, control, () => feed.knownVersion);
}

/** What carries the journal out, keeps it within its limits, and tells control of both. */
async function startShipping(
  context: RoleContext,
  control: ControlClient,
  snapshot: () => string,
): Promise<void> {
  const { logger, dataDirectory } = context;
  const journalDirectory = join(dataDirectory, 'journal');
  nodeFs.mkdirSync(journalDirectory, { recursive: true, mode: 0o700 });
  const incarnation = readIncarnation(journalDirectory, nodeFs);
  const now = Date.now;
  const segments = new JournalSegments({ directory: journalDirectory, incarnation, logger, now });
  const shipper = await Shipper.open({
    dataDirectory,
    journalDirectory,
    incarnation,
    segments,
    control,
    logger,
    now,
  });
  const keeper = new JournalKeeper({ journalDirectory, segments, shipper, logger, now });
  const { version } = packageJson;
  const reporter = new StatusReporter({
    incarnation,
    version,
    snapshot,
    shipper,
    keeper,
    segments,
    control,
    logger,
  });
  context.onDrain(async () => {
    await Promise.all([control.close(), shipper.stop(), keeper.stop(), reporter.stop()]);
  });
  keeper.start();
  reporter.start();
  // The first failed fsync rejects this, unhandled, which ends the process.
  void shipper.run();
}
