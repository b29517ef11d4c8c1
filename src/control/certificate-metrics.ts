import { Gauge, type Registry } from 'prom-client';
import type { WatchedCertificate } from '../ports/certificates.ts';

/** Registers until when the certificates are valid that bidders show. */
export function registerCertificateMetrics(
  registry: Registry,
  register: { readonly certificates: readonly WatchedCertificate[] },
): void {
  const ends: Gauge<'demand_partner' | 'host'> = new Gauge({
    name: 'rialto_certificate_expiry_timestamp_seconds',
    help: 'When the certificate ends that a bidder shows, in Unix seconds, as control has seen it last.',
    labelNames: ['demand_partner', 'host'],
    registers: [],
    aggregator: 'min',
    collect: () => {
      ends.reset();
      for (const { demandPartnerId, host, validToMs } of register.certificates) {
        if (validToMs === null) continue;
        ends.set({ demand_partner: String(demandPartnerId ?? ''), host }, validToMs / 1_000);
      }
    },
  });
  registry.registerMetric(ends);
}
