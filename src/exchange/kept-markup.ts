import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { openMarkup, sealedLength, sealMarkup } from '../beacons/sealed-markup.ts';
import type { KeyRing } from '../beacons/key-ring.ts';
import type { NonceSource } from '../beacons/token.ts';

/** How long markup can be had: as long as the beacons of an impression count, as a rule. */
export const MARKUP_KEPT_MS = 60 * 60 * 1000;

/**
 * The longest sealed markup that goes into an address, in characters: with the rest of the address
 * well below the 8 KB that common proxies take for a request line.
 */
export const SEALED_LENGTH_MAX = 4_096;

/** What is tried to fit, in characters: more rarely does, and compressing 26 KB takes a millisecond. */
const COMPRESSED_LENGTH_MAX = 16 * 1024;
/** UTF-8 has up to three bytes for a character. */
const SEALED_BYTES_MAX = 3 * COMPRESSED_LENGTH_MAX;

/** What one process may write in an hour: anybody can ask for ads, and the journal needs the disk. */
const HOUR_BYTES_MAX = 512 * 1024 * 1024;

interface Hour {
  readonly hour: number;
  readonly folder: Promise<string>;
  bytesLeft: number;
}

/** Keeps markup that a player comes for a moment later, at whichever process of the node. */
export interface MarkupKeeper {
  /**
   * @returns the key under which it can be had for an hour, safe in an address; null when this process
   *   has kept as much in this hour as it may
   * @throws the system's error when it cannot be written
   */
  keep(markup: string): Promise<string | null>;
  /** Null for a key that was never given, or is too old. */
  find(key: string): Promise<string | null>;
}

export interface MarkupKeeperOptions {
  /** Where long markup is kept; made when it is needed, and nobody else's. */
  readonly directory: string;
  readonly keys: { readonly ring: KeyRing };
  readonly drawNonce: NonceSource;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
  /** What this process may write in an hour. */
  readonly hourBytesMax?: number;
}

/**
 * The processes of a node share no memory. Most markup fits, compressed and sealed, into the key
 * itself, so that nothing is kept at all; longer markup becomes a file in a folder of its hour, which
 * is removed as a whole when another hour has passed.
 */
export function createMarkupKeeper(options: MarkupKeeperOptions): MarkupKeeper {
  const { directory, keys, drawNonce, unixTime, hourBytesMax = HOUR_BYTES_MAX } = options;
  let opened: Hour | null = null;

  /** The folder of the hour, which one of many that come at the same time makes. */
  function openHour(hour: number): Hour {
    if (opened?.hour === hour) return opened;
    const folder = join(directory, String(hour));
    const made = mkdir(folder, { recursive: true, mode: 0o700 }).then(() => folder);
    const present: Hour = { hour, folder: made, bytesLeft: hourBytesMax };
    opened = present;
    // Beside the answers that wait for the folder. What could not be removed goes at the next hour.
    made
      .then(() => sweep(directory, hour))
      .catch(() => {
        if (opened === present) opened = null;
      });
    return present;
  }

  async function keepFile(markup: string): Promise<string | null> {
    const hour = hourOf(unixTime());
    const present = openHour(hour);
    present.bytesLeft -= Buffer.byteLength(markup);
    if (present.bytesLeft < 0) return null;
    const folder = await present.folder;
    const name = randomBytes(NAME_BYTES).toString('hex');
    await writeFile(join(folder, name), markup, { flag: 'wx', mode: 0o600 });
    return `${hour}.${name}`;
  }

  async function findFile(hour: number, name: string): Promise<string | null> {
    if (hour < hourOf(unixTime()) - 1) return null;
    return readFile(join(directory, String(hour), name), 'utf8').catch(() => null);
  }

  return {
    keep: (markup) => {
      const expiresMs = unixTime() + MARKUP_KEPT_MS;
      const content = compress(markup);
      if (content === null) return keepFile(markup);
      return Promise.resolve(sealMarkup(content, expiresMs, keys.ring, drawNonce()));
    },
    find: async (key) => {
      const [, hour, name] = FILE_KEY.exec(key) ?? [];
      if (hour !== undefined && name !== undefined) return findFile(Number(hour), name);
      if (!SEALED_KEY.test(key)) return null;
      const content = openMarkup(key, keys.ring, unixTime());
      if (content === null) return null;
      return inflateRawSync(content, { maxOutputLength: SEALED_BYTES_MAX }).toString('utf8');
    },
  };
}

const NAME_BYTES = 16;
const FILE_KEY = /^(\d{6,8})\.([0-9a-f]{32})$/;
const SEALED_KEY = /^[\w-]+$/;

/** Null for what does not fit into an address. */
function compress(markup: string): Buffer | null {
  if (markup.length > COMPRESSED_LENGTH_MAX) return null;
  const content = deflateRawSync(markup, { level: 3 });
  return sealedLength(content.length) <= SEALED_LENGTH_MAX ? content : null;
}

/** Every process does so once an hour; what another one has removed is gone all the same. */
async function sweep(directory: string, hour: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (Number(name) < hour - 1) await rm(join(directory, name), { recursive: true, force: true });
  }
}

function hourOf(unixMs: number): number {
  return Math.floor(unixMs / MARKUP_KEPT_MS);
}
