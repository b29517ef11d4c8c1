import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BeaconKey, KeyRing } from '../beacons/key-ring.ts';

/** How long a partner has to answer the address that it was opened with. */
export const RETURN_KEPT_S = 60 * 60;

const SIGNATURE_BYTES = 16;
const KEY_LABEL = 'rialto return address';

/**
 * Who may set an id: this partner, for this browser, until then. The browser's id is sealed in its
 * cookie, so that nobody who knows the address of one browser can set anything in another, and
 * nobody who was sent for one partner can set another's.
 */
export interface ReturnGrant {
  readonly partnerId: number;
  /** Hexadecimal. */
  readonly browser: string;
  /** Unix time in seconds. */
  readonly untilS: number;
}

export function signReturn(grant: ReturnGrant, ring: KeyRing): string {
  return signatureOf(grant, ring.current).toString('base64url');
}

/** @param nowS Unix time in seconds. */
export function isReturnSigned(
  grant: ReturnGrant,
  signature: string,
  ring: KeyRing,
  nowS: number,
): boolean {
  // An end too far away was never signed; asking first spares the HMAC.
  if (!Number.isSafeInteger(grant.untilS) || grant.untilS < nowS) return false;
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== SIGNATURE_BYTES) return false;
  return [...ring.byId.values()].some((key) => timingSafeEqual(given, signatureOf(grant, key)));
}

function signatureOf({ partnerId, browser, untilS }: ReturnGrant, key: BeaconKey): Buffer {
  const returnKey = createHmac('sha256', key.secret).update(KEY_LABEL).digest();
  const digest = createHmac('sha256', returnKey)
    .update(`${partnerId} ${browser} ${untilS}`)
    .digest();
  return digest.subarray(0, SIGNATURE_BYTES);
}
