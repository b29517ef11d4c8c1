import type { Static } from 'typebox';
import { VideoSchema } from './video.ts';
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

/** The title that an asset asks for. */
const NativeTitleRequestSchema = object('A title.', {
  len: count('Longest text in characters; 25, 90 or 140 are recommended.', { default: 140 }),
  ext: ext(),
});

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
const NativeImageRequestSchema = object('An image.', imageRequest);

/** The data that an asset asks for. */
const NativeDataRequestSchema = object('A text of a given kind.', {
  type: listed(NATIVE_DATA_TYPES),
  len: optional(count('Longest text in characters.')),
  ext: ext(),
});

/** One asset of a native request: exactly one of its kinds is there. */
export const NativeAssetRequestSchema = object('An asset that the ad needs.', {
  id: integer('Unique within the request.'),
  required: optional(
    advisoryFlag('1 = the ad must have it; the exchange sends 1.', { 'x-outgoing': { enum: [1] } }),
  ),
  title: optional(NativeTitleRequestSchema),
  img: optional(NativeImageRequestSchema),
  // The sample request of the spec spells the key so; it is read and never written.
  image: optional(object('An image.', imageRequest, [], { 'x-outgoing': NEVER_SENT })),
  data: optional(NativeDataRequestSchema),
  video: optional(object('Unsupported.', VideoSchema.properties, [], { 'x-outgoing': NEVER_SENT })),
  ext: ext(),
});
export type NativeAssetRequest = Static<typeof NativeAssetRequestSchema>;

/** The native request of version 1.1, section 2.20. It is the root: no `native` wraps it. */
export const NativeRequestSchema = object(
  'A native request.',
  {
    ver: optional(code('Version of the native API.', { enum: ['1.1'] })),
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
    assets: array(NativeAssetRequestSchema, 'The assets that the bid must bring.', { minItems: 1 }),
    layout: optional(count('Deprecated.', { 'x-outgoing': NEVER_SENT })),
    adunit: optional(count('Deprecated.', { 'x-outgoing': NEVER_SENT })),
    ext: ext(),
  },
  ['context', 'plcmttype'],
);
export type NativeRequest = Static<typeof NativeRequestSchema>;
