import { randomBytes } from 'node:crypto';

import type { Logger } from 'pino';

import {
  KEY_BYTES,
  keyRingAt,
  rotateKeys,
  type BeaconKey,
  type DrawKey,
  type KeyRing,
} from '../beacons/key-ring.ts';
import { createBeaconKeys, readBeaconKeys, replaceBeaconKeys } from './beacon-key-file.ts';

/** The keys of beacon tokens, kept up to date; whoever seals or opens takes the ring anew each time. */
export interface BeaconKeys {
  readonly ring: KeyRing;
  /** Stops looking for new keys. */
  close(): void;
}

export interface BeaconKeysOptions {
  readonly dataDirectory: string;
  /** Exactly one process of a node makes new keys; the others read what it has made. */
  readonly rotates: boolean;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** Many looks fit into the time between a key's making and its first use (KEY_LEAD_MS). */
const LOOK_EVERY_MS = 60_000;

/**
 * Opens the keys in a node's data directory, and makes the first one where there is none. Nodes
 * that seal for one another's trackers will get the same ring from control instead.
 *
 * @throws Error when the file cannot be read, made, or holds something else
 */
export function openBeaconKeys(options: BeaconKeysOptions): BeaconKeys {
  const { dataDirectory, logger, now } = options;
  let ring = keyRingAt(loadKeys(options), now());
  const timer = setInterval(() => {
    try {
      ring = keyRingAt(loadKeys(options), now());
    } catch (error) {
      logger.error({ err: error, dataDirectory }, 'the beacon keys stay as they were');
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

function loadKeys({ dataDirectory, rotates, now }: BeaconKeysOptions): readonly BeaconKey[] {
  let keys = readBeaconKeys(dataDirectory);
  if (keys === null) {
    createBeaconKeys(dataDirectory, rotateKeys([], now(), drawKey));
    // Another process may have been first.
    keys = readBeaconKeys(dataDirectory);
  }
  if (keys === null) throw new Error('the beacon keys were removed while they were read');
  if (!rotates) return keys;
  const rotated = rotateKeys(keys, now(), drawKey);
  if (rotated !== keys) replaceBeaconKeys(dataDirectory, rotated);
  return rotated;
}

const drawKey: DrawKey = () => ({
  id: randomBytes(2).readUInt16BE(),
  secret: randomBytes(KEY_BYTES),
});
