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
  recommended,
} from './fields.ts';
import { configured, overridable, requested, setHere, united, unsent } from './filling.ts';
import { since, until, inVersion } from './variations.ts';

/** Format, section 2.10: a size in pixels, or a ratio with a minimum width. */
export const FormatSchema = object('A permitted size.', {
  w: optional(
    count('Width in device independent pixels.'),
    recommended,
    overridable('The first size of the request, else of the ad space.'),
  ),
  h: optional(
    count('Height in device independent pixels.'),
    recommended,
    overridable('The first size of the request, else of the ad space.'),
  ),
  wratio: optional(count('Relative width.'), unsent('Not sent: sizes are absolute.')),
  hratio: optional(count('Relative height.'), unsent('Not sent: sizes are absolute.')),
  wmin: optional(
    count('Minimum width in pixels when the size is a ratio.'),
    unsent('Not sent: sizes are absolute.'),
  ),
  ext: ext(),
});
export type Format = Static<typeof FormatSchema>;

/** Banner, section 2.6. */
export const BannerSchema = object('A banner on offer.', {
  format: optional(
    array(FormatSchema, 'Permitted sizes; the exchange sends one.', {
      'x-outgoing': { minItems: 1, maxItems: 1 },
    }),
    recommended,
    since('2.5'),
    overridable(
      'One: the first size of the request, else of the ad space. A bid of any of those sizes is valid.',
    ),
  ),
  w: optional(
    count('Width in pixels; exact when there are no formats, else preferred.'),
    inVersion('2.2', {
      description: 'Width in pixels; preferred where there is a range.',
      ...overridable('The first size of the request, else of the ad space.'),
    }),
    recommended,
    overridable('The same size.'),
  ),
  h: optional(
    count('Height in pixels; exact when there are no formats, else preferred.'),
    inVersion('2.2', {
      description: 'Height in pixels; preferred where there is a range.',
      ...overridable('The first size of the request, else of the ad space.'),
    }),
    recommended,
    overridable('The same size.'),
  ),
  wmax: optional(
    count('Deprecated: maximum width in pixels.'),
    advisory,
    until('2.5'),
    inVersion('2.2', {
      description: 'Maximum width in pixels.',
      ...overridable('The same size, for an interstitial, which takes what is not larger.'),
    }),
    unsent('Not sent: superseded by format.'),
  ),
  hmax: optional(
    count('Deprecated: maximum height in pixels.'),
    advisory,
    until('2.5'),
    inVersion('2.2', {
      description: 'Maximum height in pixels.',
      ...overridable('The same size, for an interstitial, which takes what is not larger.'),
    }),
    unsent('Not sent: superseded by format.'),
  ),
  wmin: optional(
    count('Deprecated: minimum width in pixels.'),
    advisory,
    until('2.5'),
    inVersion('2.2', {
      description: 'Minimum width in pixels.',
      ...unsent('Not sent: nothing is too small for an interstitial.'),
    }),
    unsent('Not sent: superseded by format.'),
  ),
  hmin: optional(
    count('Deprecated: minimum height in pixels.'),
    advisory,
    until('2.5'),
    inVersion('2.2', {
      description: 'Minimum height in pixels.',
      ...unsent('Not sent: nothing is too small for an interstitial.'),
    }),
    unsent('Not sent: superseded by format.'),
  ),
  id: optional(
    id('Unique within the impression; for companions inside a video.'),
    advisory,
    unsent('Not sent: for companions only.'),
  ),
  btype: optional(listedArray(BANNER_AD_TYPES, 'Blocked banner ad types.'), requested()),
  battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.'), united()),
  pos: optional(listed(AD_POSITIONS), advisory, configured('Of the ad space.')),
  mimes: optional(
    array(code('A content type.'), 'Supported content types; omitted = all.'),
    overridable(
      'Those of the request that the bidder has, else those of the bidder that are no video; left out: all.',
    ),
  ),
  topframe: optional(
    advisoryFlag('0 = iframe, 1 = top frame.'),
    advisory,
    inVersion('2.2', { default: 0 }),
    requested(),
  ),
  expdir: optional(
    listedArray(EXPANDABLE_DIRECTIONS, 'Omitted = not expandable.'),
    advisory,
    requested(),
  ),
  api: optional(
    listedArray(API_FRAMEWORKS, 'Supported API frameworks; unlisted = unsupported.'),
    advisory,
    overridable('As the request says, else of the ad space; left out: none.'),
  ),
  vcm: optional(
    advisoryFlag('Companion rendering mode; only inside a video.'),
    advisory,
    since('2.5'),
    unsent('Not sent: for companions only.'),
  ),
  ext: ext(),
});
export type Banner = Static<typeof BannerSchema>;

const { w, h, id: bannerId, vcm, format, battr, ...others } = BannerSchema.properties;

const asCompanion = unsent('Not sent: a companion is a size.');

/** A Banner inside a Video (sections 2.6 and 2.7), which says less than one that stands alone. */
export const CompanionSchema = object('A companion banner of a video.', {
  w: optional(w, configured('Of the ad space.'), inVersion('2.2', {})),
  h: optional(h, configured('Of the ad space.'), inVersion('2.2', {})),
  id: optional(bannerId, recommended, setHere('1, 2, 3 and so on.')),
  vcm: optional(vcm, configured('Of the ad space.')),
  format: optional(format, { 'x-recommended': false }, asCompanion),
  battr: optional(battr, unsent('Not sent: what the video blocks its companions block too.')),
  wmax: optional(others.wmax, inVersion('2.2', {}), asCompanion),
  hmax: optional(others.hmax, inVersion('2.2', {}), asCompanion),
  wmin: optional(others.wmin, inVersion('2.2', {}), asCompanion),
  hmin: optional(others.hmin, inVersion('2.2', {}), asCompanion),
  btype: optional(others.btype, asCompanion),
  pos: optional(others.pos, asCompanion),
  mimes: optional(others.mimes, asCompanion),
  topframe: optional(others.topframe, asCompanion),
  expdir: optional(others.expdir, asCompanion),
  api: optional(others.api, asCompanion),
  ext: others.ext,
});
