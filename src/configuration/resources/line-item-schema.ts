import Type, { type Static } from 'typebox';
import { TargetingSchema } from '../../snapshot/targeting.ts';
import { FLOOR, ID, NAME, SEAT, SPEND, STATUS, mapping, nullable, whole } from '../fields.ts';

const QPS_LIMIT = 10_000_000;
const DAILY_IMPRESSIONS_LIMIT = 1_000_000_000_000;

const CAPPING = mapping('capping', {
  max_qps: Type.Optional(nullable(whole(1, QPS_LIMIT, ', or null for no limit'))),
  max_daily_impressions: Type.Optional(
    nullable(whole(1, DAILY_IMPRESSIONS_LIMIT, ', or null for no limit')),
  ),
  max_daily_spend: Type.Optional(nullable(SPEND)),
});

/** What a demand partner buys: which traffic, for which seat, above which price, up to how much. */
export const LineItemSchema = mapping('a line item', {
  id: ID,
  name: Type.Optional(NAME),
  description: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'a text of at most 2000 characters' }),
  ),
  status: Type.Optional(STATUS),
  seat: Type.Optional(nullable(SEAT)),
  floor: Type.Optional(FLOOR),
  capping: Type.Optional(CAPPING),
  targeting: Type.Optional(TargetingSchema),
});

export type CappingInput = Static<typeof CAPPING>;
export type LineItemInput = Static<typeof LineItemSchema>;
