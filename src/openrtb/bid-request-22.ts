/**
 * The bid request of version 2.2, which the exchange sends and never reads: the objects of 2.5
 * without what section 10 of the spec takes away. What stands here has the fields and values that
 * it has in 2.5; only defaults differ, and the native object has moved.
 */
import Type, { type Static } from 'typebox';
import { BannerSchema } from './banner.ts';
import { BidRequestSchema } from './bid-request.ts';
import { DeviceSchema, GeoSchema } from './device.ts';
import { advisoryFlag, array, count, object, optional } from './fields.ts';
import { ImpSchema } from './imp.ts';
import { IMPS_MAX } from './limits.ts';
import { NativeSchema } from './native.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { VideoSchema } from './video.ts';

/** Banner of 2.2: sizes are `w` and `h`, or a range. */
const Banner22Schema = object(
  'A banner on offer.',
  {
    ...Type.Omit(BannerSchema, ['format', 'vcm']).properties,
    topframe: optional(advisoryFlag('0 = iframe, 1 = top frame.', { default: 0 })),
  },
  ['w', 'h'],
);

const { delivery: deliver, ...video } = Type.Omit(VideoSchema, [
  'skip',
  'skipmin',
  'skipafter',
  'placement',
  'playbackend',
]).properties;

/** Video of 2.2, where `delivery` is called `deliver`. */
const Video22Schema = object(
  'A video on offer.',
  {
    ...video,
    deliver,
    sequence: optional(
      count('Position among creatives that are delivered together.', { default: 1 }),
    ),
    minbitrate: optional(count('Minimum bit rate in kbps; omitted = any.')),
    maxbitrate: optional(count('Maximum bit rate in kbps; omitted = any.')),
    companionad: optional(array(Banner22Schema, 'Companion sizes.')),
  },
  ['protocols', 'w', 'h', 'startdelay'],
);

/** What `imp.ext` carries: 2.2 has no other place for native. */
const ImpExt22Schema = object('Extension of Imp.', { native: optional(NativeSchema) });

/** Imp of 2.2. It offers a banner, a video or both; a native ad only beside them. */
export const Imp22Schema = object(
  'An impression on offer.',
  {
    ...Type.Omit(ImpSchema, ['metric', 'audio', 'native', 'clickbrowser', 'exp']).properties,
    banner: optional(Banner22Schema),
    video: optional(Video22Schema),
    ext: optional(ImpExt22Schema),
  },
  ['displaymanager', 'displaymanagerver'],
);
export type Imp22 = Static<typeof Imp22Schema>;

/** Site of 2.2. */
export const Site22Schema = object(
  'The website that the impression is on.',
  Type.Omit(SiteSchema, ['mobile']).properties,
  ['id', 'page'],
);
export type Site22 = Static<typeof Site22Schema>;

/** Geo of 2.2. */
const Geo22Schema = object(
  'A location.',
  Type.Omit(GeoSchema, ['accuracy', 'lastfix', 'ipservice', 'utcoffset']).properties,
  ['type'],
);

/** Device of 2.2, whose one flag for "do not track" is `dnt`. */
export const Device22Schema = object(
  'The device that shows the ad.',
  {
    ...Type.Omit(DeviceSchema, ['lmt', 'hwv', 'h', 'w', 'pxratio']).properties,
    geo: optional(Geo22Schema),
  },
  ['ua', 'geo', 'dnt', 'ip'],
);

/** User of 2.2. */
export const User22Schema = object(
  'The person who sees the ad.',
  { ...UserSchema.properties, geo: optional(Geo22Schema) },
  ['id', 'buyeruid'],
);

/** BidRequest of 2.2. */
export const BidRequest22Schema = object(
  'A request for bids.',
  {
    ...Type.Omit(BidRequestSchema, ['test', 'bseat', 'wlang', 'bapp', 'source']).properties,
    imp: array(Imp22Schema, 'The impressions on offer, at least one.', {
      minItems: 1,
      maxItems: IMPS_MAX,
    }),
    site: optional(Site22Schema),
    device: optional(Device22Schema),
    user: optional(User22Schema),
  },
  ['site', 'app', 'device', 'user'],
);
export type BidRequest22 = Static<typeof BidRequest22Schema>;
