/** The object under `key` of a parsed JSON value; empty if there is none. */
export function objectAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

/** Whether a parsed JSON value has keys. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
