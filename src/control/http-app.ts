import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import { answerBrokenRequest, HTTP_OPTIONS, isTransferKnown } from '../base/http-server.ts';
import { limitJsonBodies } from '../base/json-body.ts';

/** An app for one of control's listeners, with what all listeners allow and refuse alike. */
export function createHttpApp(
  options: Pick<FastifyServerOptions, 'frameworkErrors' | 'routerOptions'> = {},
): FastifyInstance {
  const app = fastify({
    ...options,
    logger: false,
    http: HTTP_OPTIONS,
    keepAliveTimeout: HTTP_OPTIONS.keepAliveTimeout,
    clientErrorHandler: answerBrokenRequest,
  });
  limitJsonBodies(app);
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (isTransferKnown(raw)) return;
    reply.header('connection', 'close');
    throw new RialtoError('unknown_transfer_coding');
  });
  return app;
}
