/** For property tests of an HTTP interface: requests made from its OpenAPI document. */
import fc from 'fast-check';
import {
  isJsonObject,
  jsonText,
  type Json,
  type JsonObject,
} from '../../src/openapi/plain-schema.ts';
import { anyJson, damaged } from './schema-arbitrary.ts';
import { anyCharacter } from './any-character.ts';

/** An operation with every reference replaced by what it leads to. */
export interface ApiOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  /** Schema and example by content type. */
  readonly body: Readonly<Record<string, JsonObject>>;
  readonly responses: Readonly<Record<string, JsonObject>>;
}

/** A request as it is sent. */
export interface ApiRequest {
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The operations of a document. */
export function operationsOf(document: JsonObject): readonly ApiOperation[] {
  return entriesOf(document['paths']).flatMap(([path, item]) =>
    entriesOf(item).map(([method, raw]) => {
      const operation = objectOf(inline(raw, document));
      return {
        id: nameAt(operation, 'operationId'),
        method: methodOf(method),
        path,
        parameters: listOf(operation['parameters']),
        body: Object.fromEntries(entriesOf(objectOf(operation['requestBody'])['content'])),
        responses: Object.fromEntries(entriesOf(operation['responses'])),
      };
    }),
  );
}

/** Requests right and wrong. @param ids the values that parameters of the path may have. */
export function requestOf(
  operation: ApiOperation,
  ids: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<ApiRequest> {
  return fc
    .record({ path: pathOf(operation, ids), query: queryOf(operation), sent: sentOf(operation) })
    .map(({ path, query, sent: [type, body] }) => ({
      url: `${path}${query === '' ? '' : `?${query}`}`,
      headers: type === null ? {} : { 'content-type': type },
      body,
    }));
}

const NAUGHTY: readonly string[] = [
  '',
  '0',
  '-1',
  '1e400',
  '99999999999999999999',
  '9007199254740993',
  'null',
  '__proto__',
  'constructor',
  '%00',
  'a\u0000b',
  '\ud800',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '${jndi:ldap://x}',
  '../../etc/passwd',
  'مرحبا 👩‍👩‍👧‍👦 \u202e',
  '2026-02-30',
  '2026-02-30T25:61:00Z',
  'x'.repeat(5_000),
];

const naughtyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

function pathOf(
  { path, parameters }: ApiOperation,
  ids: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  const names = parameters
    .filter(({ in: place }) => place === 'path')
    .map((parameter) => nameAt(parameter, 'name'));
  const values = names.map((name) => {
    const known = ids[name] ?? ['1'];
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...known) },
      // An empty part is another path.
      { weight: 1, arbitrary: naughtyText.filter((text) => !/^\.{0,2}$/.test(text)) },
    );
  });
  return fc.tuple(...values).map((chosen) => {
    let filled = path;
    for (const [index, name] of names.entries()) {
      filled = filled.replace(`{${name}}`, () => encoded(chosen[index] ?? ''));
    }
    return filled;
  });
}

function queryOf({ parameters }: ApiOperation): fc.Arbitrary<string> {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const pairs = inQuery.map((parameter) =>
    fc.tuple(
      fc.constant(nameAt(parameter, 'name')),
      fc.oneof(
        ...exampleOf(parameter),
        { weight: 4, arbitrary: valueOf(objectOf(parameter['schema'])).map(queryText) },
        { weight: 1, arbitrary: naughtyText },
      ),
    ),
  );
  const foreign = fc.tuple(fc.constantFrom('zz', '__proto__', 'limit', 'sort'), naughtyText);
  const required = inQuery
    .map((parameter, index) => (parameter['required'] === true ? pairs[index] : undefined))
    .filter((pair) => pair !== undefined);
  // One that comes twice is a duplicate.
  const some =
    pairs.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...pairs), { maxLength: 3 });
  const odd = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(foreign, { maxLength: 2 }) },
  );
  const mixed = fc.tuple(fc.tuple(...required), some, odd).map((parts) => parts.flat());
  const shown = inQuery.flatMap((parameter): [string, string][] => {
    const { example } = parameter;
    return typeof example === 'string' ? [[nameAt(parameter, 'name'), brought(example)]] : [];
  });
  const query = shown.length === 0 ? mixed : fc.oneof(mixed, fc.constant(shown));
  return query.map((pairsOfIt) =>
    pairsOfIt.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'),
  );
}

/** Where an operation needs its query, a good one comes often enough to be answered. */
function exampleOf({ example }: JsonObject): fc.WeightedArbitrary<string>[] {
  if (typeof example !== 'string') return [];
  return [{ weight: 20, arbitrary: fc.constant(brought(example)) }];
}

/** An example whose days and months are those of now: what is asked for has to be recent. */
export function brought(example: string): string {
  const now = new Date().toISOString();
  return example
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, now.slice(0, 'YYYY-MM-DD'.length))
    .replaceAll(/\b\d{4}-\d{2}(?!-)\b/g, now.slice(0, 'YYYY-MM'.length));
}

/** Larger than any body that is accepted. */
const BODY_BYTES_BEYOND = 1_100_000;

function sentOf({
  method,
  body,
}: ApiOperation): fc.Arbitrary<readonly [type: string | null, body: string | undefined]> {
  if (method === 'GET') return fc.constant([null, undefined] as const);
  const forms = Object.entries(body);
  const right = forms.map(([type, content]) => {
    const schema = objectOf(content['schema']);
    const example = fc.constant<unknown>(content['example']);
    const value = fc.oneof(
      example,
      valueOf(schema),
      damaged(fc.oneof(example, valueOf(schema))),
      anyJson,
    );
    return value.map((each): readonly [string, string] => [type, bodyText(type, each)]);
  });
  const wrong = fc.tuple(
    fc.constantFrom(
      'application/json',
      'text/plain',
      'text/xml',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      '',
    ),
    fc.oneof(
      fc.constantFrom(
        '',
        '{',
        '{"a":',
        '[1,]',
        '{"a":1}x',
        '\ufeff{}',
        '{"__proto__":{"a":1}}',
        '{"a":1,"a":2}',
        '"\\ud800"',
        '['.repeat(20_000),
        '1e400',
        ' '.repeat(BODY_BYTES_BEYOND),
      ),
      naughtyText,
    ),
  );
  const none = fc.constant([null, undefined] as const);
  if (right.length === 0)
    return fc.oneof({ weight: 6, arbitrary: none }, { weight: 1, arbitrary: wrong });
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...right) },
    { weight: 2, arbitrary: wrong },
    { weight: 1, arbitrary: none },
  );
}

function bodyText(type: string, value: unknown): string {
  if (typeof value === 'string' && !/[/+]json\b/.test(type)) return brought(value);
  if (type !== 'application/x-www-form-urlencoded') return JSON.stringify(value) ?? 'undefined';
  const pairs = Object.entries(Object(value)).map(([name, each]) => [name, String(each)]);
  return new URLSearchParams(pairs).toString();
}

/** Half of all numbers with the six decimals that amounts of money may have. */
function orInMicros(value: number): number {
  const rounded = Math.round(value * 1e6) / 1e6;
  return rounded % 2 < 1 ? rounded : value;
}

/** Any value that a schema allows, with short texts and lists; formats and refinements may be missed. */
export function valueOf(schema: JsonObject): fc.Arbitrary<unknown> {
  const { const: constant, enum: choice, anyOf, type, pattern } = schema;
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(choice)) return fc.constantFrom<unknown>(...choice);
  if (Array.isArray(anyOf)) return fc.oneof(...listOf(anyOf).map(valueOf));
  const types = Array.isArray(type) ? type.map(String) : [typeof type === 'string' ? type : 'any'];
  const bounds = {
    min: numberOf(schema['minimum'], -1_000),
    max: numberOf(schema['maximum'], 1_000_000),
  };
  return fc.oneof(
    ...types.map((each): fc.Arbitrary<unknown> => {
      switch (each) {
        case 'null':
          return fc.constant(null);
        case 'boolean':
          return fc.boolean();
        case 'integer':
          return fc.integer({ min: Math.ceil(bounds.min), max: Math.min(bounds.max, 2 ** 31 - 1) });
        case 'number':
          return fc.double({ ...bounds, noNaN: true }).map(orInMicros);
        case 'string':
          return textOf(schema, typeof pattern === 'string' ? pattern : null);
        case 'array':
          return fc.array(valueOf(objectOf(schema['items'])), {
            minLength: numberOf(schema['minItems'], 0),
            maxLength: Math.max(3, numberOf(schema['minItems'], 0)),
          });
        case 'object':
          return recordOf(schema);
        default:
          return anyJson;
      }
    }),
  );
}

function textOf(schema: JsonObject, pattern: string | null): fc.Arbitrary<string> {
  const words = fc.constantFrom(
    'US',
    'en',
    'IAB1',
    'https://one.example/path',
    'one.example',
    'Name',
    'ä 👩 x',
    '320x50',
    '1001',
  );
  const any = fc.oneof(
    words,
    fc.string({ unit: 'grapheme', minLength: numberOf(schema['minLength'], 0), maxLength: 12 }),
  );
  // What the generator cannot read of an expression is left to the words.
  if (pattern === null || pattern.includes('\\p')) return any;
  return fc.oneof(fc.stringMatching(new RegExp(pattern)), any);
}

function recordOf(schema: JsonObject): fc.Arbitrary<unknown> {
  const fields = entriesOf(schema['properties']).map(
    ([name, inner]) => [name, valueOf(inner)] as const,
  );
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** The value with every reference in it replaced; schemas of an interface do not refer to themselves. */
function inline(value: Json, document: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inline(item, document));
  if (!isJsonObject(value)) return value;
  const ref = value['$ref'];
  if (typeof ref === 'string') {
    let target: Json = document;
    for (const name of ref.split('/').slice(1)) target = objectOf(target)[name] ?? null;
    if (target === null) throw new Error(`${ref} leads nowhere`);
    return inline(target, document);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, inline(each, document)]),
  );
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryText).join(',');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Half of a surrogate pair has no encoding: what stands for it is sent. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function methodOf(method: string): ApiOperation['method'] {
  const known = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
  const found = known.find((each) => each === method.toUpperCase());
  if (found === undefined) throw new Error(`${method} is no method of an interface`);
  return found;
}

function nameAt(object: JsonObject, key: string): string {
  return jsonText(object[key] ?? '');
}

function numberOf(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function entriesOf(value: Json | undefined): readonly [string, JsonObject][] {
  return Object.entries(objectOf(value)).map(([key, each]) => [key, objectOf(each)]);
}
