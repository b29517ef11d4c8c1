import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { emptiedMatch, isUid, NO_MATCH, UID_LENGTH_MAX, type Match } from '../matching/match.ts';
import { isReturnSigned } from '../matching/return-signature.ts';
import type { CookieUser } from '../matching/user-cookies.ts';
import { allowsStorage, privacyFor } from '../privacy/effects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answerError, answerPixel } from './answer.ts';
import { queryOf, querySignals } from './query-signals.ts';
import type { UserPair, UserParts } from './user-matching.ts';
import type { SyncOutcome } from './user-metrics.ts';

/**
 * `GET /setuid`: a partner tells its id of the user. Only who came from a page of `/sync` in this
 * browser, within the hour, and for this partner, can: that is what the signature says.
 */
export function handleSetuid(parts: UserParts, { request, response, snapshot }: UserPair): void {
  const query = queryOf(request.url);
  const partnerId = partnerOf(query, snapshot);
  if (partnerId === null) return refuse(response, 'partner', 'there is no such demand partner');
  const user = parts.cookies.read(request.headers.cookie);
  const outcome = outcomeOf(parts, { query, user, partnerId, snapshot, headers: request.headers });
  parts.metrics.countSync(partnerId, outcome);
  switch (outcome) {
    case 'no_cookie':
    case 'refused':
      return refuse(response, 'sig', 'this address was not made for this partner and browser');
    case 'invalid':
      return refuse(
        response,
        'uid',
        `an id has 1 to ${UID_LENGTH_MAX} visible ASCII characters, without quotes, <, >, \\, $, { and }; was a macro not filled?`,
      );
    case 'opted_out':
      if (user.names.length > 0) response.setHeader('set-cookie', parts.cookies.forget(user));
      return answerPixel(response);
    case 'stored':
    case 'removed':
    case 'no_consent': {
      const uid = outcome === 'stored' ? (query.get('uid') ?? '') : null;
      keep(parts, { user, partnerId, uid, forgetsData: outcome === 'no_consent' }, response);
      return answerPixel(response);
    }
  }
}

type SetuidOutcome = Exclude<SyncOutcome, 'offered' | 'customdata'>;

interface Visit {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: CookieUser;
  readonly partnerId: number;
  readonly snapshot: Snapshot;
}

/** What is to become of the id. Whose address it is comes first: nobody else learns anything. */
function outcomeOf(
  { keys, nowS }: UserParts,
  { query, headers, user, partnerId, snapshot }: Visit,
): SetuidOutcome {
  if (user.optedOut) return 'opted_out';
  const { browser } = user;
  if (browser === null) return 'no_cookie';
  const grant = { partnerId, browser, untilS: Number(query.get('until') ?? '') };
  if (!isReturnSigned(grant, query.get('sig') ?? '', keys.ring, nowS())) return 'refused';
  const signals = querySignals(query, headers, user.optedOut);
  const gvlId = snapshot.demandPartners.get(partnerId)?.bidder?.gvlId ?? null;
  const isAllowed =
    allowsStorage(signals, snapshot.exchange.gvlId) && privacyFor(signals, gvlId).buyeruid;
  if (!isAllowed) return signals.optedOut ? 'opted_out' : 'no_consent';
  const uid = query.get('uid') ?? '';
  if (uid === '') return 'removed';
  return isUid(uid) ? 'stored' : 'invalid';
}

interface Change {
  readonly user: CookieUser;
  readonly partnerId: number;
  /** Null takes the id away. */
  readonly uid: string | null;
  readonly forgetsData: boolean;
}

function keep(
  { cookies, nowS }: UserParts,
  { user, partnerId, uid, forgetsData }: Change,
  response: ServerResponse,
): void {
  const match = user.matches.get(partnerId) ?? NO_MATCH;
  const next: Match = forgetsData
    ? emptiedMatch(match, nowS())
    : { ...match, uid: uid ?? '', uidSetS: nowS() };
  if (user.browser === null) throw new Error('an id for a browser that nobody knows');
  response.setHeader(
    'set-cookie',
    cookies.keepChanges(user, user.browser, new Map([[partnerId, next]])),
  );
}

/** A partner that is known, whether or not it matches users now: it may take back what it set. */
function partnerOf(query: URLSearchParams, { demandPartners }: Snapshot): number | null {
  const text = query.get('partner') ?? '';
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return demandPartners.has(id) ? id : null;
}

function refuse(response: ServerResponse, parameter: string, message: string): void {
  answerError(response, 'invalid_parameter', [{ pointer: parameter, message }]);
}
