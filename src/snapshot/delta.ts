import { TimeSlices } from '../base/slices.ts';
import type { Entity } from './entities.ts';
import { versionKey, type Snapshot, type SnapshotVersion } from './snapshot.ts';
import { SnapshotEdit } from './snapshot-edit.ts';
import { entityLines, readVersion } from './wire.ts';

/**
 * What differs between two versions of the configuration, as lines of their snapshots. An entity that
 * was changed is in both lists, as it was and as it is.
 */
export interface SnapshotDelta {
  readonly base: SnapshotVersion;
  readonly version: SnapshotVersion;
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

/** A snapshot that is on the node's disk; where it differs little from the last one there, in what. */
export interface SnapshotNews {
  readonly version: SnapshotVersion;
  readonly delta: SnapshotDelta | null;
}

/** Beyond this the whole snapshot is read instead: a message is parsed at one go, in about 1 ms. */
const DELTA_CHARS_MAX = 256 * 1024;

/**
 * Compares two encoded snapshots of one store.
 *
 * @param pause runs between slices of the work.
 * @param charsMax the most that the lines of the delta may have together.
 * @returns null where the whole has to be taken: other epochs, or too much that differs.
 * @throws Error when one of them is torn, or of another schema.
 */
export async function diffSnapshots(
  before: string,
  after: string,
  pause: () => Promise<void>,
  charsMax = DELTA_CHARS_MAX,
): Promise<SnapshotDelta | null> {
  const base = readVersion(before);
  const version = readVersion(after);
  if (base.epoch !== version.epoch) return null;
  const slices = new TimeSlices(pause);
  // Lines are compared as they stand, so that nothing has to be known of what is in them.
  const gone = new Set<string>();
  for (const line of entityLines(before)) {
    gone.add(line);
    if (slices.isOver) await slices.next();
  }
  const came: string[] = [];
  let chars = 0;
  for (const line of entityLines(after)) {
    if (!gone.delete(line)) {
      came.push(line);
      chars += line.length;
    }
    if (chars > charsMax) return null;
    if (slices.isOver) await slices.next();
  }
  for (const line of gone) chars += line.length;
  return chars > charsMax ? null : { base, version, gone: [...gone], came };
}

/**
 * Makes the next snapshot out of the one that the delta starts from. What the delta does not touch
 * is shared between the two: the same entities, and where a kind has not changed the same map.
 *
 * @param pause runs between slices of the work.
 * @throws Error when the delta starts from another version, or does not fit; `snapshot` stays as it is.
 */
export async function applyDelta(
  snapshot: Snapshot,
  { base, version, gone, came }: SnapshotDelta,
  pause: () => Promise<void>,
): Promise<Snapshot> {
  if (versionKey(base) !== versionKey(snapshot.version)) {
    throw new Error(`delta starts from ${versionKey(base)}, not ${versionKey(snapshot.version)}`);
  }
  const slices = new TimeSlices(pause);
  const edit = new SnapshotEdit(snapshot);
  for (const line of gone) {
    edit.remove(entityOf(line));
    if (slices.isOver) await slices.next();
  }
  for (const line of came) {
    edit.add(entityOf(line));
    if (slices.isOver) await slices.next();
  }
  return edit.build(version, slices);
}

function entityOf(line: string): Entity {
  return JSON.parse(line);
}
