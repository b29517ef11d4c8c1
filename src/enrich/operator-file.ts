import { unwatchFile, watchFile } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { CommandError } from '../base/errors.ts';

/**
 * Reads a file that the operator's settings name.
 *
 * @param what what it is, as errors call it.
 * @throws CommandError when it is missing, unreadable, or larger than an exchange has room for.
 */
export async function readOperatorFile(
  what: string,
  path: string,
  bytesMax: number,
): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= bytesMax) return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    throw new CommandError(`${what} ${path} cannot be read${reason}`, { cause });
  }
  throw new CommandError(`${what} ${path} is larger than ${bytesMax / 1024 / 1024} MB`);
}

export interface FollowedFile<Content> {
  readonly path: string;
  /** Reads and checks the file. @throws CommandError when there is something wrong with it. */
  readonly load: (path: string) => Promise<Content>;
  /** Takes what was read, at start and whenever a sound file has taken the place of the last. */
  readonly take: (content: Content) => void;
  /** How often the file is looked at. */
  readonly intervalMs: number;
  readonly logger: Logger;
}

/**
 * Loads a file and goes on loading it whenever it is replaced or written anew. A file that is unsound
 * then, or gone, is told to the log, and what was loaded last stays. It is looked at from time to
 * time: notifications get lost on network file systems, and when a link is turned.
 *
 * Nor does it fail at the start: a process that is started again must serve, also where the file was
 * spoiled since. Whoever starts the node checks its files before.
 *
 * @returns what ends it.
 */
export async function followFile<Content>(file: FollowedFile<Content>): Promise<() => void> {
  const { path, load, take, intervalMs, logger } = file;
  let loading = reload();
  async function reload(): Promise<void> {
    try {
      take(await load(path));
      logger.info({ file: path }, 'file taken');
    } catch (error) {
      logger.error({ err: error, file: path }, 'a file was refused; what was known before stays');
    }
  }
  const changed = (): void => {
    loading = loading.then(reload);
  };
  watchFile(path, { interval: intervalMs, persistent: false }, changed);
  await loading;
  return () => unwatchFile(path, changed);
}
