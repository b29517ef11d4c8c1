import Type, { type Static } from 'typebox';
import { NAME } from '../../resources/vocabulary.ts';
import { BidderSchema } from '../../resources/bidder.ts';
import { INSTANT, shownSchema } from '../shown.ts';

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

/** A bidder as it is shown. */
export const ShownBidderSchema = shownSchema('Bidder', {
  ...BidderSchema.properties,
  stopped: SHOWN_STOP,
});

export type ShownBidder = Static<typeof ShownBidderSchema>;

/** Why all calls are to stop. */
export const NewStopSchema = Type.Object(
  { reason: NAME },
  { additionalProperties: false, title: 'a stop' },
);

export type NewStop = Static<typeof NewStopSchema>;
