const SHOWN_MAX = 80;

/**
 * A name that somebody chose, for a sentence of ours: whichever way it is written, it turns nothing
 * but itself around (Unicode Bidirectional Algorithm, "Explicit Directional Isolates"), and a long one
 * leaves room for the sentence.
 */
export function isolated(name: string): string {
  const shown = name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name;
  return `\u2068${shown}\u2069`;
}
