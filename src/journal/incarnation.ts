import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncDirectorySync } from '../base/sync-directory.ts';
import { hasCode, isMissing } from '../base/unknown-error.ts';

import type { JournalFs } from './journal-fs.ts';

const ID_BYTES = 8;
const ID = /^[0-9a-f]{16}$/;

/**
 * The id of this data directory's life, made by whichever process comes first and kept in the file
 * `incarnation`. It is part of every segment's name, so that a machine set up anew, whose segments
 * would otherwise be named and numbered alike, is never taken for the one before it.
 *
 * @throws when the file can neither be read nor made, or holds something else
 */
export function readIncarnation(directory: string, fs: JournalFs): string {
  const path = join(directory, 'incarnation');
  const id = readId(path, fs) ?? makeId(directory, path, fs);
  if (!ID.test(id)) {
    throw new Error(`${path} holds no incarnation id (16 hexadecimal digits); restore it.`);
  }
  return id;
}

function readId(path: string, fs: JournalFs): string | null {
  try {
    return fs.readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Written and synced aside, then linked: the file appears whole, and the first link wins. */
function makeId(directory: string, path: string, fs: JournalFs): string {
  const id = randomBytes(ID_BYTES).toString('hex');
  const draft = `${path}.${id}`;
  const bytes = Buffer.from(`${id}\n`);
  try {
    const fd = fs.openSync(draft, 'wx', 0o600);
    try {
      const written = fs.writeSync(fd, bytes, 0, bytes.length);
      if (written < bytes.length) throw new Error(`${draft} could not be written.`);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.linkSync(draft, path);
    syncDirectorySync(directory, fs);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    removeDraft(draft, fs);
  }
  return readId(path, fs) ?? id;
}

/** A draft that stays behind is harmless, and what went wrong before matters more. */
function removeDraft(draft: string, fs: JournalFs): void {
  try {
    fs.unlinkSync(draft);
  } catch {}
}
