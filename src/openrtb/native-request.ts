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
  recommended,
  required,
} from './fields.ts';
import {
  NATIVE_CONTEXTS,
  NATIVE_CONTEXT_SUBTYPES,
  NATIVE_DATA_TYPES,
  NATIVE_IMAGE_TYPES,
  NATIVE_PLACEMENTS,
} from './native-lists.ts';
import { overridable, setHere, unsent } from './filling.ts';

/** The title that an asset asks for. */
export const NativeTitleRequestSchema = object('A title.', {
  len: required(
    count('Longest text in characters; 25, 90 or 140 are recommended.', { default: 140 }),
    overridable('As the request says, else of the ad space.'),
  ),
  ext: ext(),
});

const EXACT = overridable(
  'Of the request, else of the ad space, where that asks for an exact size.',
);
const LEAST = overridable(
  'Of the request, else of the ad space, where that asks for the least size.',
);

const imageRequest = {
  type: optional(
    listed(NATIVE_IMAGE_TYPES),
    overridable(
      'As the request says, else 1 for the icon and 3 for the main image of the ad space.',
    ),
  ),
  w: optional(count('Exact width in pixels.'), EXACT),
  h: optional(count('Exact height in pixels.'), EXACT),
  wmin: optional(count('Minimum width in pixels; in place of w.'), LEAST),
  hmin: optional(count('Minimum height in pixels; in place of h.'), LEAST),
  mimes: optional(
    array(code('A content type.'), 'Allowed content types; omitted = all.'),
    overridable('As the request says, else of the ad space; left out: all.'),
  ),
  ext: ext(),
};

/** The image that an asset asks for. */
export const NativeImageRequestSchema = object('An image.', imageRequest);

/** The data that an asset asks for. */
export const NativeDataRequestSchema = object('A text of a given kind.', {
  type: required(
    listed(NATIVE_DATA_TYPES),
    overridable(
      'As the request says, else 2 for the description, 12 for the call to action and 3 for the rating of the ad space.',
    ),
  ),
  len: optional(
    count('Longest text in characters.'),
    overridable('As the request says, else of the ad space; a rating has none.'),
  ),
  ext: ext(),
});

/** One asset of a native request: exactly one of its kinds is there. */
export const NativeAssetRequestSchema = object('An asset that the ad needs.', {
  id: required(
    integer('Unique within the request.'),
    overridable(
      'As the request says, else 1 title, 2 icon, 3 image, 4 description, 5 call to action, 6 rating.',
    ),
  ),
  required: optional(
    advisoryFlag('1 = the ad must have it.'),
    overridable('As the request says; 1 for all that the ad space asks for.'),
  ),
  title: optional(
    NativeTitleRequestSchema,
    overridable('Where the request, else the ad space, asks for it.'),
  ),
  img: optional(
    NativeImageRequestSchema,
    overridable('Where the request, else the ad space, asks for it.'),
  ),
  // The sample request of the spec spells the key so; it is read and never written.
  image: optional(
    object('An image.', imageRequest, { 'x-outgoing': NEVER_SENT }),
    unsent('Never sent: img is the key; image is read.'),
  ),
  data: optional(
    NativeDataRequestSchema,
    overridable('Where the request, else the ad space, asks for it.'),
  ),
  // Nothing of it is read: it is left out.
  video: optional(ext('Unsupported.'), unsent('Never sent: unsupported (section 2.20).')),
  ext: ext(),
});
export type NativeAssetRequest = Static<typeof NativeAssetRequestSchema>;

/** The native request of version 1.1, section 2.20. It is the root: no `native` wraps it. */
export const NativeRequestSchema = object('A native request.', {
  ver: optional(
    code('Version of the native API.', { enum: ['1.1'] }, { default: '1.1' }),
    setHere('Always 1.1.'),
  ),
  context: optional(
    listed(NATIVE_CONTEXTS),
    recommended,
    overridable('As the request says, else of the ad space.'),
  ),
  contextsubtype: optional(
    listed(NATIVE_CONTEXT_SUBTYPES),
    overridable('As the request says, else of the ad space.'),
  ),
  plcmttype: optional(
    listed(NATIVE_PLACEMENTS, 'Layout; the exchange sends 1.', {
      default: 1,
      'x-outgoing': { enum: [1] },
    }),
    recommended,
    setHere('Always 1.'),
  ),
  plcmtcnt: optional(
    count('Identical placements; the exchange sends 1.', {
      default: 1,
      'x-outgoing': { enum: [1] },
    }),
    setHere('Always 1.'),
  ),
  seq: optional(
    count('0 for the first ad; the exchange sends 0.', {
      default: 0,
      'x-outgoing': { enum: [0] },
    }),
    setHere('Always 0.'),
  ),
  assets: required(
    array(NativeAssetRequestSchema, 'The assets that the bid must bring.', {
      minItems: 1,
    }),
    overridable('What the request asks for, without videos; else what the ad space asks for.'),
  ),
  layout: optional(
    count('Deprecated.', { 'x-outgoing': NEVER_SENT }),
    unsent('Never sent: deprecated.'),
  ),
  adunit: optional(
    count('Deprecated.', { 'x-outgoing': NEVER_SENT }),
    unsent('Never sent: deprecated.'),
  ),
  ext: ext(),
});
export type NativeRequest = Static<typeof NativeRequestSchema>;
