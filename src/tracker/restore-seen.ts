import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';

import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { BEACON_KINDS, BeaconRecordSchema, type BeaconKind } from '../events/beacon-record.ts';
import type { SeenBeacons, SeenImp } from './seen-beacons.ts';

export interface RestoreOptions {
  /** The node's journal. */
  readonly directory: string;
  readonly seen: SeenBeacons;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
  readonly logger: Logger;
}

/** What a start found. */
export interface Restored {
  readonly segments: number;
  readonly beacons: number;
}

/** What was written last so long ago holds no token that is still good. */
const KEPT_MS = TOKEN_LIFE_MAX_MS + 2 * CLOCK_SKEW_MAX_MS;

const SEGMENT = /^money-.*\.ndjson$/;
const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** How every line of a beacon begins, so that a million of them need no parsing. */
const BEGINNING = new RegExp(
  `^\\{"kind":"(${BEACON_KINDS.join('|')})","auction_id":"([0-9a-f]{32})","imp":(\\d{1,4}),"expires_ms":(\\d{1,15}),`,
);
const BEGINNING_LENGTH_MAX = 140;

const recordValidator = Compile(BeaconRecordSchema);

/**
 * Reads from the journal which beacons were counted and could come again; to be done before the
 * first one is taken, and after every predecessor has ended. The money stream is shared with the
 * exchange, whose records are many: a segment that does not begin with a beacon is left after its
 * first piece, because a process writes its own segments and a tracker writes nothing else.
 *
 * What is read is brought to the disk as well: a predecessor that was killed may have written
 * records without having told anybody, and from now on their copies are acknowledged.
 */
export async function restoreSeen(options: RestoreOptions): Promise<Restored> {
  let [segments, beacons] = [0, 0];
  const names = await readdir(options.directory);
  for (const name of names.filter((each) => SEGMENT.test(each)).sort()) {
    const found = await restoreSegment(name, options);
    if (found === 0) continue;
    segments += 1;
    beacons += found;
  }
  if (segments > 0) await syncDirectory(options.directory);
  return { segments, beacons };
}

/** The beacons in a segment; 0 for one that is too old, gone, or of another process's making. */
async function restoreSegment(name: string, options: RestoreOptions): Promise<number> {
  const file = await openPresent(join(options.directory, name));
  if (file === null) return 0;
  try {
    if ((await file.stat()).mtimeMs < options.nowMs - KEPT_MS) return 0;
    const reader = new BeaconReader(name, options);
    await forEachLine(file, (line) => reader.read(line));
    if (reader.beacons > 0) await file.datasync();
    return reader.beacons;
  } finally {
    await file.close();
  }
}

/** Null for what the courier has removed meanwhile. */
async function openPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Calls `visit` with the lines up to the last newline, until it says that it wants no more; what a
 * crash left behind the last newline is no line.
 */
async function forEachLine(file: FileHandle, visit: (line: Buffer) => boolean): Promise<void> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let rest = Buffer.alloc(0);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return;
    const read = piece.subarray(0, bytesRead);
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      if (!visit(bytes.subarray(from, to))) return;
      from = to + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
  }
}

/** Reads the lines of one segment into the table. */
class BeaconReader {
  beacons = 0;
  readonly #name: string;
  readonly #options: RestoreOptions;
  #lines = 0;

  constructor(name: string, options: RestoreOptions) {
    this.#name = name;
    this.#options = options;
  }

  /** False when the rest of the segment is of no interest. */
  read(line: Buffer): boolean {
    const { seen, nowMs, logger } = this.#options;
    this.#lines += 1;
    // The header.
    if (this.#lines === 1) return true;
    const beacon = readBeacon(line);
    if (beacon === null) {
      if (this.beacons === 0) return false;
      // Its copy would be counted once more, and it cannot be told which one that is.
      logger.error({ segment: this.#name, line: this.#lines }, 'a line is no beacon');
      return true;
    }
    this.beacons += 1;
    if (beacon.expires_ms > nowMs - CLOCK_SKEW_MAX_MS) seen.add(beacon, beacon.kind, nowMs);
    return true;
  }
}

interface ReadBeacon extends SeenImp {
  readonly kind: BeaconKind;
}

function readBeacon(line: Buffer): ReadBeacon | null {
  const beginning = line.toString('latin1', 0, BEGINNING_LENGTH_MAX);
  const [, kindText, auctionId, imp, expiresMs] = BEGINNING.exec(beginning) ?? [];
  const kind = BEACON_KINDS.find((each) => each === kindText);
  if (kind === undefined || auctionId === undefined) return parseBeacon(line.toString());
  return { kind, auction_id: auctionId, imp: Number(imp), expires_ms: Number(expiresMs) };
}

/** The same fields in another order, as another version may write them. */
function parseBeacon(text: string): ReadBeacon | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return recordValidator.Check(value) ? value : null;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
