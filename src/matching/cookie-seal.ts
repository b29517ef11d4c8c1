import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { BeaconKey, KeyRing } from '../beacons/key-ring.ts';
import { MATCH_KEPT_S } from './match.ts';
import { PAYLOAD_BYTES_MAX } from './payload.ts';

/**
 * A sealed cookie, in base64url: version, key id and day in the clear, a nonce, the payload under
 * AES-256-GCM, and GCM's tag. What stands in the clear and the cookie's own name are the associated
 * data, so that no cookie is good under another name. The key is derived from the ring's and the
 * day: each day has 2^32 random nonces of its own, though the ring's key lives for years.
 */
const VERSION = 1;
const KEY_ID_AT = 1;
const DAY_AT = 3;
const NONCE_AT = 5;
const NONCE_BYTES = 12;
const SEALED_AT = NONCE_AT + NONCE_BYTES;
const TAG_BYTES = 16;
const OVERHEAD_BYTES = SEALED_AT + TAG_BYTES;
const CIPHER = 'aes-256-gcm';
const KEY_LABEL = 'rialto user cookie';

/** The longest value of a cookie in characters. */
const SEALED_LENGTH_MAX = Math.ceil(((PAYLOAD_BYTES_MAX + OVERHEAD_BYTES) * 4) / 3);

const DAY_S = 24 * 60 * 60;
const KEPT_DAYS = MATCH_KEPT_S / DAY_S;
/** What clocks of several machines may differ by, and a day's own length. */
const DAYS_OF_GRACE = 2;

/** How a payload is sealed. */
export interface SealOptions {
  readonly ring: KeyRing;
  /** 12 bytes from chance, never given before; they may change at the next call. */
  readonly drawNonce: () => Uint8Array;
  /** Unix time in seconds. */
  readonly nowS: number;
}

export function sealCookie(name: string, payload: Uint8Array, options: SealOptions): string {
  const { ring, drawNonce, nowS } = options;
  const key = ring.current;
  const day = Math.floor(nowS / DAY_S);
  const sealed = Buffer.allocUnsafe(payload.length + OVERHEAD_BYTES);
  sealed[0] = VERSION;
  sealed.writeUInt16BE(key.id, KEY_ID_AT);
  sealed.writeUInt16BE(day, DAY_AT);
  sealed.set(drawNonce(), NONCE_AT);
  const nonce = sealed.subarray(NONCE_AT, SEALED_AT);
  const cipher = createCipheriv(CIPHER, keyOfDay(key, day), nonce).setAAD(clearOf(name, sealed));
  sealed.set(cipher.update(payload), SEALED_AT);
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealed.length - TAG_BYTES);
  return sealed.toString('base64url');
}

/** The payload; null for anything but what was sealed under this name and is not too old. */
export function openCookie(name: string, text: string, ring: KeyRing, nowS: number): Buffer | null {
  if (text.length > SEALED_LENGTH_MAX) return null;
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length <= OVERHEAD_BYTES || sealed[0] !== VERSION) return null;
  const key = ring.byId.get(sealed.readUInt16BE(KEY_ID_AT));
  const day = sealed.readUInt16BE(DAY_AT);
  if (key === undefined || !isKept(day, nowS)) return null;
  const tagAt = sealed.length - TAG_BYTES;
  const nonce = sealed.subarray(NONCE_AT, SEALED_AT);
  const decipher = createDecipheriv(CIPHER, keyOfDay(key, day), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(clearOf(name, sealed)).setAuthTag(sealed.subarray(tagAt));
  const payload = decipher.update(sealed.subarray(SEALED_AT, tagAt));
  try {
    decipher.final();
    return payload;
  } catch {
    return null;
  }
}

/** Days outside are refused before a key is derived, so that nobody fills the memory with keys. */
function isKept(day: number, nowS: number): boolean {
  const age = Math.floor(nowS / DAY_S) - day;
  return age <= KEPT_DAYS + DAYS_OF_GRACE && age >= -DAYS_OF_GRACE;
}

function clearOf(name: string, sealed: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), sealed.subarray(0, NONCE_AT)]);
}

const dayKeys = new WeakMap<BeaconKey, Map<number, Buffer>>();

function keyOfDay(key: BeaconKey, day: number): Buffer {
  let keys = dayKeys.get(key);
  if (keys === undefined) dayKeys.set(key, (keys = new Map()));
  let derived = keys.get(day);
  if (derived === undefined) {
    derived = createHmac('sha256', key.secret).update(`${KEY_LABEL} ${day}`).digest();
    keys.set(day, derived);
    // A process that runs for years would keep a key for each of its days.
    if (keys.size > KEPT_DAYS + 2 * DAYS_OF_GRACE + 1) keys.delete(Math.min(...keys.keys()));
  }
  return derived;
}
