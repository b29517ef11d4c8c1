import type { IncomingMessage } from 'node:http';
import { answerError, answerPage } from './answer.ts';
import { queryOf } from './query-signals.ts';
import { OPT_OUT_PAGE_POLICY, renderOptOutPage } from './sync-page.ts';
import type { UserPair, UserParts } from './user-matching.ts';

/**
 * `/optout`: the page on which people opt out of matching, and in again. The choice is made by a
 * form of this page (POST) and not by an address, so that no other site makes it for its visitors.
 */
export function handleOptOut(
  { cookies, exchangeUrl }: UserParts,
  { request, response }: Omit<UserPair, 'snapshot'>,
): void {
  const user = cookies.read(request.headers.cookie);
  if (request.method !== 'POST') {
    return answerPage(response, renderOptOutPage(user.optedOut), OPT_OUT_PAGE_POLICY);
  }
  // What stands in the body says nothing.
  request.resume();
  const choice = queryOf(request.url).get('choice');
  if (choice !== 'out' && choice !== 'in') {
    return answerError(response, 'invalid_parameter', [
      { pointer: 'choice', message: 'must be out or in' },
    ]);
  }
  if (!isOwnForm(request, exchangeUrl)) {
    return answerError(response, 'invalid_parameter', [
      { pointer: 'choice', message: 'is made on the page at this address' },
    ]);
  }
  response.setHeader('set-cookie', choice === 'out' ? cookies.optOut(user) : cookies.optIn());
  return answerPage(response, renderOptOutPage(choice === 'out'), OPT_OUT_PAGE_POLICY);
}

/** Browsers say where a form comes from, and pages cannot make them say another thing. */
function isOwnForm({ headers }: IncomingMessage, exchangeUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = URL.parse(headers.origin ?? '');
  if (origin === null) return false;
  return origin.host === headers.host || origin.origin === URL.parse(exchangeUrl)?.origin;
}
