import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { ERRORS, RialtoError } from '../base/errors.ts';

/**
 * Answers errors as problem details (RFC 9457) with the `code` and `errors` of the error table:
 * unknown addresses, errors that a handler throws, and everything unforeseen, which is logged.
 */
export function answerProblems(app: FastifyInstance, logger: Logger): void {
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new RialtoError('not_found')));
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

function sendProblem(reply: FastifyReply, error: RialtoError): FastifyReply {
  return reply.code(error.status).type('application/problem+json').send({
    title: ERRORS[error.code].message,
    status: error.status,
    code: error.code,
    errors: error.problems,
  });
}

/**
 * Fastify's own errors (a bad URL, a body that is none) carry the status of a client's mistake, and
 * what its schema found.
 */
function asRialtoError(error: unknown): RialtoError {
  if (error instanceof RialtoError) return error;
  if (!isFastifyError(error)) return new RialtoError('internal');
  const { statusCode = 500, validation = [] } = error;
  if (statusCode < 400 || statusCode >= 500) return new RialtoError('internal');
  const problems = validation.map(({ instancePath, message }) => ({
    pointer: instancePath,
    message: message ?? 'is not valid',
  }));
  return new RialtoError('invalid_request', problems);
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error;
}
