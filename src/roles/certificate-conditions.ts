import { ownField } from '../base/fields.ts';
import type { CertificateRegister } from '../control/certificate-register.ts';
import { showInstant } from '../management/shown.ts';
import type { WatchedCertificate } from '../ports/certificates.ts';
import type { Condition, ConditionSource } from '../subscriptions/condition.ts';

const EVERY_MS = 10_000;

/** Certificates that are over, or will soon be; well again once another one is shown. */
export function certificateSource(
  register: Pick<CertificateRegister, 'certificates' | 'hasLooked'>,
): ConditionSource {
  return {
    kind: 'certificate',
    types: ['certificate.expiring', 'certificate.expired', 'certificate.renewed'],
    everyMs: EVERY_MS,
    read: async () => {
      if (!register.hasLooked) return null;
      const byKey = new Map(register.certificates.map((each) => [keyOf(each), each]));
      return {
        holds: [...byKey].flatMap(([key, each]): Condition[] => {
          if (each.state !== 'expiring' && each.state !== 'expired') return [];
          const event = { type: `certificate.${each.state}`, data: dataOf(each) } as const;
          const { demandPartnerId } = each;
          return [{ key, demandPartnerId, publisherId: null, isOperators: true, event }];
        }),
        // It was not seen since control began.
        keeps: ({ key }) => byKey.get(key)?.state === 'unknown',
        again: { afterMs: 0, isNews: (known, now) => endOf(known) !== endOf(now) },
        over: ({ key }) => {
          const renewed = byKey.get(key);
          return renewed === undefined
            ? null
            : { type: 'certificate.renewed', data: dataOf(renewed) };
        },
      };
    },
  };
}

function keyOf({ demandPartnerId, host }: WatchedCertificate): string {
  return `certificate ${demandPartnerId ?? ''} ${host}`;
}

function dataOf({ demandPartnerId, of, host, validToMs }: WatchedCertificate) {
  return {
    demand_partner_id: demandPartnerId,
    of,
    host,
    valid_to: validToMs === null ? null : showInstant(validToMs),
  };
}

/** One that has expired is other news than one that will, and so is another one that ends soon. */
function endOf({ event: { type, data } }: Condition): string {
  return `${type} ${String(ownField(data, 'valid_to'))}`;
}
