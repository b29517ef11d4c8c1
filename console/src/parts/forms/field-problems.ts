import type { ApiProblem } from '../../api/problem.ts';

/**
 * What a server refused, to be shown where it belongs: `at('/capping/max_qps')` beside that field,
 * and `rest` what belongs to no field of the form.
 */
export class FieldProblems {
  readonly #problems: ReadonlyMap<string, string>;
  readonly #shown = new Set<string>();
  readonly #message: string | null;
  readonly #waitSeconds: number | null;

  constructor(problem: ApiProblem | null) {
    this.#message = problem?.message ?? null;
    this.#waitSeconds = problem?.retryAfterSeconds ?? null;
    this.#problems = new Map(problem?.problems.map(({ pointer, message }) => [pointer, message]));
  }

  /** What is wrong with the field at a JSON pointer, or below it; undefined for nothing. */
  at(pointer: string): string | undefined {
    const found = [...this.#problems].filter(
      ([each]) => each === pointer || each.startsWith(`${pointer}/`),
    );
    for (const [each] of found) this.#shown.add(each);
    return found.length === 0 ? undefined : found.map(([, message]) => message).join('; ');
  }

  /** What no field has shown: call it after all fields. */
  rest(): readonly string[] {
    if (this.#message === null) return [];
    const unshown = [...this.#problems].filter(([pointer]) => !this.#shown.has(pointer));
    if (unshown.length > 0) return unshown.map(([pointer, message]) => `${pointer} ${message}`);
    if (this.#problems.size > 0) return [];
    const wait = this.#waitSeconds === null ? '' : ` Try again in ${this.#waitSeconds} s.`;
    return [`${this.#message}${wait}`];
  }
}
