import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyRing } from '../beacons/key-ring.ts';
import type { CallerUser } from '../exchange/facts.ts';
import type { Keepsake } from '../exchange/keepsakes.ts';
import { NO_MATCH, type Match } from '../matching/match.ts';
import { NOBODY, type CookieUser, type UserCookies } from '../matching/user-cookies.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { hasGlobalOptOut } from './query-signals.ts';
import type { UserMetrics } from './user-metrics.ts';

/** What the routes of user matching work with. */
export interface UserParts {
  readonly cookies: UserCookies;
  readonly keys: { readonly ring: KeyRing };
  readonly metrics: UserMetrics;
  /** Where browsers reach the exchange, without a slash at the end. */
  readonly exchangeUrl: string;
  /** A new browser's id, from chance, hexadecimal. */
  readonly drawBrowser: () => string;
  /** Unix time in seconds, whole. */
  readonly nowS: () => number;
}

/** What a route of user matching answers. */
export interface UserPair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly snapshot: Snapshot;
}

/** The user behind an ad request, and what an auction needs to know of it. */
export interface AuctionUser {
  readonly cookies: CookieUser;
  readonly caller: CallerUser;
}

const NOBODY_ASKS: AuctionUser = {
  cookies: NOBODY,
  caller: { optedOut: false, matches: NOBODY.matches },
};

/** Reads who asks, for an auction; somebody without cookies costs nothing. */
export function readAuctionUser({ cookies }: UserParts, { headers }: IncomingMessage): AuctionUser {
  const globally = hasGlobalOptOut(headers);
  if (headers.cookie === undefined && !globally) return NOBODY_ASKS;
  const user = cookies.read(headers.cookie);
  const optedOut = globally || user.optedOut;
  return { cookies: user, caller: { optedOut, matches: user.matches } };
}

/**
 * Lets the browser keep what bidders want kept. Call it before the answer, and only where the request
 * came from the user's browser: a publisher's server would mix up its users.
 */
export function setKeepsakes(
  { cookies, metrics, drawBrowser, nowS }: UserParts,
  { cookies: user, caller }: AuctionUser,
  keepsakes: readonly Keepsake[] = [],
  response: ServerResponse,
): void {
  if (keepsakes.length === 0 || caller.optedOut) return;
  const browser = user.browser ?? drawBrowser();
  const changes = new Map<number, Match>();
  for (const { demandPartnerId, customdata } of keepsakes) {
    const match = user.matches.get(demandPartnerId) ?? NO_MATCH;
    const isKnown = match.customdata === customdata && nowS() < match.customdataSetS + RENEW_S;
    if (isKnown) continue;
    changes.set(demandPartnerId, { ...match, customdata, customdataSetS: nowS() });
    metrics.countSync(demandPartnerId, 'customdata');
  }
  if (changes.size === 0) return;
  response.setHeader('set-cookie', cookies.keepChanges(user, browser, changes));
}

/** The same again is written no more often than this, so that most answers carry no cookie. */
const RENEW_S = 24 * 60 * 60;
