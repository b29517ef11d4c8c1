import Type, { type Static } from 'typebox';
import { BASIS_POINTS } from '../base/money.ts';
import { backfillOf, BACKFILL } from './backfill.ts';
import { BLOCKING } from './blocking.ts';
import { FieldTable } from './field-table.ts';
import { flag, json, numberOrNull, price, settled, shareOrNull, text } from './field.ts';
import { FLOORS } from './floors.ts';
import { BANNER, NATIVE, VIDEO, bannerSettings, nativeSettings, videoSettings } from './formats.ts';
import { REFRESH, refreshOf } from './refresh.ts';
import { ID, NAME, STATUS, list, mapping, whole } from './vocabulary.ts';

const SECONDS_MAX = 86_400;

/** A place for an ad in an app or on a site. */
export const AD_SPACE = new FieldTable({
  name: text(NAME, '', { isNeeded: true }),
  status: text(STATUS, 'ACTIVE'),
  banner: settled(BANNER, bannerSettings),
  video: settled(VIDEO, videoSettings),
  native: settled(NATIVE, nativeSettings),
  /** The least that holds everywhere and for all formats; `floors` may ask for more. */
  floor: price({ column: 'floor_micros' }),
  floors: FLOORS,
  auction: text(
    Type.Enum(['second_price', 'first_price'], { description: 'second_price or first_price' }),
    'second_price',
    { column: 'auction_type' },
  ),
  interstitial: flag(0),
  rewarded: flag(0),
  /** OpenRTB list 5.4. */
  pos: numberOrNull(whole(0, 7, ', from OpenRTB list 5.4')),
  /** How likely an impression is seen, from 0 to 1 in a snapshot as well; null tells nobody. */
  viewability: {
    ...shareOrNull({ column: 'viewability_bps', entity: 'viewability' }),
    carry: (points: number | null) => (points === null ? null : points / BASIS_POINTS),
  },
  /** Seconds that may pass between auction and impression; null does not say. */
  exp: numberOrNull(whole(1, SECONDS_MAX, ' (seconds)')),
  /** Names of the iframe busters that are there. */
  iframebusters: json(list(NAME, 'names of iframe busters', 20), '[]'),
  /** Null is no limit. */
  refresh: settled(REFRESH, refreshOf),
  backfill: settled(BACKFILL, backfillOf),
  ...BLOCKING,
});

export const AdSpaceSchema = mapping('an ad space', { id: ID, ...AD_SPACE.inputs });

export type AdSpaceInput = Static<typeof AdSpaceSchema>;
