/**
 * The native response of version 1.1, which a bid carries in `adm` as JSON text. The spec says no
 * more than that it is JSON (section 2.21), so the fields are those of the industry's Dynamic
 * Native Ads API 1.1, section 5.
 */
import type { Static } from 'typebox';
import {
  advisory,
  advisoryFlag,
  array,
  code,
  count,
  ext,
  integer,
  longText,
  object,
  optional,
  text,
  required,
} from './fields.ts';
import { MARKUP_LENGTH_MAX } from './limits.ts';

/** Where a click leads. */
const NativeLinkSchema = object('A destination.', {
  url: required(longText('Landing URL.', { minLength: 1 })),
  clicktrackers: optional(array(longText('A URL.'), 'URLs to call on a click.')),
  fallback: optional(longText('URL for devices that cannot open the deep link.')),
  ext: ext(),
});

/** The title of the ad. */
const NativeTitleSchema = object('A title.', {
  text: required(text('The text.')),
  ext: ext(),
});

/** An image of the ad: icon or main image, as the request's asset says. */
const NativeImageSchema = object('An image.', {
  url: required(longText('URL of the image.', { minLength: 1 })),
  w: optional(count('Width in pixels.'), advisory),
  h: optional(count('Height in pixels.'), advisory),
  ext: ext(),
});

/** A text of the ad, such as its description. */
const NativeDataSchema = object('A text of a given kind.', {
  label: optional(text('What the value is called.'), advisory),
  value: required(text('The value.')),
  ext: ext(),
});

/** The video of the ad. The exchange asks for none (spec, section 2.20). */
const NativeVideoSchema = object('A video.', {
  vasttag: required(text('VAST XML.', { maxLength: MARKUP_LENGTH_MAX })),
});

const image = optional(NativeImageSchema);

/** One asset of a native ad; `id` is that of the request's asset. */
export const NativeAssetSchema = object('An asset of the ad.', {
  id: required(integer('Id of the asset in the request.')),
  required: optional(advisoryFlag('1 = the ad must not be shown without it.'), advisory),
  title: optional(NativeTitleSchema),
  img: required(image),
  // Some bidders answer with the key of the spec's sample request.
  image,
  video: optional(NativeVideoSchema),
  data: optional(NativeDataSchema),
  link: optional(NativeLinkSchema),
  ext: ext(),
});

export type NativeAsset = Static<typeof NativeAssetSchema>;

/** A native ad. */
export const NativeResponseSchema = object('A native ad.', {
  ver: optional(code('Version of the native API.'), advisory),
  assets: optional(array(NativeAssetSchema, 'The assets.')),
  link: required(NativeLinkSchema),
  imptrackers: optional(array(longText('A URL.'), 'URLs to call when the ad is shown.')),
  jstracker: optional(longText('JavaScript to run when the ad is shown.')),
  ext: ext(),
});

export type NativeResponse = Static<typeof NativeResponseSchema>;
