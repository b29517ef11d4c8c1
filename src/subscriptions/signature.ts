import { createHmac } from 'node:crypto';

/** The header that says who sent a delivery. */
export const SIGNATURE_HEADER = 'Rialto-Signature';

/**
 * The value of the header: when it was signed, and for every secret that is good the HMAC-SHA256 of
 * `TIMESTAMP.BODY` in hex, the newest first: `t=1795248000,v1=…`. While a secret is rolled there are two
 * of `v1`, and a receiver that knows one of them takes it.
 *
 * @param timestampS Unix time in seconds.
 */
export function signatureOf(secrets: readonly string[], timestampS: number, body: string): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${timestampS}.${body}`);
    return `v1=${hmac.digest('hex')}`;
  });
  return [`t=${timestampS}`, ...signatures].join(',');
}
