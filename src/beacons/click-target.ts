import { CLICK_URL_BYTES_MAX } from './beacon.ts';

/** Only what may stand in a header as it is: no space, no control character, nothing beyond ASCII. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The address for the `location` header of a click: as the bidder wrote it where that is safe, else
 * with what is not ASCII percent-encoded.
 *
 * @returns null for an address that no browser should be sent to: not http(s), no host, too long
 */
export function clickTarget(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const target = PRINTABLE.test(url) ? url : href;
  return target.length <= CLICK_URL_BYTES_MAX ? target : null;
}
