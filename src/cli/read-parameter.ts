import { CommandError } from '../base/errors.ts';

/**
 * Reads `NAME=VALUE`, as `--query` and `--filter` take it.
 *
 * @throws CommandError when it is none.
 */
export function readParameter(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandError(`"${text}" is no parameter: give NAME=VALUE.`, { exit: 'usage' });
}
