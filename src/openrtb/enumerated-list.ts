/**
 * One enumerated list of the spec's section 2.22: its number, what it is about, and the meaning of
 * each value. The values themselves stand beside it as a const object.
 */
export interface EnumeratedList<Value extends number = number> {
  /** Number of the list in the spec, such as "5.21". */
  readonly section: string;
  readonly title: string;
  /** Value to meaning. */
  readonly meanings: Readonly<Record<Value, string>>;
}

/** The values of a list, ascending. */
export function listedValues(list: EnumeratedList): number[] {
  return Object.keys(list.meanings)
    .map(Number)
    .sort((a, b) => a - b);
}

/** What a value of a list means, or undefined if the list does not name it. */
export function meaningOf(list: EnumeratedList, value: number): string | undefined {
  return list.meanings[value];
}
