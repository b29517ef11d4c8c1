import { existsSync } from 'node:fs';
import { CommandError } from '../base/errors.ts';

/**
 * For commands that work on what a node has written, and make nothing themselves.
 *
 * @param call what asks a server for the same, such as `GET /creatives/`; null where nothing does.
 * @throws CommandError when there is no such directory.
 */
export function assertDataDirectory(path: string, call: string | null = null): void {
  if (existsSync(path)) return;
  const remote = call === null ? '' : ` ${askServer(call)}`;
  throw new CommandError(`There is no data directory ${path}; name it with --data.${remote}`, {
    exit: 'not_found',
  });
}

/** The way of who has no data directory at hand, but has signed in at a server. */
export function askServer(call: string): string {
  return `A server that you are signed in at is asked with rialto api ${call}.`;
}
