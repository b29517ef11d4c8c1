import Type from 'typebox';
import type { BidderStop } from '../../configuration/stopped-bidders.ts';
import { INSTANT, showInstant } from '../shown.ts';

/** Whether the operator lets nobody call a demand partner, as it and its bidder show it. */
export const SHOWN_STOP = Type.Union(
  [
    Type.Object(
      {
        reason: Type.String({ description: 'why, in the words of who stopped it' }),
        since: INSTANT,
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'null, unless the operator has stopped all calls to its bidder' },
);

/** Null for one that is not stopped. */
export function showStop(stop: BidderStop | null | undefined) {
  return stop ? { reason: stop.reason, since: showInstant(stop.atMs) } : null;
}
