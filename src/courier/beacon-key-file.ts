import { linkSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { makeDirectory } from '../base/make-directory.ts';
import { syncDirectorySync } from '../base/sync-directory.ts';
import { isMissing } from '../base/unknown-error.ts';
import { KEY_BYTES, KEY_ID_MAX, type BeaconKey } from '../beacons/key-ring.ts';

const KeyFileSchema = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 0, maximum: KEY_ID_MAX }),
      seals_from_ms: Type.Integer(),
      secret: Type.String({ description: '32 bytes in base64url' }),
    }),
    { minItems: 1 },
  ),
});
const keyFileValidator = Compile(KeyFileSchema);

/** Where a node keeps the keys of its beacon tokens. */
export function beaconKeysPath(dataDirectory: string): string {
  return join(dataDirectory, 'secrets', 'beacon-keys.json');
}

/**
 * The keys on disk; null when there is no file yet.
 *
 * @throws Error when the file cannot be read or holds something else
 */
export function readBeaconKeys(dataDirectory: string): readonly BeaconKey[] | null {
  return readKeys(beaconKeysPath(dataDirectory));
}

/** As `readBeaconKeys`, of any file of keys. */
export function readKeys(path: string): readonly BeaconKey[] | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const keys = decodeKeys(text);
  if (keys === null) throw new Error(`${path} holds no keys; restore it, or remove it.`);
  return keys;
}

/** Writes the first keys unless another process has: whoever comes first is who everybody reads. */
export function createBeaconKeys(dataDirectory: string, keys: readonly BeaconKey[]): void {
  createKeys(beaconKeysPath(dataDirectory), keys);
}

/** As `createBeaconKeys`, of any file of keys. */
export function createKeys(path: string, keys: readonly BeaconKey[]): void {
  place(path, keys, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    rmSync(draft);
  });
}

/** Puts keys in the place of those on disk, whole or not at all. */
export function replaceBeaconKeys(dataDirectory: string, keys: readonly BeaconKey[]): void {
  place(beaconKeysPath(dataDirectory), keys, renameSync);
}

function place(
  path: string,
  keys: readonly BeaconKey[],
  put: (draft: string, path: string) => void,
): void {
  makeDirectory(dirname(path));
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, encodeKeys(keys), { mode: 0o600, flag: 'wx', flush: true });
  put(draft, path);
  syncDirectorySync(dirname(path));
}

function encodeKeys(keys: readonly BeaconKey[]): string {
  const file: Static<typeof KeyFileSchema> = {
    keys: keys.map(({ id, sealsFromMs, secret }) => ({
      id,
      seals_from_ms: sealsFromMs,
      secret: Buffer.from(secret).toString('base64url'),
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function decodeKeys(text: string): readonly BeaconKey[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!keyFileValidator.Check(value)) return null;
  const keys = value.keys.map(({ id, seals_from_ms, secret }) => ({
    id,
    sealsFromMs: seals_from_ms,
    secret: Buffer.from(secret, 'base64url'),
  }));
  return keys.every(({ secret }) => secret.length === KEY_BYTES) ? keys : null;
}
