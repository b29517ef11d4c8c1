import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS } from '../base/errors.ts';
import {
  answerBrokenRequest,
  CONNECTIONS_MAX,
  HTTP_OPTIONS,
  isTransferKnown,
} from '../base/http-server.ts';

export interface MetricsServerOptions {
  /** All metrics of the node, in Prometheus' text format. */
  readonly collect: () => Promise<string>;
  readonly logger: Logger;
}

/**
 * `GET /metrics`, and nothing else: what it tells is the operator's alone, so that it has a listener of
 * its own, on loopback unless told.
 */
export function createMetricsServer({ collect, logger }: MetricsServerOptions): Server {
  // Whoever asks meanwhile gets the same answer: asking all processes costs each of them something.
  let underway: Promise<string> | null = null;
  const collectOnce = (): Promise<string> => {
    underway ??= collect().finally(() => {
      underway = null;
    });
    return underway;
  };
  const server = createServer(HTTP_OPTIONS, (request, response) => {
    const { method, url = '' } = request;
    if (!isTransferKnown(request)) {
      const { status, message } = ERRORS.unknown_transfer_coding;
      response.setHeader('connection', 'close');
      answer(response, { status, text: `${message}\n` });
    } else if (!/^\/metrics\/?(?:\?|$)/.test(url)) {
      answer(response, { status: 404, text: 'The metrics are at /metrics.\n' });
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      answer(response, { status: 405, text: 'Ask for the metrics with GET.\n' });
    } else {
      collectOnce().then(
        (text) => answer(response, { status: 200, text }),
        (error: unknown) => {
          logger.error({ err: error }, 'the metrics cannot be collected');
          answer(response, { status: 500, text: 'The log of the supervisor says why.\n' });
        },
      );
    }
  });
  server.maxConnections = CONNECTIONS_MAX.metrics;
  server.on('clientError', answerBrokenRequest);
  return server;
}

function answer(
  response: ServerResponse,
  { status, text }: { readonly status: number; readonly text: string },
): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    // The version of Prometheus' text format, as prom-client writes it.
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
