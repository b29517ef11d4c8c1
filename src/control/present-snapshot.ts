import { RialtoError } from '../base/errors.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { decodeSnapshot } from '../snapshot/wire.ts';
import type { SnapshotSource } from './snapshot-source.ts';

/**
 * The configuration that couriers get, decoded for those of control who ask about it: once for each
 * version, when it is first asked for.
 *
 * @param pause runs between slices of the work.
 */
export function createPresentSnapshot(
  source: Pick<SnapshotSource, 'current'>,
  pause: () => Promise<void>,
): () => Promise<Snapshot> {
  let known: { readonly key: string; readonly snapshot: Promise<Snapshot> } | null = null;
  return () => {
    const { current } = source;
    if (current === undefined) return Promise.reject(new RialtoError('not_ready'));
    if (known?.key !== current.key) {
      const asked = { key: current.key, snapshot: decodeSnapshot(current.text, pause) };
      known = asked;
      asked.snapshot.catch(() => {
        if (known === asked) known = null;
      });
    }
    return known.snapshot;
  };
}
