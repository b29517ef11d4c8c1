import type { Static } from 'typebox';
import { DataSchema } from './data.ts';
import { GeoSchema } from './device.ts';
import {
  advisory,
  array,
  code,
  ext,
  integer,
  longText,
  NEVER_SENT,
  object,
  optional,
  text,
} from './fields.ts';
import { UserExtSchema } from './outgoing-ext.ts';
import { filled, requested, setHere, unsent } from './filling.ts';

/** User, section 2.19. */
export const UserSchema = filled(
  object(
    'The person who sees the ad.',
    {
      id: optional(text("The exchange's user id; not mapped.", { 'x-outgoing': NEVER_SENT })),
      buyeruid: optional(text("The buyer's user id.")),
      yob: optional(integer('Year of birth.', { 'x-outgoing': { minimum: 1000, maximum: 9999 } })),
      gender: optional(code('M, F or O; omitted = unknown.', { enum: ['M', 'F', 'O'] })),
      keywords: optional(longText('Keywords, comma-separated.')),
      customdata: optional(longText("The bidder's data in the exchange's cookie.")),
      geo: optional(GeoSchema),
      data: optional(array(DataSchema, 'Data about the user.')),
      ext: ext("Carries `consent`, the user's consent string.", UserExtSchema),
    },
    ['id', 'buyeruid'],
    advisory('id', 'yob', 'gender', 'keywords', 'customdata', 'data'),
  ),
  {
    id: unsent('Never sent: not mapped (section 2.19).'),
    buyeruid: requested(
      "The bidder's own of `user.ext.prebid.buyeruids`, which has one for each demand partner by its id, else the one that it set in the exchange's cookie; left out where privacy asks for it.",
    ),
    customdata: setHere(
      "What the bidder's own answer had kept in the exchange's cookie, if the request comes from that browser; left out where privacy asks for it.",
    ),
    yob: requested('As the request says, left out where privacy asks for it.'),
    gender: requested('As the request says, left out where privacy asks for it.'),
    keywords: requested('As the request says, left out where privacy asks for it.'),
    geo: requested('See Geo.'),
    data: requested('As the request says, left out where privacy takes identifiers.'),
    ext: requested('Its `consent`.'),
  },
);
export type User = Static<typeof UserSchema>;
