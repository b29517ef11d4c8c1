import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOtherMethods } from '../../base/other-methods.ts';
import { documentAt, type OpenApiDocument } from '../../openapi/document.ts';
import { referencePage } from './page.ts';
import { STYLE } from './style.ts';

export interface ReferenceParts {
  /** Called once, when somebody asks first. */
  readonly document: () => OpenApiDocument;
  /** Where others see control; null where it is whatever they have asked. */
  readonly address: string | null;
}

/** No script, nothing of another address, and in nobody's frame. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, the interfaces as an OpenAPI 3.1 document, and `GET /reference/`, the same as
 * a page for people. Both are the same for everybody, and need nothing but this server.
 */
export function registerReference(app: FastifyInstance, parts: ReferenceParts): void {
  let made: OpenApiDocument | undefined;
  const documentFor = (request: FastifyRequest): OpenApiDocument => {
    made ??= parts.document();
    return documentAt(made, parts.address ?? addressOf(request));
  };
  app.get('/openapi.json', async (request, reply) => {
    plain(reply).type('application/json; charset=utf-8');
    // Tools that run in pages read it as well: there is no secret in it.
    reply.header('access-control-allow-origin', '*');
    return documentFor(request);
  });
  app.get('/reference', (_request, reply) => reply.redirect('reference/', 308));
  app.get('/reference/', async (request, reply) => {
    plain(reply).type('text/html; charset=utf-8').header('content-security-policy', POLICY);
    return referencePage(documentFor(request), parts.address ?? addressOf(request));
  });
  app.get('/reference/style.css', async (_request, reply) =>
    plain(reply).type('text/css; charset=utf-8').send(STYLE),
  );
  for (const path of ['/openapi.json', '/reference', '/reference/style.css']) {
    answerOtherMethods(app, path, ['GET']);
  }
}

/** The answer depends on the address that was asked, so that only the browser itself keeps it. */
function plain(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
  });
}

/** A host that is none, such as one with markup in it, is not repeated. */
function addressOf({ protocol, headers }: FastifyRequest): string {
  const { host = '' } = headers;
  const isHost = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host);
  return `${protocol}://${isHost ? host : 'localhost:8080'}`;
}
