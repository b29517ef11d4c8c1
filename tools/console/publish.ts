import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Somebody else's build may come between the two renames; that many do not. */
const TRIES = 5;

/**
 * Puts a finished folder in the place of another, whole: two that do so at a time leave one of theirs.
 */
export function publish(made: string, place: string): void {
  const aside = mkdtempSync(join(place, '../.dist-'));
  try {
    for (let attempt = 1; ; attempt += 1) {
      moveAway(place, join(aside, String(attempt)));
      try {
        renameSync(made, place);
        return;
      } catch (error) {
        if (attempt === TRIES || !isOccupied(error)) throw error;
      }
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function moveAway(place: string, to: string): void {
  try {
    renameSync(place, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function isOccupied(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
