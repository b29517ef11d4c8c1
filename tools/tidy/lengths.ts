import { isModule, type SourceFile, type Violation } from './source.ts';

/** STYLE: aim below 200 lines; above 500 a file holds more than one concept. */
export const LINES_MAX = 500;

/** Files that a tool writes: nobody reads them from top to bottom. */
const GENERATED: readonly string[] = [];

/** No module is longer than LINES_MAX; an exemption that is no longer needed is a violation too. */
export function lengths(
  files: readonly SourceFile[],
  generated: readonly string[] = GENERATED,
): Violation[] {
  const tooLong = files
    .filter(({ path, text }) => isModule(path) && linesIn(text) > LINES_MAX)
    .map(({ path, text }) => ({ path, lines: linesIn(text) }));
  const faults = tooLong
    .filter(({ path }) => !generated.includes(path))
    .map(({ path, lines }) => ({
      path,
      line: LINES_MAX + 1,
      message: `${String(lines)} lines, at most ${String(LINES_MAX)}: split it by concept`,
    }));
  const stale = generated
    .filter((path) => !tooLong.some((file) => file.path === path))
    .map((path) => ({
      path,
      line: 1,
      message: 'needs no exemption from the length limit: take it out of tools/tidy/lengths.ts',
    }));
  return [...faults, ...stale];
}

function linesIn(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
