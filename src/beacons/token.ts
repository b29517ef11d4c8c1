import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

import { BEACON_KINDS, type BeaconKind } from '../events/beacon-record.ts';
import {
  beaconOf,
  CLOCK_SKEW_MAX_MS,
  TOKEN_LIFE_MAX_MS,
  type Beacon,
  type SealedWin,
} from './beacon.ts';
import { Hmac } from './hmac.ts';
import type { BeaconKey, KeyRing } from './key-ring.ts';
import { decodePayload, encodePayload, PAYLOAD_BYTES_MAX } from './payload.ts';

/**
 * A token, in base64url: version, kind and key id in the clear, then the sealed body, which all
 * tokens of one won impression share, then the kind tag. The body is a nonce, the payload under
 * AES-256-GCM with version and key id as its associated data, and GCM's tag. The kind tag is an HMAC
 * over the clear bytes, the nonce and GCM's tag, so that a token of one kind is no token of another.
 * It vouches for the ciphertext only through GCM's tag: both have to be right.
 */
const VERSION = 2;
const KIND_AT = 1;
const KEY_ID_AT = 2;
const HEADER_BYTES = 4;
export const NONCE_BYTES = 12;
const SEALED_AT = HEADER_BYTES + NONCE_BYTES;
const TAG_BYTES = 16;
const KIND_TAG_BYTES = 16;
const OVERHEAD_BYTES = SEALED_AT + TAG_BYTES + KIND_TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** The kind tag's key is derived from the ring's: the cipher and the HMAC share none. */
const KIND_KEY_LABEL = 'rialto beacon kind';

/** The longest token in characters. */
export const TOKEN_LENGTH_MAX = Math.ceil(((PAYLOAD_BYTES_MAX + OVERHEAD_BYTES) * 4) / 3);

/** Gives 12 bytes from chance that were never given before; they may change at the next call. */
export type NonceSource = () => Uint8Array;

/** Gives the token of one kind. */
export type SealKind = (kind: BeaconKind) => string;

/** Why a token is refused. Callers learn of `expired` alone: the rest would help to forge one. */
export type TokenRefusal =
  /** No token of this version. */
  | 'malformed'
  /** A token of another kind than the address that was called. */
  | 'wrong_kind'
  | 'unknown_key'
  /** Not as it was sealed. */
  | 'tampered'
  | 'expired'
  /** Sealed for longer than any token may live: it would outlast what is remembered of it. */
  | 'lives_too_long';

export type OpenedToken =
  | { readonly ok: true; readonly beacon: Beacon }
  /** Genuine, and too late to count; a click still knows where it leads. */
  | { readonly ok: false; readonly reason: 'expired'; readonly beacon: Beacon }
  | { readonly ok: false; readonly reason: Exclude<TokenRefusal, 'expired'> };

/**
 * Seals a won impression with the ring's current key, once for the tokens of all kinds: each of them
 * takes no more than its kind tag.
 *
 * @throws TypeError or RangeError when a field of the win, or the nonce, has not its form, or an
 *   address or a text is too long.
 */
export function sealWin(win: SealedWin, ring: KeyRing, drawNonce: NonceSource): SealKind {
  const key = ring.current;
  const token = encryptWin(win, key, drawNonce());
  return (kind) => {
    token[KIND_AT] = BEACON_KINDS.indexOf(kind) + 1;
    kindTagOf(token, key).copy(token, token.length - KIND_TAG_BYTES);
    return token.toString('base64url');
  };
}

/**
 * Opens a token that came in from outside.
 *
 * @param kind what the called address is for.
 * @param nowMs Unix time in milliseconds.
 */
export function openToken(
  text: string,
  kind: BeaconKind,
  ring: KeyRing,
  nowMs: number,
): OpenedToken {
  const bytes = decodeText(text);
  if (bytes === null || bytes[0] !== VERSION) return refuse('malformed');
  const claimed = BEACON_KINDS[(bytes[KIND_AT] ?? 0) - 1];
  if (claimed === undefined) return refuse('malformed');
  if (claimed !== kind) return refuse('wrong_kind');
  const key = ring.byId.get(bytes.readUInt16BE(KEY_ID_AT));
  if (key === undefined) return refuse('unknown_key');
  if (!hasKindTag(bytes, key)) return refuse('tampered');
  const payload = decrypt(bytes, key);
  if (payload === null) return refuse('tampered');
  const win = decodeWin(payload);
  if (win === null) return refuse('malformed');
  const beacon = beaconOf(kind, win);
  const leftMs = beacon.imp.expires_ms - nowMs;
  if (leftMs <= 0) return { ok: false, reason: 'expired', beacon };
  if (leftMs > TOKEN_LIFE_MAX_MS + CLOCK_SKEW_MAX_MS) return refuse('lives_too_long');
  return { ok: true, beacon };
}

/** A token that lacks its kind and its kind tag. */
function encryptWin(win: SealedWin, { id, secret }: BeaconKey, nonce: Uint8Array): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new TypeError(`a nonce has ${NONCE_BYTES} bytes`);
  const payload = encodePayload(win);
  const tagAt = SEALED_AT + payload.length;
  const token = Buffer.allocUnsafe(payload.length + OVERHEAD_BYTES);
  token[0] = VERSION;
  token.writeUInt16BE(id, KEY_ID_AT);
  token.set(nonce, HEADER_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(sharedHeaderOf(token));
  token.set(cipher.update(payload), SEALED_AT);
  cipher.final();
  token.set(cipher.getAuthTag(), tagAt);
  return token;
}

/** The clear bytes of all kinds' tokens. */
function sharedHeaderOf(token: Buffer): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES - 1);
  header[0] = VERSION;
  token.copy(header, 1, KEY_ID_AT, HEADER_BYTES);
  return header;
}

/** The first bytes of what is given are the tag; the next call overwrites them. */
function kindTagOf(token: Buffer, key: BeaconKey): Buffer {
  const hmac = kindHmacOf(key);
  const kindTagAt = token.length - KIND_TAG_BYTES;
  token.copy(hmac.message, 0, 0, SEALED_AT);
  token.copy(hmac.message, SEALED_AT, kindTagAt - TAG_BYTES, kindTagAt);
  return hmac.digest();
}

const kindHmacs = new WeakMap<BeaconKey, Hmac>();

function kindHmacOf(key: BeaconKey): Hmac {
  const known = kindHmacs.get(key);
  if (known !== undefined) return known;
  const kindKey = createHmac('sha256', key.secret).update(KIND_KEY_LABEL).digest();
  const hmac = new Hmac(kindKey, SEALED_AT + TAG_BYTES);
  kindHmacs.set(key, hmac);
  return hmac;
}

/**
 * Null for what is not exactly our own writing: Node's decoder skips over foreign characters and
 * ignores the last character's spare bits, so that one token would have several spellings.
 */
function decodeText(text: string): Buffer | null {
  if (text.length > TOKEN_LENGTH_MAX) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > OVERHEAD_BYTES && bytes.toString('base64url') === text ? bytes : null;
}

function hasKindTag(token: Buffer, key: BeaconKey): boolean {
  const expected = kindTagOf(token, key).subarray(0, KIND_TAG_BYTES);
  return timingSafeEqual(token.subarray(token.length - KIND_TAG_BYTES), expected);
}

/** Null for a body that is not as it was sealed. */
function decrypt(token: Buffer, { secret }: BeaconKey): Buffer | null {
  const kindTagAt = token.length - KIND_TAG_BYTES;
  const tagAt = kindTagAt - TAG_BYTES;
  const nonce = token.subarray(HEADER_BYTES, SEALED_AT);
  const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(sharedHeaderOf(token)).setAuthTag(token.subarray(tagAt, kindTagAt));
  const payload = decipher.update(token.subarray(SEALED_AT, tagAt));
  try {
    decipher.final();
    return payload;
  } catch {
    return null;
  }
}

/** Null for a payload that our own key sealed and this version cannot read. */
function decodeWin(payload: Buffer): SealedWin | null {
  try {
    return decodePayload(payload);
  } catch {
    return null;
  }
}

function refuse(reason: Exclude<TokenRefusal, 'expired'>): OpenedToken {
  return { ok: false, reason };
}
