import type { TSchema } from 'typebox';
import { definedField } from '../base/fields.ts';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Keywords whose value is a schema, a list of schemas, and a map of schemas. */
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'contains']);
const SEVERAL: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/**
 * A TypeBox schema as JSON Schema 2020-12 and nothing else: what the library keeps for itself is
 * gone, a choice of constants is an `enum`, and "or null" stands in `type` where it can.
 */
export function plainSchema(schema: TSchema): JsonObject {
  // Symbols, functions and the library's hidden keys are no JSON.
  const plain: JsonObject = JSON.parse(JSON.stringify(schema));
  return simplify(plain);
}

/** Replaces every schema inside one, from the inside out; not the schema itself. */
export function mapInside(
  schema: JsonObject,
  replace: (inner: JsonObject) => JsonObject,
): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (ONE.has(key) && isJsonObject(value)) return [key, replace(value)];
    if (SEVERAL.has(key) && Array.isArray(value)) {
      return [key, value.map((item: Json) => (isJsonObject(item) ? replace(item) : item))];
    }
    if (!NAMED.has(key) || !isJsonObject(value)) return [key, value];
    const named = Object.entries(value).map(([name, item]): [string, Json] => [
      name,
      isJsonObject(item) ? replace(item) : item,
    ]);
    return [key, Object.fromEntries(named)];
  });
  return Object.fromEntries(entries);
}

/** As people write it in an address or a form: a text as it is, everything else as JSON. */
export function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function simplify(schema: JsonObject): JsonObject {
  const shown = Object.entries(schema).filter(([key]) => !key.startsWith('~'));
  const inside = mapInside(Object.fromEntries(shown), simplify);
  const { anyOf, ...rest } = inside;
  if (!Array.isArray(anyOf)) return withFormat(withType(inside));
  const members = anyOf.filter(isJsonObject);
  const others = members.filter((member) => member['type'] !== 'null');
  const isNullable = others.length < members.length;
  const chosen = others.length === 1 ? others[0] : constants(others);
  if (chosen === undefined) return inside;
  // What is said of the whole wins over what is said of the member.
  return { ...(isNullable ? orNull(chosen) : chosen), ...rest };
}

/** A choice says of which type its values are: generators of clients go by it. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values, type, ...rest } = schema;
  if (!Array.isArray(values) || type !== undefined) return schema;
  const types = [...new Set(values.map(typeOf))];
  const [only] = types;
  return { type: types.length === 1 && only !== undefined ? only : types, enum: values, ...rest };
}

/** Beyond this an integer counts or names something, and grows. */
const SMALL_MAX = 1_000_000;

/** How large a number may be: generators of clients take 32 bits where nothing is said. */
function withFormat(schema: JsonObject): JsonObject {
  const { type, maximum, format, enum: values } = schema;
  if (format !== undefined || values !== undefined) return schema;
  if (type === 'number') return { ...schema, format: 'double' };
  if (type !== 'integer' || Number(maximum ?? Infinity) <= SMALL_MAX) return schema;
  return { ...schema, format: 'int64' };
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A choice of constants of one type as one `enum`. */
function constants(members: readonly JsonObject[]): JsonObject | undefined {
  const values = members.map((member) => member['const']);
  const [type] = members.map((member) => member['type']);
  const isChoice = members.every(
    (member) => member['const'] !== undefined && member['type'] === type && type !== undefined,
  );
  if (!isChoice || members.length === 0) return undefined;
  return { type: type ?? null, enum: values.filter((value) => value !== undefined) };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, const: value, ...rest } = schema;
  // What has a name is referred to, with null beside it.
  if (typeof schema['title'] === 'string') return { anyOf: [schema, { type: 'null' }] };
  const choice = value === undefined ? values : [value];
  // Generators of clients that write constants for a choice cannot write one for null.
  if (Array.isArray(choice)) {
    return {
      anyOf: [withType({ enum: choice, ...definedField('type', type) }), { type: 'null' }],
      ...rest,
    };
  }
  if (typeof type === 'string') return { type: [type, 'null'], ...rest };
  return { anyOf: [schema, { type: 'null' }] };
}
