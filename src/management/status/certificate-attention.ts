import type { WatchedCertificate } from '../../ports/certificates.ts';
import type { Attention } from './schema.ts';

const CODES = { expiring: 'certificate_expiring', expired: 'certificate_expired' } as const;

/** The certificates that are over, or will soon be. */
export function ofCertificates(certificates: readonly WatchedCertificate[]): Attention[] {
  return certificates.flatMap(({ demandPartnerId, of, host, validToMs, state }): Attention[] => {
    if (validToMs === null || state === 'valid' || state === 'unknown') return [];
    const day = new Date(validToMs).toISOString().slice(0, 10);
    return [
      {
        code: CODES[state],
        node: null,
        ...(demandPartnerId === null ? {} : { demand_partner_id: demandPartnerId }),
        message: `The certificate of ${host} (${of}) ${state === 'expired' ? 'has expired' : 'expires'} on ${day}.`,
        action:
          state === 'expired'
            ? 'Have it renewed: it is not called until then.'
            : 'Have it renewed before that day: it is not called with a certificate that has expired.',
      },
    ];
  });
}
