import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { BeaconKey, KeyRing } from './key-ring.ts';

/**
 * Bytes that a process of the node gives to a player and another one takes back unchanged, in
 * base64url: version and key id in the clear, a nonce, then under AES-256-GCM when it expires and
 * the bytes, and GCM's tag. Only who has the node's keys can have made it, so the node answers with
 * nobody else's documents.
 */
const VERSION = 1;
const KEY_ID_AT = 1;
const HEADER_BYTES = 3;
const NONCE_BYTES = 12;
const SEALED_AT = HEADER_BYTES + NONCE_BYTES;
const TAG_BYTES = 16;
const EXPIRY_BYTES = 6;
const OVERHEAD_BYTES = SEALED_AT + EXPIRY_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** Beacons are sealed with the ring's key itself; this is another one, made of it. */
const KEY_LABEL = 'rialto markup';

/**
 * @param expiresMs Unix time in milliseconds from which it is not opened any more.
 * @param nonce 12 bytes from chance that were never given before.
 */
export function sealMarkup(
  content: Uint8Array,
  expiresMs: number,
  ring: KeyRing,
  nonce: Uint8Array,
): string {
  const sealed = Buffer.allocUnsafe(OVERHEAD_BYTES + content.length);
  sealed[0] = VERSION;
  sealed.writeUInt16BE(ring.current.id, KEY_ID_AT);
  sealed.set(nonce, HEADER_BYTES);
  const plain = Buffer.allocUnsafe(EXPIRY_BYTES + content.length);
  plain.writeUIntBE(expiresMs, 0, EXPIRY_BYTES);
  plain.set(content, EXPIRY_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(ring.current), nonce);
  cipher.setAAD(sealed.subarray(0, HEADER_BYTES));
  sealed.set(cipher.update(plain), SEALED_AT);
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealed.length - TAG_BYTES);
  return sealed.toString('base64url');
}

/**
 * @param nowMs Unix time in milliseconds.
 * @returns null for what was not sealed here, or has expired
 */
export function openMarkup(text: string, ring: KeyRing, nowMs: number): Buffer | null {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length < OVERHEAD_BYTES || sealed[0] !== VERSION) return null;
  const key = ring.byId.get(sealed.readUInt16BE(KEY_ID_AT));
  if (key === undefined) return null;
  const nonce = sealed.subarray(HEADER_BYTES, SEALED_AT);
  const decipher = createDecipheriv(CIPHER, keyOf(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(sealed.subarray(0, HEADER_BYTES));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(SEALED_AT, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return plain.readUIntBE(0, EXPIRY_BYTES) > nowMs ? plain.subarray(EXPIRY_BYTES) : null;
}

/** How long the sealed text of so many bytes is, in characters. */
export function sealedLength(contentBytes: number): number {
  return Math.ceil(((OVERHEAD_BYTES + contentBytes) * 4) / 3);
}

const derived = new WeakMap<BeaconKey, Buffer>();

function keyOf(key: BeaconKey): Buffer {
  let markupKey = derived.get(key);
  if (markupKey === undefined) {
    markupKey = createHmac('sha256', key.secret).update(KEY_LABEL).digest();
    derived.set(key, markupKey);
  }
  return markupKey;
}
