import { connect, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { unbracketed } from './guarded-connect.ts';

/** As long as undici leaves a quiet connection before it asks whether the other side is there. */
const TCP_KEEP_ALIVE_MS = 60_000;

export interface SocketTarget {
  readonly url: URL;
  /** Hands over allowed addresses alone; literal ones must have been looked at before. */
  readonly lookup: LookupFunction;
  /** Of an earlier connection to the same origin; null for none. */
  readonly session: Buffer | null;
  readonly onread: OnReadOpts;
}

/**
 * Opens a connection to an origin, plain or over TLS by its scheme. Over TLS the certificate must be
 * valid for the host's name, and HTTP/1.1 is all that is offered. `connect` or `secureConnect` tells
 * that it is open.
 */
export function openSocket({ url, lookup, session, onread }: SocketTarget): Socket {
  const host = unbracketed(url.hostname);
  const shared = { host, lookup, onread, noDelay: true };
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
  if (url.protocol === 'http:') {
    return connect({ ...shared, ...keepAlive, port: Number(url.port || 80) });
  }
  return connectTls({
    ...shared,
    ...keepAlive,
    port: Number(url.port || 443),
    // A literal address is no name to be asked for; the certificate must have it as an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(session === null ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
}
