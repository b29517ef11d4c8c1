import type { Static } from 'typebox';
import {
  AD_POSITIONS,
  API_FRAMEWORKS,
  BANNER_AD_TYPES,
  CREATIVE_ATTRIBUTES,
  EXPANDABLE_DIRECTIONS,
} from './creative-lists.ts';
import {
  advisory,
  advisoryFlag,
  array,
  code,
  count,
  ext,
  id,
  listed,
  listedArray,
  object,
  optional,
} from './fields.ts';
import { nodeOf } from './schema-node.ts';
import { configured, filled, overridable, requested, setHere, united, unsent } from './filling.ts';

/** Format, section 2.10: a size in pixels, or a ratio with a minimum width. */
export const FormatSchema = filled(
  object(
    'A permitted size.',
    {
      w: optional(count('Width in device independent pixels.')),
      h: optional(count('Height in device independent pixels.')),
      wratio: optional(count('Relative width.')),
      hratio: optional(count('Relative height.')),
      wmin: optional(count('Minimum width in pixels when the size is a ratio.')),
      ext: ext(),
    },
    ['w', 'h'],
  ),
  {
    w: overridable('The first size of the request, else of the ad space.'),
    h: overridable('The first size of the request, else of the ad space.'),
    wratio: unsent('Not sent: sizes are absolute.'),
    hratio: unsent('Not sent: sizes are absolute.'),
    wmin: unsent('Not sent: sizes are absolute.'),
    ext: unsent(),
  },
);
export type Format = Static<typeof FormatSchema>;

/** Banner, section 2.6. */
export const BannerSchema = filled(
  object(
    'A banner on offer.',
    {
      format: optional(
        array(FormatSchema, 'Permitted sizes; the exchange sends one.', {
          'x-outgoing': { minItems: 1, maxItems: 1 },
        }),
      ),
      w: optional(count('Width in pixels; exact when there are no formats, else preferred.')),
      h: optional(count('Height in pixels; exact when there are no formats, else preferred.')),
      wmax: optional(count('Deprecated: maximum width in pixels.')),
      hmax: optional(count('Deprecated: maximum height in pixels.')),
      wmin: optional(count('Deprecated: minimum width in pixels.')),
      hmin: optional(count('Deprecated: minimum height in pixels.')),
      id: optional(id('Unique within the impression; for companions inside a video.')),
      btype: optional(listedArray(BANNER_AD_TYPES, 'Blocked banner ad types.')),
      battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.')),
      pos: optional(listed(AD_POSITIONS)),
      mimes: optional(array(code('A content type.'), 'Supported content types; omitted = all.')),
      topframe: optional(advisoryFlag('0 = iframe, 1 = top frame.')),
      expdir: optional(listedArray(EXPANDABLE_DIRECTIONS, 'Omitted = not expandable.')),
      api: optional(
        listedArray(API_FRAMEWORKS, 'Supported API frameworks; unlisted = unsupported.'),
      ),
      vcm: optional(advisoryFlag('Companion rendering mode; only inside a video.')),
      ext: ext(),
    },
    ['w', 'h', 'format'],
    advisory('wmax', 'hmax', 'wmin', 'hmin', 'id', 'pos', 'topframe', 'expdir', 'api', 'vcm'),
  ),
  {
    format: overridable(
      'One: the first size of the request, else of the ad space. A bid of any of those sizes is valid.',
    ),
    w: overridable('The same size.'),
    h: overridable('The same size.'),
    wmax: unsent('Not sent: superseded by format.'),
    hmax: unsent('Not sent: superseded by format.'),
    wmin: unsent('Not sent: superseded by format.'),
    hmin: unsent('Not sent: superseded by format.'),
    id: unsent('Not sent: for companions only.'),
    vcm: unsent('Not sent: for companions only.'),
    btype: requested(),
    topframe: requested(),
    expdir: requested(),
    api: overridable('As the request says, else of the ad space; left out: none.'),
    mimes: overridable(
      'Those of the request that the bidder has, else those of the bidder that are no video; left out: all.',
    ),
    battr: united(),
    pos: configured('Of the ad space.'),
    ext: unsent(),
  },
);
export type Banner = Static<typeof BannerSchema>;

const asCompanion = 'Not sent: a companion is a size.';

/** A Banner inside a Video (sections 2.6 and 2.7), which says less than one that stands alone. */
export const CompanionSchema = filled(
  object('A companion banner of a video.', { ...BannerSchema.properties }, ['w', 'h', 'id'], {
    'x-advisory': nodeOf(BannerSchema)['x-advisory'],
  }),
  {
    w: configured('Of the ad space.'),
    h: configured('Of the ad space.'),
    id: setHere('1, 2, 3 and so on.'),
    vcm: configured('Of the ad space.'),
    format: unsent(asCompanion),
    btype: unsent(asCompanion),
    battr: unsent('Not sent: what the video blocks its companions block too.'),
    pos: unsent(asCompanion),
    mimes: unsent(asCompanion),
    topframe: unsent(asCompanion),
    expdir: unsent(asCompanion),
    api: unsent(asCompanion),
  },
);
