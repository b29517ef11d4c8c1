/** One file of the tree: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  /** Empty for a file that is not text: such a file counts for its path alone. */
  readonly text: string;
}

/** One breach of a house rule. `line` counts from 1. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/**
 * A house rule: a pure function from the whole tree to every breach of it, so that a test can plant
 * one without touching a disk.
 */
export type Rule = (
  files: readonly SourceFile[],
) => readonly Violation[] | Promise<readonly Violation[]>;

/** Whether the path is a TypeScript module, declarations and console pages included. */
export function isModule(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** Whether the path is a test that stands beside its file. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** The line, from 1, on which the character at `offset` stands. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
