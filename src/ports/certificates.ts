/** A certificate that somebody's TLS depends on, as it was seen last. */
export interface WatchedCertificate {
  /** Whose it is; null for one of our own. */
  readonly demandPartnerId: number | null;
  /** What shows it, in words: `bidder of Acme`. */
  readonly of: string;
  /** With its port: `bid.acme.example:443`. */
  readonly host: string;
  /** Unix time in milliseconds; null where it was not seen yet. */
  readonly validToMs: number | null;
  readonly state: 'valid' | 'expiring' | 'expired' | 'unknown';
}

/** Where a certificate is looked at. */
export interface CertifiedHost extends Pick<WatchedCertificate, 'demandPartnerId' | 'of'> {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Until when the certificate is valid that a host shows, in Unix milliseconds, whether or not it is
 * trusted; null where the host cannot be asked at this moment, or the signal ends it. It never throws.
 */
export type ReadCertificate = (
  host: Pick<CertifiedHost, 'hostname' | 'port'>,
  signal: AbortSignal,
) => Promise<number | null>;
