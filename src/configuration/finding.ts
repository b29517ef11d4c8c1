/** Where something stands in a document: keys and positions in lists. */
export type Path = readonly (string | number)[];

/** One thing that is wrong with a resource, or worth knowing: where, what, what would be right. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** A finding about a configuration file, with the place in its text; both counted from 1. */
export interface FileProblem {
  /** As people write it: `demand_partners[0].line_items[1].floor`; empty for the whole file. */
  readonly path: string;
  /** The same as a JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** One line for a person to read. */
export function describeProblem({
  path,
  line,
  message,
}: Pick<FileProblem, 'path' | 'line' | 'message'>): string {
  return path === '' ? `line ${line}: ${message}` : `line ${line}: ${path} ${message}`;
}

/** Writes a path as people do; keys that are no plain words are quoted. */
export function showPath(path: Path): string {
  let shown = '';
  for (const segment of path) {
    if (typeof segment === 'number') shown += `[${segment}]`;
    else if (!/^[A-Za-z_][\w-]{0,63}$/.test(segment)) shown += `[${showValue(segment)}]`;
    else shown += shown === '' ? segment : `.${segment}`;
  }
  return shown;
}

/** Texts are cut here when a message shows what was found. */
const SHOWN_LENGTH_MAX = 60;

/** What was found, for a message: short, on one line, and without the password in an address. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return `a ${typeof value}`;
  const text = value.replace(/\/\/[^/]*@/, '//…@');
  return JSON.stringify(
    text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text,
  );
}

/** Enough for any file that a person wants to read the problems of. */
export const PROBLEMS_MAX = 1_000;

const MORE_PROBLEMS = 'There are more problems than are listed here.';

/** No more than anybody reads; then `more` says that there are more, once. */
export function someOf<P extends { readonly message: string }>(
  problems: readonly P[],
  more: P,
): readonly P[] {
  if (problems.length <= PROBLEMS_MAX) return problems;
  const others = problems.filter(({ message }) => message !== MORE_PROBLEMS);
  return [more, ...others.slice(0, PROBLEMS_MAX)];
}

export const MORE_FINDINGS: Finding = { path: [], message: MORE_PROBLEMS };

export const MORE_IN_FILE: FileProblem = {
  path: '',
  pointer: '',
  line: 1,
  column: 1,
  message: MORE_PROBLEMS,
};
