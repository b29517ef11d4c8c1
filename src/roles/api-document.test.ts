import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import Type from 'typebox';
import { schemaOf } from '../../test/support/api-checks.ts';
import { operationsOf } from '../../test/support/api-requests.ts';
import { allEndpoints } from '../management/all-endpoints.ts';
import { NO_BODY, NO_QUERY, type Endpoint } from '../management/endpoint.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { isJsonObject, jsonText, type Json } from '../openapi/plain-schema.ts';
import { apiDocument } from './api-document.ts';

/** Every object of the document, with the keys that lead to it. */
function* objectsOf(value: Json, path: readonly string[] = []): Generator<[string, Json]> {
  yield [path.join('/'), value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* objectsOf(each, [...path, key]);
}

/** What is wrong with a document that its readers would stumble over. */
function faultsOf(document: OpenApiDocument): string[] {
  const faults: string[] = [];
  for (const [path, value] of objectsOf(document)) {
    if (path.split('/').some((key) => key.startsWith('~'))) faults.push(`${path} is no keyword`);
    if (isJsonObject(value) && path.endsWith('/content') && Object.keys(value).length === 0) {
      faults.push(`${path} is empty`);
    }
  }
  faults.push(...schemaFaultsOf(document));
  const operations = operationsOf(document);
  const ids = operations.map(({ id }) => id);
  faults.push(
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
  );
  for (const { id, path, parameters, body, responses } of operations) {
    const declared = parameters
      .filter((each) => each['in'] === 'path')
      .map(({ name }) => jsonText(name ?? ''));
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    if (declared.join() !== named.join()) faults.push(`${id} declares ${declared.join()}`);
    const contents = [body, ...Object.values(responses).map(({ content = {} }) => content)];
    for (const each of contents) faults.push(...exampleFaults(id, each));
    for (const parameter of parameters) {
      const isRight = Compile(schemaOf(parameter['schema'])).Check(parameter['example']);
      if (parameter['required'] === true && !isRight) {
        faults.push(`${id}: the example of ${jsonText(parameter['name'] ?? '')} breaks its schema`);
      }
    }
  }
  return faults;
}

/** What foreign readers of schemas and generators of clients stumble over. */
function schemaFaultsOf(document: OpenApiDocument): string[] {
  const faults: string[] = [];
  const titled = new Map<string, string>();
  for (const [path, value] of objectsOf(document)) {
    if (!isJsonObject(value) || /\/examples?(\/|$)/.test(path)) continue;
    const { title, pattern, type } = value;
    if (Array.isArray(value['enum']) && type === undefined) faults.push(`${path}: no type`);
    if (typeof pattern === 'string' && /\\[pP]\{/.test(pattern)) faults.push(`${path}: ${pattern}`);
    const isSchema = type !== undefined || value['anyOf'] !== undefined;
    if (typeof title !== 'string' || !isSchema) continue;
    const other = titled.get(title);
    if (other !== undefined) faults.push(`${path} and ${other} are both “${title}”`);
    titled.set(title, path);
  }
  return faults;
}

function exampleFaults(id: string, contents: Json): string[] {
  const faults: string[] = [];
  for (const [type, content] of Object.entries(isJsonObject(contents) ? contents : {})) {
    const { schema, example, examples = {} } = isJsonObject(content) ? content : {};
    const validator = Compile(schemaOf(schema));
    const several = Object.values(isJsonObject(examples) ? examples : {});
    const shown = several.map((each) => (isJsonObject(each) ? each['value'] : undefined));
    if (example !== undefined) shown.push(example);
    if (shown.length === 0) faults.push(`${id} has no example of its ${type}`);
    for (const each of shown) {
      if (!validator.Check(each)) faults.push(`${id}: an example of ${type} breaks its schema`);
    }
  }
  return faults;
}

test('the document can be read: references lead somewhere, and each operation has examples that its schemas accept', async () => {
  const document = apiDocument(await allEndpoints());
  assert.equal(document['openapi'], '3.1.0');
  assert.deepEqual(faultsOf(document), []);
});

/** Endpoints of other shapes than those that there are. */
function anEndpoint(differs: Partial<Endpoint>): Endpoint {
  return {
    id: 'getThing',
    method: 'GET',
    path: '/things/:thing_id',
    tag: 'Things',
    summary: 'Get a thing',
    roles: ['publisher'],
    query: NO_QUERY,
    body: NO_BODY,
    answer: { status: 200, meaning: 'a thing', schema: Type.String(), example: 'a' },
    ...differs,
  };
}

test('an empty answer, a question by POST, a foreign content type and a recurring schema are described', () => {
  const Thing = Type.Object({ a: Type.Union([Type.Integer(), Type.Null()]) }, { title: 'Thing' });
  const answer = {
    status: 200,
    meaning: 'things',
    also: { status: 201, meaning: 'new things' },
    schema: Type.Array(Thing),
    example: [{ a: null }],
  } as const;
  const document = apiDocument([
    anEndpoint({
      id: 'askThings',
      method: 'POST',
      scope: 'read',
      path: '/things/ask',
      query: Type.Object({ of: Type.Integer({ minimum: 1 }), to: Type.Optional(Type.String()) }),
      body: { schema: Thing, example: { a: 1 } },
      answer,
      errors: ['analytics_unavailable', 'not_found'],
    }),
    anEndpoint({
      id: 'dropThing',
      method: 'DELETE',
      answer: { status: 204, meaning: 'gone', schema: null },
    }),
    anEndpoint({
      answer: {
        status: 200,
        meaning: 'text',
        schema: Type.String(),
        type: 'text/plain',
        example: 'a',
      },
    }),
    anEndpoint({
      id: 'countThings',
      method: 'POST',
      path: '/things/count',
      query: Type.Object({ of: Type.String() }),
      queryExample: { of: 'a' },
      body: { schema: Type.String(), type: 'text/csv', example: 'a,b' },
      answer: { ...answer, asText: { type: 'text/csv', example: 'a' } },
    }),
  ]);
  const [ask, drop, get, count] = operationsOf(document).filter(({ path }) =>
    path.startsWith('/api/'),
  );
  assert.deepEqual(
    ask?.parameters.map(({ name, required }) => [name, required]),
    [
      ['of', true],
      ['to', false],
    ],
  );
  assert.deepEqual(Object.keys(ask?.responses ?? {}), [
    '200',
    '201',
    '400',
    '401',
    '403',
    '404',
    '405',
    '413',
    '415',
    '429',
    '503',
  ]);
  assert.deepEqual(Object.keys(ask?.body ?? {}), ['application/json']);
  assert.equal(drop?.responses['204']?.['content'], undefined);
  assert.deepEqual(drop?.body, {});
  assert.deepEqual(Object.keys(Object(get?.responses['200']?.['content'])), ['text/plain']);
  assert.equal(count?.parameters[0]?.['example'], 'a');
  assert.deepEqual(Object.keys(count.body), ['text/csv']);
  const forms = Object(count.responses['200']?.['content']);
  assert.deepEqual(Object.keys(forms), ['application/json', 'text/csv']);
  assert.deepEqual(forms['text/csv'], { schema: { type: 'string' }, example: 'a' });
  const text = JSON.stringify(document);
  assert.equal(text.split('{"$ref":"#/components/schemas/Thing"}').length, 6);
  assert.match(
    text,
    /"Thing":\{"type":"object","required":\["a"\],"properties":\{"a":\{"type":\["integer","null"\],"format":"int64"\}\}/,
  );
  assert.match(
    text,
    /"security":\[\{"accessToken":\["read"\]\},\{"session":\[\],"csrfToken":\[\]\}\]/,
    'what only asks needs the token too, if it is a POST',
  );
});

test('what a reader would stumble over is found: a missing example, one that breaks its schema, an id that is used twice', () => {
  const wrong = { status: 200, meaning: 'a thing', schema: Type.Integer(), example: 'a' } as const;
  const none = { status: 200, meaning: 'a thing', schema: Type.Integer() } as const;
  const faults = faultsOf(
    apiDocument([anEndpoint({ answer: wrong }), anEndpoint({ path: '/thing', answer: none })]),
  );
  assert.deepEqual(faults, [
    'getThing is there twice',
    'getThing: an example of application/json breaks its schema',
    'getThing has no example of its application/json',
  ]);
});
