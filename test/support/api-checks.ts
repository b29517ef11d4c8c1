import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ERRORS } from '../../src/base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/openapi/plain-schema.ts';
import type { ApiOperation } from './api-requests.ts';

/** Holds the answers of one operation against what its description says of them. */
export class AnswerChecks {
  readonly #operation: ApiOperation;
  /** By status and content type, of the answers that came: compiling one costs as much as a request. */
  readonly #validators = new Map<string, Validator>();

  constructor(operation: ApiOperation) {
    this.#operation = operation;
  }

  /** @throws AssertionError for an answer that is not as described, and for every 5xx but that of an analytics store that is not open. */
  check({ statusCode: status, headers, body }: LightMyRequestResponse): void {
    const { id, responses } = this.#operation;
    const said = `${id} answers ${status} ${body.slice(0, 500)}`;
    const described = responses[String(status)];
    // Tests have no analytics store: what asks it is refused in these words, described or not.
    if (status === 503 && body.includes('"code":"analytics_unavailable"')) return;
    assert.ok(status < 500, said);
    assert.ok(described !== undefined, `${said}: a status that is not described`);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (contentsOf(described).length === 0) {
      assert.equal(body, '', `${said}: the answer is described as empty`);
      return;
    }
    const content = contentsOf(described).find(([each]) => each === type)?.[1];
    assert.ok(content !== undefined, `${said}: ${type} is not described`);
    const key = `${status} ${type}`;
    const validator = this.#validators.get(key) ?? Compile(schemaOf(content['schema']));
    this.#validators.set(key, validator);
    const value: unknown = /[/+]json\b/.test(type) ? JSON.parse(body) : body;
    assert.ok(
      validator.Check(value),
      `${said}: ${JSON.stringify(validator.Errors(value).slice(0, 3))}`,
    );
    if (type === 'application/problem+json') checkProblem(value, status, said);
    for (const name of Object.keys(headersOf(described))) {
      if (status >= 300) continue;
      const isAlways = name !== 'Link';
      if (isAlways) assert.ok(headers[name.toLowerCase()] !== undefined, `${said}: no ${name}`);
    }
  }
}

function checkProblem(value: unknown, status: number, said: string): void {
  const { code, errors, status: told } = Object(value);
  assert.equal(told, status, said);
  assert.equal(new Map(Object.entries(ERRORS)).get(code)?.status, status, said);
  if (status === 400) assert.ok(errors.length > 0, `${said}: what is wrong, and where?`);
}

/** A schema of a document, which is plain JSON. */
export function schemaOf(schema: Json | undefined): TSchema {
  return isJsonObject(schema) ? Type.Unsafe<unknown>({ ...schema }) : Type.Unknown();
}

function contentsOf(response: JsonObject): readonly [string, JsonObject][] {
  return membersOf(response['content']);
}

function headersOf(response: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(membersOf(response['headers']));
}

function membersOf(value: Json | undefined): readonly [string, JsonObject][] {
  const object = isJsonObject(value) ? value : {};
  return Object.entries(object).flatMap(([key, each]): [string, JsonObject][] =>
    isJsonObject(each) ? [[key, each]] : [],
  );
}
