import { existsSync } from 'node:fs';
import { CommandError } from '../base/errors.ts';

/**
 * For commands that work on what a node has written, and make nothing themselves.
 *
 * @throws CommandError when there is no such directory.
 */
export function assertDataDirectory(path: string): void {
  if (existsSync(path)) return;
  throw new CommandError(`There is no data directory ${path}; name it with --data.`, {
    exit: 'not_found',
  });
}
