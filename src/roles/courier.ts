import { SnapshotFeed } from '../courier/snapshot-feed.ts';
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
}
