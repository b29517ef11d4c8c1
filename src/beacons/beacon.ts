import type { BeaconKind, WonImp } from '../events/beacon-record.ts';

/**
 * What is sealed of a won impression: all that any of its beacons says. Every one of its tokens
 * carries the whole of it.
 */
export interface SealedWin {
  /** As in `Beacon`. */
  readonly home: string;
  /** The notice that an impression makes due, macros substituted; empty for none. */
  readonly burl: string;
  /** The notice that a confirmed win makes due, where the publisher decides; else empty. */
  readonly nurl: string;
  /** Where a click leads; empty for nowhere. */
  readonly clickUrl: string;
  readonly imp: WonImp;
}

/**
 * What a sealed address says: that this happened to that impression. The exchange seals one for
 * each kind when an auction is won; whoever calls the address can read none of it.
 */
export interface Beacon {
  readonly kind: BeaconKind;
  /**
   * The tracker that counts it, by the incarnation of its data directory (16 hexadecimal digits):
   * only the journal in there knows what was counted already.
   */
  readonly home: string;
  /**
   * Where a click leads, the `burl` that an impression makes due, the `nurl` that a win does; macros
   * substituted. Empty for none, and for a view.
   */
  readonly url: string;
  /**
   * The `nurl` of an impression where the publisher decides (`fd` = 1): what is on the screen was
   * taken, so that an impression confirms the win as well. Empty for none, and for the other kinds.
   */
  readonly winUrl: string;
  readonly imp: WonImp;
}

/** The longest addresses in a token, in bytes of UTF-8: it has to fit into an address itself. */
export const BURL_BYTES_MAX = 1024;
export const NURL_BYTES_MAX = 2048;
export const CLICK_URL_BYTES_MAX = 2048;

/** The life of a token whose bid does not say otherwise. */
export const TOKEN_LIFE_MS = 60 * 60 * 1000;

/**
 * The longest life of a token, whatever the bid says. Trackers remember for so long what they
 * counted, so the journal's segments with beacons in them are kept at least as long.
 */
export const TOKEN_LIFE_MAX_MS = 4 * TOKEN_LIFE_MS;

/** By how much the clocks of two machines, or of one before and after a correction, may differ. */
export const CLOCK_SKEW_MAX_MS = 5 * 60 * 1000;

/** What the token of one kind says of the win that it was sealed with. */
export function beaconOf(kind: BeaconKind, win: SealedWin): Beacon {
  const { home, burl, nurl, clickUrl, imp } = win;
  switch (kind) {
    case 'win':
      return { kind, home, url: nurl, winUrl: '', imp };
    case 'impression':
      return { kind, home, url: burl, winUrl: nurl, imp };
    case 'view':
      return { kind, home, url: '', winUrl: '', imp };
    case 'click':
      return { kind, home, url: clickUrl, winUrl: '', imp };
  }
}

/**
 * When the tokens of a win expire, in Unix time in milliseconds.
 *
 * @param wonMs when the auction ended, in Unix time in milliseconds.
 * @param expS the bid's `exp`: seconds that the bidder is willing to wait for the impression.
 */
export function expiryOf(wonMs: number, expS: number | undefined): number {
  if (expS === undefined || !(expS > 0)) return wonMs + TOKEN_LIFE_MS;
  return wonMs + Math.min(Math.ceil(expS * 1000), TOKEN_LIFE_MAX_MS);
}
