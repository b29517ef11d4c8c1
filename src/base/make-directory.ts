import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from './unknown-error.ts';

/**
 * Makes a directory for this user alone, with those above it that are missing. It goes step by step:
 * Node's own recursive mkdir never returns where nothing can be made in a directory that is there and
 * the system says "no such file", as Linux does below /proc.
 *
 * @throws the system's error when it cannot be made
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(path);
    if (!isMissing(error) || existsSync(above)) throw error;
    makeDirectory(above);
    makeDirectory(path);
  }
}
