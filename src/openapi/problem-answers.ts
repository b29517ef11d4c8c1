import { ERRORS, type ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from './plain-schema.ts';

/** An answer with a problem, with the name under which operations refer to it. */
interface ProblemAnswer {
  readonly name: string;
  readonly status: number;
  readonly response: JsonObject;
}

/** The answers that codes of the error table make, one for each status. */
export function problemAnswers(codes: readonly ErrorCode[]): readonly ProblemAnswer[] {
  const byStatus = new Map<number, ErrorCode[]>();
  // In the order of the table, so that the same codes make the same answer.
  for (const code of CODES.filter((each) => codes.includes(each))) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, group]) => ({
    name: group.map(typeName).join('Or'),
    status,
    response: responseOf(status, group),
  }));
}

const CODES = Object.keys(ERRORS).filter(isCode);

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** Headers that come with every answer of a status. */
const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'the challenge of RFC 6750' },
  403: { 'WWW-Authenticate': 'with `insufficient_scope` alone: the scope that is asked for' },
  405: { Allow: 'the methods that the address answers to' },
  429: { 'Retry-After': 'how long to wait, in seconds' },
};

function responseOf(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers = Object.entries(HEADERS[status] ?? {}).map(([name, says]): [string, Json] => [
    name,
    { description: says, schema: { type: 'string' } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: ErrorCode): JsonObject {
  const { status, message } = ERRORS[code];
  const errors = code === 'invalid_request' ? [{ pointer: '/name', message: WRONG_NAME }] : [];
  return { title: message, status, code, errors };
}

const WRONG_NAME = 'must be a text of 1 to 200 characters on one line, found 7';

/** `invalid_token` as `InvalidToken`. */
function typeName(code: string): string {
  return code
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
