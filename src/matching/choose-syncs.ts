import { NO_MATCH, type Matches } from './match.ts';

const DAY_S = 24 * 60 * 60;

/** An id is asked for anew after this time, long before it expires. */
export const FRESH_S = 30 * DAY_S;

/** A partner that was offered a page and set nothing is not offered another one for so long. */
export const OFFER_AGAIN_S = DAY_S;

/** Partners on one page: each costs the page's visitor a request or several. */
export const SYNCS_MAX = 5;

/** A browser gets one page with partners in this time, however often it opens one. */
export const PAGE_EVERY_S = 60;

/**
 * The partners that a page offers: those that may and need to be matched, the longest unmatched
 * first, by id where nobody is first.
 *
 * @param partnerIds that may be matched under the user's consent.
 * @param nowS Unix time in seconds.
 */
export function chooseSyncs(
  partnerIds: readonly number[],
  matches: Matches,
  nowS: number,
  countMax: number = SYNCS_MAX,
): readonly number[] {
  const due: { readonly partnerId: number; readonly lastS: number }[] = [];
  for (const partnerId of partnerIds) {
    const { uid, uidSetS, offeredS } = matches.get(partnerId) ?? NO_MATCH;
    const isFresh = uid !== '' && nowS < uidSetS + FRESH_S;
    if (isFresh || nowS < offeredS + OFFER_AGAIN_S) continue;
    due.push({ partnerId, lastS: Math.max(uidSetS, offeredS) });
  }
  due.sort((a, b) => a.lastS - b.lastS || a.partnerId - b.partnerId);
  return due.slice(0, Math.min(countMax, SYNCS_MAX)).map(({ partnerId }) => partnerId);
}
