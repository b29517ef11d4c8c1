import { LossReason } from '../openrtb/loss-reason.ts';
import { checkCreative, checkFormat, formatOfMarkup } from './creative.ts';
import type { Objection } from './objection.ts';
import { checkReviews } from './creative-reviews.ts';
import type { Candidate } from './offer.ts';

export type TakenMarkup =
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly objection: Objection };

/**
 * Takes the markup that came with the answer to a winner's notice, and holds it against all that
 * markup in a bid is held against.
 */
export function takeLateMarkup(candidate: Candidate, adm: string): TakenMarkup {
  if (adm.trim() === '') {
    const detail = 'the answer to the win notice is empty';
    return { ok: false, objection: { reason: LossReason.MissingMarkup, detail } };
  }
  const format = formatOfMarkup(adm);
  const objection =
    checkFormat(format, candidate.format) ??
    checkCreative(candidate.bid, adm, format, candidate.imp) ??
    checkReviews(candidate.bid, adm, candidate.demandPartnerId, candidate.imp.creativeRules);
  if (objection !== null) return { ok: false, objection };
  return { ok: true, candidate: { ...candidate, format, adm } };
}
