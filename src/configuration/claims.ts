import { showPath, showValue, type Finding, type Path } from './finding.ts';

/**
 * What may stand in a file only once: ids, e-mail addresses, client ids, tokens. They are claimed
 * as they stand, also by a resource whose other keys are not sound, so that a second use is found
 * and a reference to it is not called dangling.
 */
export class Claims {
  readonly findings: Finding[] = [];
  readonly #paths = new Map<string, Map<unknown, Path>>();

  /** @param isSecret the value is kept out of the message. */
  claim(kind: string, value: unknown, path: Path, isSecret = false): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    let paths = this.#paths.get(kind);
    if (paths === undefined) {
      paths = new Map();
      this.#paths.set(kind, paths);
    }
    const first = paths.get(value);
    if (first === undefined) {
      paths.set(value, path);
      return;
    }
    const shown = isSecret ? '' : ` ${showValue(value)}`;
    this.findings.push({ path, message: `repeats the ${kind}${shown} of ${showPath(first)}` });
  }

  /** Every value of a kind that was claimed. */
  of(kind: string): ReadonlySet<unknown> {
    return new Set(this.#paths.get(kind)?.keys());
  }
}
