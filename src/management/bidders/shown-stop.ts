import type { BidderStop } from '../../configuration/stopped-bidders.ts';
import { showInstant } from '../shown.ts';

/** Null for one that is not stopped. */
export function showStop(stop: BidderStop | null | undefined) {
  return stop ? { reason: stop.reason, since: showInstant(stop.atMs) } : null;
}
