/** What was thrown, in words: anything may be. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the system gave this code to what was thrown, such as `EEXIST`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether a file or directory was not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
