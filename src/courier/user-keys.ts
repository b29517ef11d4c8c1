import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { KEY_BYTES, keyRingAt, type BeaconKey, type KeyRing } from '../beacons/key-ring.ts';
import { createKeys, readKeys } from './beacon-key-file.ts';

/** The keys of what stands in users' browsers; whoever seals or opens takes the ring anew each time. */
export interface UserKeys {
  readonly ring: KeyRing;
  /** Stops looking for other keys. */
  close(): void;
}

export interface UserKeysOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** A file that an operator has put in place is taken within this time. */
const LOOK_EVERY_MS = 60_000;

/** Where a node keeps the keys of what stands in users' browsers, for years. */
export function userKeysPath(dataDirectory: string): string {
  return join(dataDirectory, 'secrets', 'user-keys.json');
}

/**
 * Opens the keys in a node's data directory, and makes one where there is none. Nothing replaces
 * them by itself: a cookie is good for 90 days, and at all nodes that have the same file. The
 * operator copies it, and may put a new key beside the old one.
 *
 * @throws Error when the file cannot be read, made, or holds something else
 */
export function openUserKeys({ dataDirectory, logger, now }: UserKeysOptions): UserKeys {
  const path = userKeysPath(dataDirectory);
  let ring = keyRingAt(loadKeys(path), now());
  const timer = setInterval(() => {
    try {
      ring = keyRingAt(loadKeys(path), now());
    } catch (error) {
      logger.error({ err: error, path }, 'the keys of user matching stay as they were');
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    get ring() {
      return ring;
    },
    close: () => clearInterval(timer),
  };
}

function loadKeys(path: string): readonly BeaconKey[] {
  let keys = readKeys(path);
  if (keys === null) {
    createKeys(path, [firstKey()]);
    // Another process may have been first.
    keys = readKeys(path);
  }
  if (keys === null) throw new Error('the keys of user matching were removed while they were read');
  return keys;
}

/** It seals from ever on: a node whose clock is behind must not wait for it. */
function firstKey(): BeaconKey {
  return { id: randomBytes(2).readUInt16BE(), secret: randomBytes(KEY_BYTES), sealsFromMs: 0 };
}
