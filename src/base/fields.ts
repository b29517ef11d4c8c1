/**
 * A field of its own where there is a value, for spreading into an object that must not carry unset
 * fields.
 */
export function definedField<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [Key in Name]?: NonNullable<Value> } {
  const field: { [Key in Name]?: NonNullable<Value> } = {};
  if (value !== null && value !== undefined) field[name] = value;
  return field;
}

/** A list as a field of its own; none when it is empty, because leaving it out says the same. */
export function listField<Name extends string, Item>(
  name: Name,
  items: readonly Item[] | undefined,
): { [Key in Name]?: Item[] } {
  const field: { [Key in Name]?: Item[] } = {};
  if (items !== undefined && items.length > 0) field[name] = [...items];
  return field;
}

/** The named fields of an object that have a value; none of an object that is not there. */
export function pickFields<Source extends object, Name extends keyof Source>(
  source: Source | undefined,
  names: readonly Name[],
): { [Key in Name]?: NonNullable<Source[Key]> } {
  const picked: { [Key in Name]?: NonNullable<Source[Key]> } = {};
  if (source === undefined) return picked;
  for (const name of names) {
    const value = source[name];
    if (value !== null && value !== undefined) picked[name] = value;
  }
  return picked;
}

/** An own field of what may be an object; inherited ones are nobody's. */
export function ownField(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name))
    return undefined;
  return Reflect.get(holder, name);
}

/** The object, unless all of its fields are unset. */
export function unlessEmpty<Shape extends object>(object: Shape): Shape | undefined {
  for (const value of Object.values(object)) if (value !== undefined) return object;
  return undefined;
}
