import type { Static } from 'typebox';
import { API_FRAMEWORKS, CREATIVE_ATTRIBUTES } from './creative-lists.ts';
import {
  advisory,
  code,
  ext,
  listedArray,
  object,
  optional,
  text,
  recommended,
  required,
} from './fields.ts';
import { NATIVE_REQUEST_LENGTH_MAX } from './limits.ts';
import { overridable, requested, setHere, united } from './filling.ts';

/** Native, section 2.9: a native ad on offer. Its payload is described in `native-request.ts`. */
export const NativeSchema = object('A native ad on offer.', {
  request: required(
    text('The native request (section 2.20) as JSON text.', {
      minLength: 1,
      maxLength: NATIVE_REQUEST_LENGTH_MAX,
    }),
    overridable(
      'The assets of the request, else of the ad space, as JSON text without a root (section 2.20).',
    ),
  ),
  ver: optional(
    code('Version of the native API.', { enum: ['1.1'] }, { default: '1.1' }),
    recommended,
    advisory,
    setHere('Always 1.1.'),
  ),
  api: optional(
    listedArray(API_FRAMEWORKS, 'Supported API frameworks; omitted = none.'),
    advisory,
    requested("As the request says: the versions of MRAID that the publisher's SDK has."),
  ),
  battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.'), united()),
  ext: ext(),
});
export type Native = Static<typeof NativeSchema>;
