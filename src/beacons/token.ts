import { createCipheriv, createDecipheriv } from 'node:crypto';

import { BEACON_KINDS, type BeaconKind } from '../events/beacon-record.ts';
import {
  CLICK_URL_BYTES_MAX,
  CLOCK_SKEW_MAX_MS,
  NOTICE_URL_BYTES_MAX,
  TOKEN_LIFE_MAX_MS,
  type Beacon,
} from './beacon.ts';
import type { KeyRing } from './key-ring.ts';
import { decodePayload, encodePayload } from './payload.ts';

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

/** The longest token in characters, with the longest address and room for long texts. */
export const TOKEN_LENGTH_MAX = 6 * 1024;

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
  | { readonly ok: false; readonly reason: TokenRefusal };

/**
 * Seals a beacon with the ring's current key.
 *
 * @param nonce 12 bytes from chance, never used before.
 * @throws TypeError when the nonce or a field of the beacon has not its form, or `url` is too long.
 */
export function sealToken(beacon: Beacon, ring: KeyRing, nonce: Uint8Array): string {
  assertUrl(beacon);
  if (nonce.length !== NONCE_BYTES) throw new TypeError(`a nonce has ${NONCE_BYTES} bytes`);
  const { id, secret } = ring.current;
  const header = headerOf(beacon.kind, id);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(header);
  const sealed = cipher.update(encodePayload(beacon));
  cipher.final();
  return Buffer.concat([header, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
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
  if (leftMs <= 0) return refuse('expired');
  if (leftMs > TOKEN_LIFE_MAX_MS + CLOCK_SKEW_MAX_MS) return refuse('lives_too_long');
  return { ok: true, beacon };
}

function assertUrl({ kind, url }: Beacon): void {
  const bytesMax = kind === 'click' ? CLICK_URL_BYTES_MAX : NOTICE_URL_BYTES_MAX;
  if (Buffer.byteLength(url) > bytesMax) {
    throw new TypeError(`the address of a ${kind} has at most ${bytesMax} bytes`);
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

function refuse(reason: TokenRefusal): OpenedToken {
  return { ok: false, reason };
}
