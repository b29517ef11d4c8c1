import Type, { type Static } from 'typebox';
import { SeenCreativeSchema } from '../../analytics/creatives-wire.ts';
import { INSTANT } from '../shown.ts';

const { properties: SEEN } = SeenCreativeSchema;
const { properties: PLACE } = SEEN.places.items;

const TIMES = { first_seen_at: INSTANT, last_seen_at: INSTANT };

const PlaceSchema = Type.Object(
  {
    publisher_id: PLACE.publisher_id,
    ...TIMES,
    wins: PLACE.wins,
    pending: PLACE.pending,
    verdict: PLACE.verdict,
    by: PLACE.by,
    domain: PLACE.domain,
    reason: PLACE.reason,
  },
  { title: 'CreativePlace', additionalProperties: false },
);

/** A creative as it is shown; see `analytics/creatives-wire.ts` for what the keys say. */
export const ShownCreativeSchema = Type.Object(
  {
    demand_partner_id: SEEN.demand_partner_id,
    crid: SEEN.crid,
    adomain: SEEN.adomain,
    ad_format: SEEN.ad_format,
    w: SEEN.w,
    h: SEEN.h,
    markup_bytes: SEEN.markup_bytes,
    markup: SEEN.markup,
    ...TIMES,
    wins: SEEN.wins,
    pending: SEEN.pending,
    places: Type.Array(PlaceSchema),
  },
  { title: 'Creative', additionalProperties: false },
);

export type ShownCreative = Static<typeof ShownCreativeSchema>;
