import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createCertificateReader } from '../adapters/tls-certificate.ts';
import { repeat } from '../base/repeat.ts';
import { createAddressPolicy } from '../base/address-policy.ts';
import type { Database } from '../configuration/schema.ts';
import { listBidders, type BidderState } from '../configuration/stopped-bidders.ts';
import { CertificateRegister } from '../control/certificate-register.ts';
import type { CertifiedHost } from '../ports/certificates.ts';

const EVERY_MS = 60_000;
const HTTPS_PORT = 443;

export interface BidderCertificatesParts {
  readonly db: Kysely<Database>;
  readonly logger: Logger;
  readonly warnDays: number;
}

/** Looks at the certificates of bidders once a minute, where bidders may be. */
export function createBidderCertificates({ db, logger, warnDays }: BidderCertificatesParts) {
  let isAddressAllowed = createAddressPolicy([]);
  const register = new CertificateRegister({
    lists: [
      async () => {
        isAddressAllowed = createAddressPolicy(await readPrivateRanges(db));
        return hostsOf(await listBidders(db));
      },
    ],
    read: createCertificateReader({ isAddressAllowed: (ip) => isAddressAllowed(ip) }),
    warnDays,
    now: Date.now,
  });
  const stopping = new AbortController();
  let running = Promise.resolve();
  return {
    register,
    start: (): void => {
      running = repeat(() => register.look(stopping.signal), {
        everyMs: EVERY_MS,
        signal: stopping.signal,
        onFailure: (error) =>
          logger.warn({ err: error }, 'the certificates of bidders cannot be looked at'),
      });
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

/** Of bidders that are called, over TLS. */
export function hostsOf(bidders: readonly BidderState[]): CertifiedHost[] {
  return bidders.flatMap(({ demandPartnerId, name, status, endpoint, stop }): CertifiedHost[] => {
    const url = endpoint === null ? null : URL.parse(endpoint);
    if (url?.protocol !== 'https:' || status !== 'ACTIVE' || stop !== null) return [];
    const { hostname, port } = url;
    return [
      { demandPartnerId, of: `bidder of ${name}`, hostname, port: Number(port || HTTPS_PORT) },
    ];
  });
}

async function readPrivateRanges(db: Kysely<Database>): Promise<readonly string[]> {
  const settings = await db
    .selectFrom('exchange_settings')
    .select('allow_private_addresses')
    .executeTakeFirst();
  return JSON.parse(settings?.allow_private_addresses ?? '[]');
}
