import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { CommandError } from '../base/errors.ts';
import { messageOf } from '../base/unknown-error.ts';
import { applyFile, inOrder, type Applied } from '../configuration/apply.ts';
import { readConfigurationFile } from '../configuration/file.ts';
import type { FileProblem } from '../configuration/finding.ts';
import type { Database } from '../configuration/schema.ts';
import { readUtf8 } from '../configuration/utf8.ts';

/** What an accepted file came to. */
export type AppliedFile = Extract<Applied, { ok: true }>;

/**
 * Brings the store to what a file on disk says.
 *
 * @param file its path; messages show it as it is given.
 * @throws CommandError with one line for every problem of the file, of which then nothing was
 *   applied: `FILE:LINE path: message`.
 */
export async function applyConfigurationFile(
  db: Kysely<Database>,
  file: string,
): Promise<AppliedFile> {
  const result = await applyFile(db, await readConfigurationText(file));
  if (!result.ok) throw refusal(file, result.problems);
  return result;
}

/**
 * Looks whether a file can be read and is sound in itself, before anything of a node is there. What it
 * says against the store's content is found when it is applied.
 *
 * @throws CommandError as `applyConfigurationFile` does.
 */
export async function checkConfigurationFile(file: string): Promise<void> {
  const { problems } = readConfigurationFile(await readConfigurationText(file));
  if (problems.length > 0) throw refusal(file, inOrder(problems));
}

function refusal(file: string, problems: readonly FileProblem[]): CommandError {
  return new CommandError(problems.map((problem) => describeInFile(file, problem)).join('\n'));
}

/** A problem or a note of a file, in the form that editors and terminals make a link of. */
export function describeInFile(
  file: string,
  { line, path, message }: Pick<FileProblem, 'line' | 'path' | 'message'>,
): string {
  return `${file}:${line} ${path === '' ? '' : `${path}: `}${message}`;
}

/**
 * The text of a configuration file; `-` is the standard input.
 *
 * @throws CommandError when it cannot be read, or is not UTF-8: then with the place.
 */
export async function readConfigurationText(file: string): Promise<string> {
  const read = readUtf8(await readBytes(file));
  if ('text' in read) return read.text;
  throw new CommandError(describeInFile(file, read.problem));
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === '-' ? readFileSync(0) : await readFile(file);
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(`The configuration file ${file} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}
