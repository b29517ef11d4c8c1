import type { Entity } from './entities.ts';
import { SnapshotBuilder, type Snapshot, type SnapshotVersion } from './snapshot.ts';
import { completed, type StoredEntity } from './stored-entity.ts';

/**
 * A snapshot on the wire and on disk: newline-delimited JSON, a header, one entity a line, and an
 * end line that counts them, so that a torn file is recognised and a reader can work in slices.
 */

/** Raised when the shape of the entities changes in a way that an older reader would misread. */
const SNAPSHOT_SCHEMA = 1;

interface Header {
  readonly kind: 'header';
  readonly schema: number;
  readonly version: SnapshotVersion;
}

interface End {
  readonly kind: 'end';
  readonly entities: number;
}

type Line = Header | StoredEntity | End;

export function encodeSnapshot(version: SnapshotVersion, entities: readonly Entity[]): string {
  const header: Header = { kind: 'header', schema: SNAPSHOT_SCHEMA, version };
  const end: End = { kind: 'end', entities: entities.length };
  return [header, ...entities, end].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads the version of an encoded snapshot without reading the rest. */
export function readVersion(text: string): SnapshotVersion {
  return parseHeader(text.slice(0, text.indexOf('\n'))).version;
}

/**
 * Decodes a snapshot, pausing after each slice of work.
 *
 * @param pause called after every `sliceMs` of work; resolves when the next slice may run.
 * @throws Error when the text is torn, of another schema, or not a whole.
 */
export async function decodeSnapshot(
  text: string,
  pause: () => Promise<void> = () => Promise.resolve(),
  sliceMs = 1.5,
): Promise<Snapshot> {
  let start = text.indexOf('\n') + 1;
  const builder = new SnapshotBuilder(parseHeader(text.slice(0, start)).version);
  let entities = 0;
  let sliceEnd = performance.now() + sliceMs;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) break;
    const line: Line = JSON.parse(text.slice(start, newline));
    start = newline + 1;
    if (line.kind === 'end') {
      if (line.entities !== entities) break;
      return builder.build();
    }
    if (line.kind === 'header') break;
    builder.add(completed(line));
    entities += 1;
    if (performance.now() >= sliceEnd) {
      await pause();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  throw new Error(`snapshot is torn after ${entities} entities`);
}

function parseHeader(line: string): Header {
  const header: Line = JSON.parse(line);
  if (header.kind !== 'header') throw new Error('snapshot does not start with its header');
  if (header.schema !== SNAPSHOT_SCHEMA) {
    throw new Error(`snapshot has schema ${header.schema}, this process reads ${SNAPSHOT_SCHEMA}`);
  }
  return header;
}
