import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { isMissing } from '../base/unknown-error.ts';

import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { syncDirectory } from '../courier/durable-file.ts';
import { BEACON_KINDS, BeaconRecordSchema, type BeaconKind } from '../events/beacon-record.ts';
import { isSealed, removeDrafts, sealSegment, type SealFs } from '../journal/seal.ts';
import { readSegmentHeader } from '../journal/segment-header.ts';
import type { SeenBeacons, SeenImp } from './seen-beacons.ts';

export interface RestoreOptions {
  /** The node's journal; nothing is known where there is none yet. */
  readonly directory: string;
  readonly seen: SeenBeacons;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
  readonly logger: Logger;
  /** For tests, which hand in a broken disk. */
  readonly fs?: SealFs;
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
/** Of a segment's lines; the header comes before it. */
const FIRST_RECORD = 2;

/** How every line of a beacon begins, so that a million of them need no parsing. */
const BEGINNING = new RegExp(
  `^\\{"kind":"(${BEACON_KINDS.join('|')})","auction_id":"([0-9a-f]{32})","imp":(\\d{1,4}),"expires_ms":(\\d{1,15}),`,
);
const BEGINNING_LENGTH_MAX = 140;

/** What of a record is needed here, so that those of other versions are understood as well. */
const seenValidator = Compile(
  Type.Pick(BeaconRecordSchema, ['kind', 'auction_id', 'imp', 'expires_ms']),
);

/**
 * Reads from the journal which beacons were counted and could come again; to be done before the
 * first one is taken, after every predecessor has ended, and before this process begins a segment.
 *
 * Nothing is taken from a segment before it is sealed: a predecessor may have written records that
 * it has told nobody of, or failed to bring to the disk, and from now on their copies are
 * acknowledged.
 *
 * @throws the system's error when a segment cannot be read or sealed: its beacons would count twice
 */
export async function restoreSeen(options: RestoreOptions): Promise<Restored> {
  let [segments, beacons] = [0, 0];
  const names = await whenPresent(readdir(options.directory));
  if (names === null) return { segments, beacons };
  await removeDrafts(options.directory);
  for (const name of names.filter((each) => SEGMENT.test(each)).sort()) {
    const found = await whenPresent(restoreSegment(name, options));
    // Gone meanwhile: the courier removes what is too old.
    if (found === null || found === 0) continue;
    segments += 1;
    beacons += found;
  }
  if (segments > 0) await syncDirectory(options.directory);
  return { segments, beacons };
}

/** The beacons in a segment; 0 for one that is too old, or of another role's making. */
async function restoreSegment(name: string, options: RestoreOptions): Promise<number> {
  const path = join(options.directory, name);
  const { mtimeMs, mode, size } = await stat(path);
  if (mtimeMs < options.nowMs - KEPT_MS || !(await holdsBeacons(path, size))) return 0;
  if (!isSealed(mode)) await sealSegment(path, options.fs);
  const reader = new BeaconReader(name, options);
  await forEachLine(path, (line) => reader.read(line));
  return reader.beacons;
}

/** The money stream has records of several roles, and every process has segments of its own. */
async function holdsBeacons(path: string, size: number): Promise<boolean> {
  const read = await readSegmentHeader(path);
  if (read.kind === 'torn' || read.kind === 'foreign') return false;
  if (read.kind === 'damaged') return read.writer === 'tracker';
  return read.header.writer === 'tracker' && size > read.end;
}

/** Null for what does not exist (any more). */
async function whenPresent<T>(wanted: Promise<T>): Promise<T | null> {
  try {
    return await wanted;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Calls `visit` with the lines up to the last newline; what a crash left behind it is no line. */
async function forEachLine(path: string, visit: (line: Buffer) => void): Promise<void> {
  const file = await open(path);
  try {
    await visitLines(file, visit);
  } finally {
    await file.close();
  }
}

async function visitLines(file: FileHandle, visit: (line: Buffer) => void): Promise<void> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let rest = Buffer.alloc(0);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return;
    const read = piece.subarray(0, bytesRead);
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      visit(bytes.subarray(from, to));
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

  read(line: Buffer): void {
    const { seen, nowMs, logger } = this.#options;
    this.#lines += 1;
    if (this.#lines < FIRST_RECORD) return;
    const beacon = readBeacon(line);
    if (beacon === null) {
      // Its copy would be counted once more, and it cannot be told which one that is.
      logger.error({ segment: this.#name, line: this.#lines }, 'a line is no beacon');
      return;
    }
    this.beacons += 1;
    if (beacon.expires_ms > nowMs - CLOCK_SKEW_MAX_MS) seen.add(beacon, beacon.kind, nowMs);
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
  return seenValidator.Check(value) ? value : null;
}
