import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { RialtoError } from './errors.ts';
import { isTooDeep, TOO_DEEP } from './json.ts';

/** Has an app of Fastify's read JSON as `parseJson` does; it also refuses a key `__proto__`. */
export function limitJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, createJsonParser(app));
}

/** The same for another media type. */
export function createJsonParser(app: FastifyInstance): FastifyBodyParser<string> {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    if (!isTooDeep(body)) return parse(request, body, done);
    done(new RialtoError('invalid_json', [{ pointer: '', message: TOO_DEEP }]));
  };
}
