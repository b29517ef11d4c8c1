import type { Static } from 'typebox';
import { API_FRAMEWORKS, CREATIVE_ATTRIBUTES } from './creative-lists.ts';
import { code, ext, listedArray, object, optional, text } from './fields.ts';
import { NATIVE_REQUEST_LENGTH_MAX } from './limits.ts';

/** Native, section 2.9: a native ad on offer. Its payload is described in `native-request.ts`. */
export const NativeSchema = object(
  'A native ad on offer.',
  {
    request: text('The native request (section 2.20) as JSON text.', {
      minLength: 1,
      maxLength: NATIVE_REQUEST_LENGTH_MAX,
    }),
    ver: optional(code('Version of the native API; the exchange sends 1.1.', { enum: ['1.1'] })),
    api: optional(listedArray(API_FRAMEWORKS, 'Supported API frameworks; omitted = none.')),
    battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.')),
    ext: ext(),
  },
  ['ver'],
);
export type Native = Static<typeof NativeSchema>;
