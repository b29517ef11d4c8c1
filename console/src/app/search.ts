/** Readers of what an address says after its question mark; whoever typed it may have mistyped. */

/** A text; undefined where there is none. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A whole number from 0; undefined for all else. */
export function whole(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** A UTC day as YYYY-MM-DD; undefined for all else. */
export function day(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;
}

/** One of the texts that are allowed. */
export function oneOf<Text extends string>(
  allowed: readonly Text[],
  value: unknown,
): Text | undefined {
  return allowed.find((each) => each === value);
}

/** The search without what is undefined: `exactOptionalPropertyTypes` and short addresses want it so. */
export function given<Search extends object>(search: Search): Given<Search> {
  // JSON leaves out what is undefined, and addresses hold nothing that it has no form for.
  return JSON.parse(JSON.stringify(search));
}

type Given<Search> = { [Key in keyof Search]?: Exclude<Search[Key], undefined> };
