import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { RialtoError } from '../base/errors.ts';
import { answerOtherMethods } from '../base/other-methods.ts';
import { createConsolePages, registerConsoleAssets, type ConsoleParts } from './console/routes.ts';
import { createHttpApp } from '../control/http-app.ts';
import { answerProblems, answerRefusedAddress } from '../control/problem-details.ts';

export interface PublicServerOptions {
  readonly logger: Logger;
  /** The store is open and a snapshot is compiled. */
  readonly isReady: () => boolean;
  /** The pages of the console, where it is served. */
  readonly console?: ConsoleParts | null;
}

/** Of a part of a path: the id of a deal, which has 128 characters of any alphabet, encoded. */
const PARAMETER_LENGTH_MAX = 128 * '%F0%9F%98%80'.length;

/** Control's public port: whether it lives, whether it can work, and the console. */
export function createPublicServer(options: PublicServerOptions): FastifyInstance {
  const { logger, isReady, console: consoleParts = null } = options;
  const app = createHttpApp({
    frameworkErrors: answerRefusedAddress,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
  });
  if (consoleParts === null) {
    answerProblems(app, logger);
  } else {
    answerProblems(app, logger, createConsolePages(consoleParts));
    registerConsoleAssets(app, consoleParts);
  }
  app.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    if (!isReady()) throw new RialtoError('not_ready');
    return reply.type('text/plain').send('ok\n');
  });
  for (const path of ['/livez', '/readyz']) answerOtherMethods(app, path, ['GET']);
  return app;
}
