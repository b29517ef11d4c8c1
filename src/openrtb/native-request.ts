import type { Static } from 'typebox';
import {
  advisoryFlag,
  array,
  code,
  count,
  ext,
  integer,
  listed,
  NEVER_SENT,
  object,
  optional,
} from './fields.ts';
import {
  NATIVE_CONTEXTS,
  NATIVE_CONTEXT_SUBTYPES,
  NATIVE_DATA_TYPES,
  NATIVE_IMAGE_TYPES,
  NATIVE_PLACEMENTS,
} from './native-lists.ts';
import { filled, overridable, setHere, unsent } from './filling.ts';

/** The title that an asset asks for. */
export const NativeTitleRequestSchema = filled(
  object('A title.', {
    len: count('Longest text in characters; 25, 90 or 140 are recommended.', { default: 140 }),
    ext: ext(),
  }),
  {
    len: overridable('As the request says, else of the ad space.'),
    ext: unsent(),
  },
);

const imageRequest = {
  type: optional(listed(NATIVE_IMAGE_TYPES)),
  w: optional(count('Exact width in pixels.')),
  h: optional(count('Exact height in pixels.')),
  wmin: optional(count('Minimum width in pixels; in place of w.')),
  hmin: optional(count('Minimum height in pixels; in place of h.')),
  mimes: optional(array(code('A content type.'), 'Allowed content types; omitted = all.')),
  ext: ext(),
};

/** The image that an asset asks for. */
export const NativeImageRequestSchema = filled(object('An image.', imageRequest), {
  type: overridable(
    'As the request says, else 1 for the icon and 3 for the main image of the ad space.',
  ),
  w: overridable('Of the request, else of the ad space, where that asks for an exact size.'),
  h: overridable('Of the request, else of the ad space, where that asks for an exact size.'),
  wmin: overridable('Of the request, else of the ad space, where that asks for the least size.'),
  hmin: overridable('Of the request, else of the ad space, where that asks for the least size.'),
  mimes: overridable('As the request says, else of the ad space; left out: all.'),
  ext: unsent(),
});

/** The data that an asset asks for. */
export const NativeDataRequestSchema = filled(
  object('A text of a given kind.', {
    type: listed(NATIVE_DATA_TYPES),
    len: optional(count('Longest text in characters.')),
    ext: ext(),
  }),
  {
    type: overridable(
      'As the request says, else 2 for the description, 12 for the call to action and 3 for the rating of the ad space.',
    ),
    len: overridable('As the request says, else of the ad space; a rating has none.'),
    ext: unsent(),
  },
);

/** One asset of a native request: exactly one of its kinds is there. */
export const NativeAssetRequestSchema = filled(
  object('An asset that the ad needs.', {
    id: integer('Unique within the request.'),
    required: optional(advisoryFlag('1 = the ad must have it.')),
    title: optional(NativeTitleRequestSchema),
    img: optional(NativeImageRequestSchema),
    // The sample request of the spec spells the key so; it is read and never written.
    image: optional(object('An image.', imageRequest, [], { 'x-outgoing': NEVER_SENT })),
    data: optional(NativeDataRequestSchema),
    // Nothing of it is read: it is left out.
    video: ext('Unsupported.'),
    ext: ext(),
  }),
  {
    id: overridable(
      'As the request says, else 1 title, 2 icon, 3 image, 4 description, 5 call to action, 6 rating.',
    ),
    required: overridable('As the request says; 1 for all that the ad space asks for.'),
    title: overridable('Where the request, else the ad space, asks for it.'),
    img: overridable('Where the request, else the ad space, asks for it.'),
    data: overridable('Where the request, else the ad space, asks for it.'),
    image: unsent('Never sent: img is the key; image is read.'),
    video: unsent('Never sent: unsupported (section 2.20).'),
    ext: unsent(),
  },
);
export type NativeAssetRequest = Static<typeof NativeAssetRequestSchema>;

/** The native request of version 1.1, section 2.20. It is the root: no `native` wraps it. */
export const NativeRequestSchema = filled(
  object(
    'A native request.',
    {
      ver: optional(code('Version of the native API.', { enum: ['1.1'] }, { default: '1.1' })),
      context: optional(listed(NATIVE_CONTEXTS)),
      contextsubtype: optional(listed(NATIVE_CONTEXT_SUBTYPES)),
      plcmttype: optional(
        listed(NATIVE_PLACEMENTS, 'Layout; the exchange sends 1.', {
          default: 1,
          'x-outgoing': { enum: [1] },
        }),
      ),
      plcmtcnt: optional(
        count('Identical placements; the exchange sends 1.', {
          default: 1,
          'x-outgoing': { enum: [1] },
        }),
      ),
      seq: optional(
        count('0 for the first ad; the exchange sends 0.', {
          default: 0,
          'x-outgoing': { enum: [0] },
        }),
      ),
      assets: array(NativeAssetRequestSchema, 'The assets that the bid must bring.', {
        minItems: 1,
      }),
      layout: optional(count('Deprecated.', { 'x-outgoing': NEVER_SENT })),
      adunit: optional(count('Deprecated.', { 'x-outgoing': NEVER_SENT })),
      ext: ext(),
    },
    ['context', 'plcmttype'],
  ),
  {
    ver: setHere('Always 1.1.'),
    context: overridable('As the request says, else of the ad space.'),
    contextsubtype: overridable('As the request says, else of the ad space.'),
    plcmttype: setHere('Always 1.'),
    plcmtcnt: setHere('Always 1.'),
    seq: setHere('Always 0.'),
    assets: overridable(
      'What the request asks for, without videos; else what the ad space asks for.',
    ),
    layout: unsent('Never sent: deprecated.'),
    adunit: unsent('Never sent: deprecated.'),
    ext: unsent(),
  },
);
export type NativeRequest = Static<typeof NativeRequestSchema>;
