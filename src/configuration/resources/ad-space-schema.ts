import Type, { type Static } from 'typebox';
import {
  FLOOR,
  ID,
  NAME,
  SHARE,
  STATUS,
  YES_OR_NO,
  list,
  mapping,
  nullable,
  whole,
} from '../fields.ts';
import { BANNER, NATIVE, VIDEO } from './ad-space-formats-schema.ts';
import { BLOCKING_KEYS } from './blocking-schema.ts';
import { BACKFILL } from './backfill-schema.ts';
import { FLOORS } from './floors-schema.ts';
import { REFRESH } from './refresh-schema.ts';

const SECONDS_MAX = 86_400;

/** A place for an ad in an app or on a site. */
export const AdSpaceSchema = mapping('an ad space', {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  banner: Type.Optional(nullable(BANNER)),
  video: Type.Optional(nullable(VIDEO)),
  native: Type.Optional(nullable(NATIVE)),
  floor: Type.Optional(FLOOR),
  floors: FLOORS,
  auction: Type.Optional(
    Type.Enum(['second_price', 'first_price'], { description: 'second_price or first_price' }),
  ),
  interstitial: Type.Optional(YES_OR_NO),
  rewarded: Type.Optional(YES_OR_NO),
  pos: Type.Optional(nullable(whole(0, 7, ', from OpenRTB list 5.4'))),
  viewability: Type.Optional(nullable(SHARE)),
  exp: Type.Optional(nullable(whole(1, SECONDS_MAX, ' (seconds)'))),
  iframebusters: Type.Optional(list(NAME, 'names of iframe busters', 20)),
  refresh: Type.Optional(nullable(REFRESH)),
  backfill: Type.Optional(nullable(BACKFILL)),
  ...BLOCKING_KEYS,
});

export type AdSpaceInput = Static<typeof AdSpaceSchema>;
