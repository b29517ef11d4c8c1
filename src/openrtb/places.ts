import { isRecord } from './schema-node.ts';

type Json = Readonly<Record<string, unknown>>;
type Place = readonly string[];

/** What stands in a place of an object. */
export function valueAt(object: Json, place: Place): unknown {
  const name = place[0] ?? '';
  let value = object[name];
  for (let index = 1; index < place.length; index += 1) {
    const step = place[index];
    if (step === undefined || !isRecord(value)) return undefined;
    value = value[step];
  }
  return value;
}

/** A copy with nothing in the place, and without an extension that had nothing else. */
export function without(object: Json, [name = '', ...below]: Place): Json {
  const { [name]: holder, ...others } = object;
  if (below.length === 0 || !isRecord(holder)) return others;
  const rest = without(holder, below);
  return isEmpty(rest) ? others : { ...object, [name]: rest };
}

/** A field that is undefined is not there. */
export function isEmpty(object: Json): boolean {
  for (const name in object) if (object[name] !== undefined) return false;
  return true;
}

/**
 * A copy with the value in the place; undefined where an object on the way is missing. An extension is
 * made where it is missing.
 *
 * @param isMade whether other objects are made as well
 */
export function placed(
  object: Json,
  [name = '', ...below]: Place,
  { value, isMade }: { readonly value: unknown; readonly isMade: boolean },
): Json | undefined {
  if (below.length === 0) return { ...object, [name]: value };
  const holder = object[name] ?? (isMade || name === 'ext' ? {} : undefined);
  if (!isRecord(holder)) return undefined;
  const inner = placed(holder, below, { value, isMade });
  return inner === undefined ? undefined : { ...object, [name]: inner };
}
