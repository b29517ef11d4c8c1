import { createCipheriv, createDecipheriv } from 'node:crypto';

import { BEACON_KINDS, type BeaconKind } from '../events/beacon-record.ts';
import {
  BURL_BYTES_MAX,
  CLICK_URL_BYTES_MAX,
  CLOCK_SKEW_MAX_MS,
  NURL_BYTES_MAX,
  TOKEN_LIFE_MAX_MS,
  type Beacon,
} from './beacon.ts';
import type { KeyRing } from './key-ring.ts';
import { decodePayload, encodePayload, encodeWin } from './payload.ts';

/**
 * A token, in base64url: version, kind and key id in the clear, the nonce, the payload under
 * AES-256-GCM and the tag. The clear bytes are authenticated with the rest, so that a token of one
 * kind is no token of another.
 */
const VERSION = 1;
const HEADER_BYTES = 4;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** The longest token in characters, with the longest addresses and room for long texts. */
export const TOKEN_LENGTH_MAX = 8 * 1024;

/** The longest `url` of each kind in bytes of UTF-8. */
const URL_BYTES_MAX: Readonly<Record<BeaconKind, number>> = {
  win: NURL_BYTES_MAX,
  impression: BURL_BYTES_MAX,
  view: 0,
  click: CLICK_URL_BYTES_MAX,
};

/** Gives 12 bytes from chance that were never given before; they may change at the next call. */
export type NonceSource = () => Uint8Array;

/**
 * Seals the token of one kind; the addresses are those of `Beacon`, empty for none.
 *
 * @throws TypeError when an address is too long for its kind.
 */
export type SealKind = (kind: BeaconKind, url?: string, winUrl?: string) => string;

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
 * Prepares the tokens of one won impression, with the ring's current key. What they have in common
 * is encoded once, so that each of several takes little more than its cipher.
 *
 * @throws TypeError when a field of the impression, or later a nonce, has not its form.
 */
export function sealerOf(
  win: Pick<Beacon, 'home' | 'imp'>,
  ring: KeyRing,
  drawNonce: NonceSource,
): SealKind {
  const { id, secret } = ring.current;
  const common = encodeWin(win);
  return (kind, url = '', winUrl = '') => {
    assertLength(`the address of a ${kind}`, url, URL_BYTES_MAX[kind]);
    assertLength('the win notice', winUrl, NURL_BYTES_MAX);
    const nonce = drawNonce();
    if (nonce.length !== NONCE_BYTES) throw new TypeError(`a nonce has ${NONCE_BYTES} bytes`);
    const header = headerOf(kind, id);
    const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(header);
    const sealed = cipher.update(encodePayload(common, url, winUrl));
    cipher.final();
    const token = Buffer.concat([header, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    if (token.length > TOKEN_LENGTH_MAX) throw new TypeError('the texts of a token are too long');
    return token;
  };
}

/** Seals one beacon by itself; see `sealerOf`. */
export function sealToken(beacon: Beacon, ring: KeyRing, nonce: Uint8Array): string {
  const { kind, url, winUrl } = beacon;
  return sealerOf(beacon, ring, () => nonce)(kind, url, winUrl);
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
  const claimed = BEACON_KINDS[(bytes[1] ?? 0) - 1];
  if (claimed === undefined) return refuse('malformed');
  if (claimed !== kind) return refuse('wrong_kind');
  const key = ring.byId.get(bytes.readUInt16BE(2));
  if (key === undefined) return refuse('unknown_key');
  const payload = unseal(bytes, key.secret);
  if (payload === null) return refuse('tampered');
  const beacon = decodeBeacon(kind, payload);
  if (beacon === null) return refuse('malformed');
  const leftMs = beacon.imp.expires_ms - nowMs;
  if (leftMs <= 0) return { ok: false, reason: 'expired', beacon };
  if (leftMs > TOKEN_LIFE_MAX_MS + CLOCK_SKEW_MAX_MS) return refuse('lives_too_long');
  return { ok: true, beacon };
}

function assertLength(what: string, text: string, bytesMax: number): void {
  if (Buffer.byteLength(text) > bytesMax) {
    throw new TypeError(`${what} has at most ${bytesMax} bytes`);
  }
}

function headerOf(kind: BeaconKind, keyId: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header[0] = VERSION;
  header[1] = BEACON_KINDS.indexOf(kind) + 1;
  header.writeUInt16BE(keyId, 2);
  return header;
}

/**
 * Null for what is not exactly our own writing: Node's decoder skips over foreign characters and
 * ignores the last character's spare bits, so that one token would have several spellings.
 */
function decodeText(text: string): Buffer | null {
  if (text.length > TOKEN_LENGTH_MAX) return null;
  const bytes = Buffer.from(text, 'base64url');
  const least = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;
  return bytes.length > least && bytes.toString('base64url') === text ? bytes : null;
}

function unseal(bytes: Buffer, secret: Uint8Array): Buffer | null {
  const sealedAt = HEADER_BYTES + NONCE_BYTES;
  const tagAt = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(HEADER_BYTES, sealedAt), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(bytes.subarray(0, HEADER_BYTES)).setAuthTag(bytes.subarray(tagAt));
  const payload = decipher.update(bytes.subarray(sealedAt, tagAt));
  try {
    decipher.final();
    return payload;
  } catch {
    return null;
  }
}

/** Null for a payload that our own key sealed and this version cannot read. */
function decodeBeacon(kind: BeaconKind, payload: Buffer): Beacon | null {
  try {
    return decodePayload(kind, payload);
  } catch {
    return null;
  }
}

function refuse(reason: Exclude<TokenRefusal, 'expired'>): OpenedToken {
  return { ok: false, reason };
}
