import { isJsonObject, type Json, type JsonObject } from '../../openapi/plain-schema.ts';

/** Reads an OpenAPI document, in which any member may be missing. */
export class DocumentReader {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  get root(): JsonObject {
    return this.#root;
  }

  /** What a reference leads to; the object itself where it is none. */
  follow(object: JsonObject): JsonObject {
    const ref = object['$ref'];
    if (typeof ref !== 'string') return object;
    let value: Json = this.#root;
    for (const name of ref.split('/').slice(1)) value = objectAt({ value }, 'value')[name] ?? null;
    return isJsonObject(value) ? value : {};
  }
}

/** The name at the end of a reference to a schema; null for what is none. */
export function schemaName(schema: JsonObject): string | null {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (ref.split('/').at(-1) ?? null) : null;
}

export function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** The objects of a list. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a list. */
export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The members of an object that are objects themselves. */
export function members(object: JsonObject): readonly [string, JsonObject][] {
  return Object.entries(object).flatMap(([key, value]): [string, JsonObject][] =>
    isJsonObject(value) ? [[key, value]] : [],
  );
}
