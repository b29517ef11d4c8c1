/**
 * The bid request of version 2.2, which the exchange sends and never reads: the objects of 2.5
 * without what section 10 of the spec takes away. What stands here has the fields and values that
 * it has in 2.5; only defaults differ, and the native object has moved.
 */
import Type, { type Static } from 'typebox';
import { BannerSchema, CompanionSchema } from './banner.ts';
import { BidRequestSchema } from './bid-request.ts';
import { DeviceSchema, GeoSchema } from './device.ts';
import { array, ext, object, optional } from './fields.ts';
import { configured, filled, overridable, requested, setHere, unsent } from './filling.ts';
import { ImpSchema } from './imp.ts';
import { IMPS_MAX } from './limits.ts';
import { NativeSchema } from './native.ts';
import { BidRequestExt22Schema } from './outgoing-ext.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { VideoSchema } from './video.ts';

const banner = BannerSchema.properties;

/** Banner of 2.2: sizes are `w` and `h`, or a range where `wmax`, `hmax`, `wmin` or `hmin` is there. */
export const Banner22Schema = filled(
  object(
    'A banner on offer.',
    {
      ...Type.Omit(BannerSchema, ['format', 'vcm']).properties,
      w: Type.With(banner.w, { description: 'Width in pixels; preferred where there is a range.' }),
      h: Type.With(banner.h, {
        description: 'Height in pixels; preferred where there is a range.',
      }),
      wmax: Type.With(banner.wmax, { description: 'Maximum width in pixels.' }),
      hmax: Type.With(banner.hmax, { description: 'Maximum height in pixels.' }),
      wmin: Type.With(banner.wmin, { description: 'Minimum width in pixels.' }),
      hmin: Type.With(banner.hmin, { description: 'Minimum height in pixels.' }),
      topframe: Type.With(banner.topframe, { default: 0 }),
    },
    ['w', 'h'],
  ),
  {
    w: overridable('The first size of the request, else of the ad space.'),
    h: overridable('The first size of the request, else of the ad space.'),
    wmax: overridable('The same size, for an interstitial, which takes what is not larger.'),
    hmax: overridable('The same size, for an interstitial, which takes what is not larger.'),
    wmin: unsent('Not sent: nothing is too small for an interstitial.'),
    hmin: unsent('Not sent: nothing is too small for an interstitial.'),
  },
);
export type Banner22 = Static<typeof Banner22Schema>;

/** A Banner inside a Video of 2.2. */
export const Companion22Schema = object(
  'A companion banner of a video.',
  Type.Omit(CompanionSchema, ['format', 'vcm']).properties,
  ['w', 'h', 'id'],
);

const { delivery: deliver, ...video } = Type.Omit(VideoSchema, [
  'skip',
  'skipmin',
  'skipafter',
  'placement',
  'playbackend',
]).properties;

const { minbitrate, maxbitrate, pos, protocol, sequence } = VideoSchema.properties;

/** Video of 2.2, where `delivery` is called `deliver`. */
export const Video22Schema = filled(
  object(
    'A video on offer.',
    {
      ...video,
      deliver,
      protocol: Type.With(protocol, { description: 'The one video protocol.' }),
      sequence: Type.With(sequence, { default: 1 }),
      minbitrate: Type.With(minbitrate, {
        description: 'Minimum bit rate in kbps; omitted = any.',
        default: undefined,
      }),
      maxbitrate: Type.With(maxbitrate, {
        description: 'Maximum bit rate in kbps; omitted = any.',
        default: undefined,
      }),
      pos: Type.With(pos, { default: 0 }),
      companionad: optional(array(Companion22Schema, 'Companion sizes.')),
    },
    ['protocols', 'w', 'h', 'startdelay'],
  ),
  {
    companionad: configured('The sizes of the ad space, each with an id.'),
    protocol: setHere('Always 2, which the player takes in any case; protocols says the rest.'),
  },
);
export type Video22 = Static<typeof Video22Schema>;

/** What `imp.ext` carries: 2.2 has no other place for native. */
export const ImpExt22Schema = filled(
  object('Extension of Imp.', { native: optional(NativeSchema) }),
  { native: configured('For a bidder that is to get native ads so.') },
);

/** Imp of 2.2. It offers a banner, a video or both; a native ad in its extension. */
export const Imp22Schema = filled(
  object(
    'An impression on offer.',
    {
      ...Type.Omit(ImpSchema, ['metric', 'audio', 'native', 'clickbrowser', 'exp']).properties,
      banner: optional(Banner22Schema),
      video: optional(Video22Schema),
      ext: optional(ImpExt22Schema),
    },
    ['displaymanager', 'displaymanagerver'],
  ),
  {
    banner: configured(
      'Where the ad space has it, the request asks for it, and a line item takes it.',
    ),
    video: configured(
      'Where the ad space has it, the request asks for it, and a line item takes it.',
    ),
    ext: configured('Its `native`.'),
  },
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
export const Geo22Schema = object(
  'A location.',
  Type.Omit(GeoSchema, ['accuracy', 'lastfix', 'ipservice', 'utcoffset']).properties,
  ['type'],
);
export type Geo22 = Static<typeof Geo22Schema>;

/** Device of 2.2, whose one flag for "do not track" is `dnt`. */
export const Device22Schema = filled(
  object(
    'The device that shows the ad.',
    {
      ...Type.Omit(DeviceSchema, ['lmt', 'hwv', 'h', 'w', 'pxratio']).properties,
      geo: optional(Geo22Schema),
    },
    ['ua', 'geo', 'dnt', 'ip'],
  ),
  {
    geo: requested('See Geo.'),
    model: overridable('As the request says, else from the user agent.'),
    dnt: requested('1 if the request says dnt or lmt 1.'),
  },
);
export type Device22 = Static<typeof Device22Schema>;

/** User of 2.2. */
export const User22Schema = filled(
  object('The person who sees the ad.', { ...UserSchema.properties, geo: optional(Geo22Schema) }, [
    'id',
    'buyeruid',
  ]),
  { geo: requested('See Geo.') },
);
export type User22 = Static<typeof User22Schema>;

/** BidRequest of 2.2. */
export const BidRequest22Schema = filled(
  object(
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
      ext: ext('Carries `schain`: 2.2 has no Source.', BidRequestExt22Schema),
    },
    ['site', 'app', 'device', 'user'],
  ),
  {
    imp: configured('The impressions that line items of the bidder match.'),
    site: configured('What the ad spaces belong to.'),
    device: requested('See Device.'),
    user: requested('See User.'),
    ext: overridable('Its `schain`.'),
  },
);
export type BidRequest22 = Static<typeof BidRequest22Schema>;
