import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ERRORS, RialtoError, type ErrorCode } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';

/** Answers an address that no route has. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Answers errors as problem details (RFC 9457) with the `code` and `errors` of the error table:
 * unknown addresses, errors that a handler throws, and everything unforeseen, which is logged.
 */
export function answerProblems(
  app: FastifyInstance,
  logger: Logger,
  answerElsewhere: Answer = async () => {
    throw new RialtoError('not_found');
  },
): void {
  app.setNotFoundHandler(answerElsewhere);
  app.setErrorHandler((error, request, reply) => {
    const known = asRialtoError(error);
    if (known.code === 'internal') {
      logger.error({ err: error, method: request.method, url: request.url }, 'a request failed');
    }
    return sendProblem(reply, known);
  });
}

/**
 * Answers what Fastify refuses before it looks for a route, an address that is not well-formed, in
 * the same form; by itself it would quote the address, and whatever secret stands in it.
 */
export function answerRefusedAddress(
  error: FastifyError,
  _request: unknown,
  reply: FastifyReply,
): void {
  sendProblem(reply, asRialtoError(error));
}

/** What is not there yet comes within seconds: all messages of 503 say so. */
const RETRY_AFTER_S = '1';

function sendProblem(reply: FastifyReply, error: RialtoError): FastifyReply {
  if (error.status === 503) reply.header('retry-after', RETRY_AFTER_S);
  return reply
    .code(error.status)
    .type('application/problem+json')
    .send({
      title: ERRORS[error.code].message,
      status: error.status,
      code: error.code,
      errors: error.problems,
      ...(error.resourceId === null ? {} : { resource_id: error.resourceId }),
    });
}

/**
 * Fastify's own errors (a bad URL, a body that is none) carry the status of a client's mistake, and
 * what its schema found.
 */
function asRialtoError(error: unknown): RialtoError {
  if (error instanceof RialtoError) return error;
  if (!isFastifyError(error)) return new RialtoError('internal');
  const known = KNOWN_ERRORS[error.code];
  if (known !== undefined) return new RialtoError(known, known === 'invalid_json' ? NO_JSON : []);
  if (error.code === 'FST_ERR_BAD_URL') return new RialtoError('invalid_request', [BAD_ADDRESS]);
  const { statusCode = 500, validation = [] } = error;
  if (statusCode < 400 || statusCode >= 500) return new RialtoError('internal');
  const problems = validation.map(({ instancePath, message }) => ({
    pointer: instancePath,
    message: message ?? 'is not valid',
  }));
  return new RialtoError('invalid_request', problems.length === 0 ? NO_REQUEST : problems);
}

/** What would be right, where nothing could be read and so no place in it named. */
const NO_JSON: readonly Problem[] = [
  { pointer: '', message: 'must be one JSON document in UTF-8, without a key "__proto__"' },
];
const NO_REQUEST: readonly Problem[] = [
  {
    pointer: '',
    message: 'must be a request to a well-formed address whose parts are not too long',
  },
];

const BAD_ADDRESS: Problem = {
  pointer: '',
  message: 'The address must be UTF-8 with whole percent-encodings (RFC 3986), such as %C3%A9.',
};

/** What Fastify has against an address or a body, by its own codes. */
const KNOWN_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
};

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error;
}
