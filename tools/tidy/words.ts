import { mask } from './mask.ts';
import { prose } from './markdown.ts';
import { isModule, isTest, lineAt, type SourceFile, type Violation } from './source.ts';

/** Marks of unfinished work: an issue has an owner, a comment has none. */
const MARK = /\b(?:TODO|FIXME|XXX|HACK)\b/g;

/**
 * `test.only(`, `t.skip(`, and `{ todo: … }` as the options of a test: what would leave one out
 * without a word. Elsewhere a key of that name is data (`skip` is a field of OpenRTB's video).
 */
const LEFT_OUT =
  /\.\s*(?:only|skip|todo)\s*\(|(?<=\b(?:test|it|describe|suite)\s*\(\s*(?:(?:`[^`]*`|[^(){}`]*),\s*)?\{[^{}]*)\b(?:only|skip|todo)\s*:(?!\s*false\b)/g;

/** No mark of unfinished work in a comment or a document, no test left out or run alone. */
export function words(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => marks(file).concat(leftOut(file), unreadable(file)));
}

function marks(file: SourceFile): Violation[] {
  return find(file, commentsOf(file), MARK).map(({ line, found }) => ({
    path: file.path,
    line,
    message: `${found}: finish it, or open an issue and take the mark out`,
  }));
}

function leftOut(file: SourceFile): Violation[] {
  if (!isModule(file.path) || !runsTests(file)) return [];
  return find(file, mask(file.text).code, LEFT_OUT).map(({ line, found }) => ({
    path: file.path,
    line,
    message: `"${found}": every test runs, every time; delete one that is not wanted`,
  }));
}

/** A suite that several test files share is no test file itself. */
function runsTests({ path, text }: SourceFile): boolean {
  return isTest(path) || text.includes(`from 'node:test'`);
}

/** Where the reading of a module went astray, no rule has seen what follows. */
function unreadable(file: SourceFile): Violation[] {
  if (!file.path.endsWith('.ts')) return [];
  const { unterminatedAt } = mask(file.text);
  if (unterminatedAt === undefined) return [];
  const line = lineAt(file.text, unterminatedAt);
  return [{ path: file.path, line, message: 'tidy cannot read on: this literal never ends' }];
}

function commentsOf({ path, text }: SourceFile): string {
  if (isModule(path) || /\.[cm]?js$/.test(path)) return mask(text).comments;
  if (path.endsWith('.md')) return prose(text);
  return /\.(?:sql|ya?ml)$/.test(path) ? text : '';
}

function find(
  file: SourceFile,
  within: string,
  pattern: RegExp,
): { line: number; found: string }[] {
  return Array.from(within.matchAll(pattern), (match) => ({
    line: lineAt(file.text, match.index),
    found: match[0],
  }));
}
