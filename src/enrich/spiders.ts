import crawlers from 'crawler-user-agents';
import { messageOf } from '../base/unknown-error.ts';
import { readListFile, type ReadLine } from './list-file.ts';

/** Whether a user agent names itself a spider. */
export type IsSpider = (ua: string) => boolean;

/** Characters of a pattern; those of the installed list have below 80. */
const PATTERN_LENGTH_MAX = 512;

/** The library that apps of Android ask with: it says nothing of who is in front of the device. */
const NO_SPIDERS: ReadonlySet<string> = new Set(['okhttp']);

/** The spiders, monitors, previewers and programs of the installed list. */
export function installedSpiders(): IsSpider {
  const patterns = crawlers.map(({ pattern }) => pattern);
  return recogniser(patterns.filter((pattern) => !NO_SPIDERS.has(pattern)));
}

/**
 * Reads a list of patterns, one a line: regular expressions of JavaScript that tell capitals from
 * small letters, found anywhere in the user agent.
 *
 * @throws CommandError when the file cannot be read, or a line is no pattern.
 */
export async function readSpiderList(path: string): Promise<IsSpider> {
  return recogniser(await readListFile('list of spiders', path, readPattern));
}

function readPattern(line: string): ReadLine<string> {
  if (line.length > PATTERN_LENGTH_MAX) {
    return { ok: false, fault: `is longer than ${PATTERN_LENGTH_MAX} characters` };
  }
  try {
    const matchesAll = new RegExp(line).test('');
    return matchesAll
      ? { ok: false, fault: `"${line}" matches every user agent` }
      : { ok: true, entry: line };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, fault: `is no regular expression: ${reason}` };
  }
}

/** One expression for all: the engine then reads a user agent once. */
function recogniser(patterns: readonly string[]): IsSpider {
  const any = new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'));
  return (ua) => any.test(ua);
}
