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
  recommended,
  listed,
} from './fields.ts';
import { requested, setHere, unsent } from './filling.ts';
import { since, before, inVersion } from './variations.ts';
import { MATCH_METHODS } from './later-lists.ts';
import { keywordArray } from './later-fields.ts';

const EIDS = 'As the request says, left out where privacy takes identifiers or the buyer id.';

/** UID, OpenRTB 2.6 section 3.2.28. */
export const UidSchema = object('An id of the user.', {
  id: optional(text('The id.'), requested(EIDS)),
  atype: optional(
    integer('1 = of a browser or device, 2 = of an app, 3 = of a person.'),
    advisory,
    requested(EIDS),
  ),
  ext: ext(),
});

/** EID, OpenRTB 2.6 section 3.2.27: what one system calls the user. */
export const EidSchema = object('Ids of the user of one source.', {
  inserter: optional(text('Domain of who added the ids.'), advisory, requested(EIDS)),
  source: optional(text('Domain of who made the ids.'), requested(EIDS)),
  matcher: optional(text('Domain of who matched them.'), advisory, requested(EIDS)),
  mm: optional(listed(MATCH_METHODS), advisory, requested(EIDS)),
  uids: optional(array(UidSchema, 'The ids.'), requested(EIDS)),
  ext: ext(),
});
export type Eid = Static<typeof EidSchema>;

/** User, section 2.19. */
export const UserSchema = object('The person who sees the ad.', {
  id: optional(
    text("The exchange's user id; not mapped.", { 'x-outgoing': NEVER_SENT }),
    recommended,
    advisory,
    unsent('Never sent: not mapped (section 2.19).'),
  ),
  buyeruid: optional(
    text("The buyer's user id."),
    recommended,
    requested(
      "The bidder's own of `user.ext.prebid.buyeruids`, which has one for each demand partner by its id, else the one that it set in the exchange's cookie; left out where privacy asks for it.",
    ),
  ),
  yob: optional(
    integer('Year of birth.', { 'x-outgoing': { minimum: 1000, maximum: 9999 } }),
    advisory,
    requested('As the request says, left out where privacy asks for it.'),
  ),
  gender: optional(
    code('M, F or O; omitted = unknown.', { enum: ['M', 'F', 'O'] }),
    advisory,
    requested('As the request says, left out where privacy asks for it.'),
  ),
  keywords: optional(
    longText('Keywords, comma-separated.'),
    advisory,
    requested('As the request says, left out where privacy asks for it.'),
  ),
  kwarray: keywordArray(requested('As the request says, left out where privacy asks for it.')),
  customdata: optional(
    longText("The bidder's data in the exchange's cookie."),
    advisory,
    setHere(
      "What the bidder's own answer had kept in the exchange's cookie, if the request comes from that browser; left out where privacy asks for it.",
    ),
  ),
  geo: optional(GeoSchema, requested('See Geo.')),
  data: optional(
    array(DataSchema, 'Data about the user.'),
    advisory,
    requested('As the request says, left out where privacy takes identifiers.'),
  ),
  consent: optional(
    longText("The user's consent string."),
    before('2.6', { at: 'ext/consent' }),
    requested(),
  ),
  eids: optional(
    array(EidSchema, 'Ids of the user of other systems.'),
    advisory,
    since('2.6'),
    inVersion('2.5', { at: 'ext/eids' }),
    requested(EIDS),
  ),
  ext: ext(),
});
export type User = Static<typeof UserSchema>;
