/**
 * One thing that is wrong with a document: where, and what would be right.
 * `pointer` is a JSON pointer (RFC 6901) into the document; the empty string means the whole of it.
 */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
  /** Where it stands in the text of a configuration file, both counted from 1; else not there. */
  readonly line?: number;
  readonly column?: number;
}

/** Joins the segments of a path into a JSON pointer, escaped as RFC 6901 section 3 says. */
export function jsonPointer(...segments: readonly (string | number)[]): string {
  let pointer = '';
  for (const segment of segments) {
    const isPlain = typeof segment === 'number' || !SPECIAL.test(segment);
    pointer += isPlain ? `/${segment}` : `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}

const SPECIAL = /[~/]/;

/** All problems in one line, for logs and traces. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; ');
}

/** Either a value that passed every check, or every problem that was found. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };
