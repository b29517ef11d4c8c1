import type { ServerResponse } from 'node:http';
import { chooseSyncs, OFFER_AGAIN_S, PAGE_EVERY_S, SYNCS_MAX } from '../matching/choose-syncs.ts';
import { NO_MATCH, saysSomething, type Match } from '../matching/match.ts';
import { RETURN_KEPT_S, signReturn } from '../matching/return-signature.ts';
import { fillSyncUrl, signalParameters } from '../matching/sync-macros.ts';
import type { CookieUser } from '../matching/user-cookies.ts';
import { allowsStorage, privacyFor } from '../privacy/effects.ts';
import type { Signals } from '../privacy/signals.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answerJson, answerPage } from './answer.ts';
import { queryOf, querySignals } from './query-signals.ts';
import { renderSyncPage, SYNC_PAGE_POLICY, type Sync } from './sync-page.ts';
import { isSiteOrigin, syncPartnersOf } from './sync-partners.ts';
import type { UserPair, UserParts } from './user-matching.ts';

/**
 * `GET /sync`: a page for a hidden frame that opens the addresses of the partners that may know the
 * user and don't yet. It also tidies the browser's cookies: it brings together what partners have
 * set, and removes what the user's consent no longer allows.
 */
export function handleSync(parts: UserParts, { request, response, snapshot }: UserPair): void {
  const query = queryOf(request.url);
  const user = parts.cookies.read(request.headers.cookie);
  const signals = querySignals(query, request.headers, user.optedOut);
  const syncs = syncsFor(parts, { user, signals, snapshot }, countMaxOf(query), response);
  if (query.get('format') === 'json') {
    allowSites(snapshot, request.headers.origin, response);
    return answerJson(response, 200, { syncs });
  }
  return answerPage(response, renderSyncPage(syncs), SYNC_PAGE_POLICY);
}

interface Visit {
  readonly user: CookieUser;
  readonly signals: Signals;
  readonly snapshot: Snapshot;
}

/** Chooses the page's partners and writes the cookies that go with it. */
function syncsFor(
  parts: UserParts,
  { user, signals, snapshot }: Visit,
  countMax: number,
  response: ServerResponse,
): readonly Sync[] {
  const { cookies, metrics, drawBrowser } = parts;
  const nowS = parts.nowS();
  const mayKnow = knowerOf(signals, snapshot);
  const partners = syncPartnersOf(snapshot);
  const allowed = [...partners.keys()].filter(mayKnow);
  const isLimited = nowS < user.pageS + PAGE_EVERY_S;
  const chosen = isLimited ? [] : chooseSyncs(allowed, user.matches, nowS, countMax);

  const matches = new Map<number, Match>();
  for (const [id, match] of user.matches) {
    if (mayKnow(id) && saysSomething(match, nowS - OFFER_AGAIN_S)) matches.set(id, match);
  }
  for (const id of chosen) {
    matches.set(id, { ...(matches.get(id) ?? NO_MATCH), offeredS: nowS });
    metrics.countSync(id, 'offered');
  }
  if (matches.size === 0) {
    if (user.names.length > 0) response.setHeader('set-cookie', cookies.forget(user));
    return [];
  }
  const browser = user.browser ?? drawBrowser();
  const pageS = chosen.length === 0 ? user.pageS : nowS;
  response.setHeader('set-cookie', cookies.keepAll(user, { browser, pageS, matches }));
  return chosen.flatMap((id) => {
    const partner = partners.get(id);
    if (partner === undefined) return [];
    const redirect = returnAddress(parts, { partnerId: id, browser, signals });
    return [{ partner: id, type: partner.type, url: fillSyncUrl(partner.url, signals, redirect) }];
  });
}

/** Which partners may know the user, of those of today and of those of a cookie. */
function knowerOf(signals: Signals, snapshot: Snapshot): (partnerId: number) => boolean {
  if (!allowsStorage(signals, snapshot.exchange.gvlId)) return () => false;
  return (partnerId) => {
    const bidder = snapshot.demandPartners.get(partnerId)?.bidder;
    return privacyFor(signals, bidder?.gvlId ?? null).buyeruid;
  };
}

/** Where a partner sends the browser back to; its id of the user comes behind the end. */
function returnAddress(
  { exchangeUrl, keys, nowS }: UserParts,
  { partnerId, browser, signals }: { partnerId: number; browser: string; signals: Signals },
): string {
  const untilS = nowS() + RETURN_KEPT_S;
  const query = new URLSearchParams([
    ['partner', String(partnerId)],
    ['until', String(untilS)],
    ['sig', signReturn({ partnerId, browser, untilS }, keys.ring)],
    ...signalParameters(signals),
    ['uid', ''],
  ]);
  return `${exchangeUrl}/setuid?${query.toString()}`;
}

function countMaxOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? '';
  return /^[0-9]{1,2}$/.test(text) ? Number(text) : SYNCS_MAX;
}

/**
 * The list says where ids of this browser may be set, which is nothing for strangers: pages of the
 * exchange's own sites may read it.
 */
function allowSites(
  snapshot: Snapshot,
  origin: string | undefined,
  response: ServerResponse,
): void {
  response.setHeader('vary', 'origin');
  if (origin === undefined || !isSiteOrigin(snapshot, origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
}
