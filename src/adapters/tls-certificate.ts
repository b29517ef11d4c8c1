import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ReadCertificate } from '../ports/certificates.ts';
import { guardLookup, literalRefusal, unbracketed } from './guarded-connect.ts';
import { createNameLookup } from './name-lookup.ts';

/** The name, the connection and TLS included. */
const WITHIN_MS = 5_000;

export interface CertificateReaderOptions {
  /** Asked for every address at connect; called anew each time, so it may change its mind. */
  readonly isAddressAllowed: (ip: string) => boolean;
}

/**
 * Looks at certificates as a bidder's client would see them: with the host's name, at allowed addresses
 * alone, and without a session of before, which would show the certificate of then. Nothing is sent.
 */
export function createCertificateReader({
  isAddressAllowed,
}: CertificateReaderOptions): ReadCertificate {
  const lookup = guardLookup(isAddressAllowed, createNameLookup());
  return async ({ hostname, port }, signal) => {
    if (signal.aborted || literalRefusal(hostname, isAddressAllowed) !== null) return null;
    const host = unbracketed(hostname);
    return new Promise((resolve) => {
      const socket = connect({
        host,
        port,
        lookup,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ALPNProtocols: ['http/1.1'],
        // Expired and untrusted certificates are accepted: they are what is looked for.
        rejectUnauthorized: false,
      });
      const end = (validToMs: number | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        socket.destroy();
        resolve(validToMs);
      };
      const stop = (): void => end(null);
      const timer = setTimeout(stop, WITHIN_MS);
      signal.addEventListener('abort', stop);
      socket.once('error', stop);
      socket.once('close', stop);
      socket.once('secureConnect', () => {
        const validToMs = Date.parse(socket.getPeerCertificate().valid_to);
        end(Number.isNaN(validToMs) ? null : validToMs);
      });
    });
  };
}
