import { TimeSlices } from '../base/slices.ts';
import type { Entity } from './entities.ts';
import { SnapshotBuilder, type Snapshot, type SnapshotVersion } from './snapshot.ts';

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

/** Encodes a snapshot at one go, for what is small. */
export function encodeSnapshot(version: SnapshotVersion, entities: readonly Entity[]): string {
  const { header, end } = frameOf(version, entities);
  return [header, ...entities, end].map(lineOf).join('');
}

/** Encodes a snapshot, with a pause after each slice of work. */
export async function encodeInSlices(
  version: SnapshotVersion,
  entities: readonly Entity[],
  pause: () => Promise<void>,
): Promise<string> {
  const { header, end } = frameOf(version, entities);
  const slices = new TimeSlices(pause);
  let text = lineOf(header);
  for (const entity of entities) {
    text += lineOf(entity);
    if (slices.isOver) await slices.next();
  }
  return text + lineOf(end);
}

function frameOf(
  version: SnapshotVersion,
  { length }: readonly Entity[],
): { readonly header: Header; readonly end: End } {
  return {
    header: { kind: 'header', schema: SNAPSHOT_SCHEMA, version },
    end: { kind: 'end', entities: length },
  };
}

function lineOf(line: Header | Entity | End): string {
  return `${JSON.stringify(line)}\n`;
}

/** Reads the version of an encoded snapshot without reading the rest. */
export function readVersion(text: string): SnapshotVersion {
  return parseHeader(text.slice(0, text.indexOf('\n'))).version;
}

/**
 * Decodes a snapshot, pausing after each slice of work.
 *
 * @param pause called after each slice; resolves when the next may run.
 * @throws Error when the text is torn, of another schema, or not a whole.
 */
export async function decodeSnapshot(
  text: string,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Snapshot> {
  const builder = new SnapshotBuilder(readVersion(text));
  const slices = new TimeSlices(pause);
  for (const line of entityLines(text)) {
    const entity: Entity = JSON.parse(line);
    builder.add(entity);
    if (slices.isOver) await slices.next();
  }
  return builder.build();
}

/**
 * The lines of the entities, without their ends.
 *
 * @throws Error after the last of them, when the text is torn.
 */
export function* entityLines(text: string): Generator<string, void, void> {
  let start = text.indexOf('\n') + 1;
  let entities = 0;
  while (start > 0) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) break;
    const line = text.slice(start, newline);
    start = newline + 1;
    if (line.startsWith(END_START)) {
      const end: End = JSON.parse(line);
      if (end.entities === entities) return;
      break;
    }
    yield line;
    entities += 1;
  }
  throw new Error(`snapshot is torn after ${entities} entities`);
}

/** How the last line begins, and no entity. */
const END_START = '{"kind":"end",';

function parseHeader(line: string): Header {
  const header: Header | Entity = JSON.parse(line);
  if (header.kind !== 'header') throw new Error('snapshot does not start with its header');
  if (header.schema !== SNAPSHOT_SCHEMA) {
    throw new Error(`snapshot has schema ${header.schema}, this process reads ${SNAPSHOT_SCHEMA}`);
  }
  return header;
}
