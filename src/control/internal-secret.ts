import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../base/make-directory.ts';
import { isMissing } from '../base/unknown-error.ts';

const SECRET_BYTES = 32;

/**
 * The secret that control shares with the couriers, from the data directory; made there once, for
 * this user's eyes alone. The caller holds the data directory's lock.
 */
export function internalSecret(dataDirectory: string): string {
  const path = join(dataDirectory, 'secrets', 'internal');
  try {
    const secret = readFileSync(path, 'utf8').trim();
    // A crash between creation and write leaves an empty file, which nobody has used yet.
    if (secret !== '') return secret;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  makeDirectory(dirname(path));
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
