import {
  ServerResponse,
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { Duplex } from 'node:stream';

const NOSNIFF = 'x-content-type-options';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer that no browser takes for another type than it says; also one that node writes itself. */
class NosniffResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = typeof reason === 'string' ? headers : reason;
    const all = Array.isArray(given)
      ? [...given, NOSNIFF, 'nosniff']
      : { ...given, [NOSNIFF]: 'nosniff' };
    return typeof reason === 'string'
      ? super.writeHead(status, reason, all)
      : super.writeHead(status, all);
  }
}

/**
 * What every listener allows its clients, as options of `http.createServer`: slow and half-open ones
 * are let go.
 */
export const HTTP_OPTIONS = {
  /** How long headers and a whole request may take. */
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  /** How often node looks for those that take longer; its default would let them stay 30 s more. */
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle time of common load balancers, so that they close first. */
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
  ServerResponse: NosniffResponse,
} as const;

/**
 * The most connections of each process's listener; more are closed as they come. All of them together
 * leave a process descriptors for files, bidders and what else it opens, and the listener of couriers
 * has places of its own whatever strangers hold of control's.
 */
export const CONNECTIONS_MAX = {
  exchange: 10_000,
  tracker: 10_000,
  control: 4_000,
  internal: 1_000,
  metrics: 64,
} as const;

/**
 * Whether the body comes as it is, in chunks at most. A coding beneath these (`gzip, chunked`) is one
 * that nobody undoes, so that the body would be read as something else: RFC 9112 (6.1) has 501 for it.
 */
export function isTransferKnown({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.trim().toLowerCase() === 'chunked';
}

const STATUS_OF: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers malformed or slow requests, for the `clientError` of a server: bare, and the connection ends. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const underway: unknown = Reflect.get(socket, '_httpMessage');
  const isBegun = underway instanceof ServerResponse && underway.headersSent;
  if (error.code !== 'ECONNRESET' && socket.writable && !isBegun) {
    const status = STATUS_OF[error.code ?? ''] ?? 400;
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'cache-control: no-store',
      'connection: close',
      'content-length: 0',
      `${NOSNIFF}: nosniff`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  }
  socket.destroy(error);
}
