import Type, { type Static } from 'typebox';
import { API_FRAMEWORKS } from '../../openrtb/creative-lists.ts';
import { listedValues, type EnumeratedList } from '../../openrtb/enumerated-list.ts';
import { NATIVE_CONTEXTS, NATIVE_CONTEXT_SUBTYPES } from '../../openrtb/native-lists.ts';
import {
  COMPANION_TYPES,
  DELIVERY_METHODS,
  PLAYBACK_ENDS,
  PLAYBACK_METHODS,
} from '../../openrtb/video-lists.ts';
import {
  CONTENT_TYPE,
  SIZE,
  YES_OR_NO,
  list,
  listOfSome,
  mapping,
  nullable,
  whole,
} from '../fields.ts';

const PIXELS_MAX = 99_999;
const SECONDS_MAX = 86_400;
const KBPS_MAX = 1_000_000;
const CHARACTERS_MAX = 10_000;

/** Keys are named and valued as in OpenRTB's Banner object (section 2.6). */
export const BANNER = mapping('banner', {
  sizes: listOfSome(SIZE, 'sizes', 50),
  api: Type.Optional(listFrom(API_FRAMEWORKS, 'API frameworks')),
});

/** Keys are named and valued as in OpenRTB's Video object (section 2.7). */
export const VIDEO = mapping('video', {
  w: whole(1, PIXELS_MAX),
  h: whole(1, PIXELS_MAX),
  minduration: Type.Optional(whole(0, SECONDS_MAX, ' (seconds)')),
  maxduration: Type.Optional(whole(1, SECONDS_MAX, ' (seconds)')),
  minbitrate: Type.Optional(whole(0, KBPS_MAX, ' (kbps)')),
  maxbitrate: Type.Optional(whole(1, KBPS_MAX, ' (kbps)')),
  linearity: Type.Optional(whole(1, 2, ', from OpenRTB list 5.7')),
  startdelay: Type.Optional(nullable(whole(-2, SECONDS_MAX, ', from OpenRTB list 5.12'))),
  placement: Type.Optional(nullable(whole(1, 5, ', from OpenRTB list 5.9'))),
  skip: Type.Optional(nullable(whole(0, 1))),
  skipmin: Type.Optional(nullable(whole(0, SECONDS_MAX, ' (seconds)'))),
  skipafter: Type.Optional(nullable(whole(0, SECONDS_MAX, ' (seconds)'))),
  maxextended: Type.Optional(nullable(whole(-1, SECONDS_MAX, ' (seconds; -1 for no limit)'))),
  boxingallowed: Type.Optional(nullable(whole(0, 1))),
  playbackmethod: Type.Optional(listFrom(PLAYBACK_METHODS, 'playback methods')),
  playbackend: Type.Optional(nullable(valueFrom(PLAYBACK_ENDS))),
  delivery: Type.Optional(listFrom(DELIVERY_METHODS, 'delivery methods')),
  api: Type.Optional(listFrom(API_FRAMEWORKS, 'API frameworks')),
  companionad: Type.Optional(list(SIZE, 'sizes of companion banners', 20)),
  companiontype: Type.Optional(listFrom(COMPANION_TYPES, 'companion types')),
  vcm: Type.Optional(nullable(whole(0, 1, ': companions beside the video, or after it'))),
  outstream: Type.Optional(YES_OR_NO),
});

const ASSET_LENGTH = nullable(whole(1, CHARACTERS_MAX, ' (characters)'));

/** The assets of a native ad (section 2.20). */
export const NATIVE = mapping('native', {
  title: Type.Optional(ASSET_LENGTH),
  icon: Type.Optional(nullable(SIZE)),
  icon_min: Type.Optional(nullable(SIZE)),
  image: Type.Optional(nullable(SIZE)),
  image_min: Type.Optional(nullable(SIZE)),
  image_mimes: Type.Optional(list(CONTENT_TYPE, 'content types, empty for all', 20)),
  description: Type.Optional(ASSET_LENGTH),
  cta: Type.Optional(ASSET_LENGTH),
  rating: Type.Optional(YES_OR_NO),
  context: Type.Optional(nullable(valueFrom(NATIVE_CONTEXTS))),
  contextsubtype: Type.Optional(nullable(valueFrom(NATIVE_CONTEXT_SUBTYPES))),
});

export type BannerInput = Static<typeof BANNER>;
export type VideoInput = Static<typeof VIDEO>;
export type NativeInput = Static<typeof NATIVE>;

/** One value of an enumerated list. */
function valueFrom(from: EnumeratedList) {
  const values = listedValues(from);
  const description = `one of ${values.join(', ')}, from ${nameOf(from)}`;
  return Type.Enum(values, { description });
}

function listFrom(from: EnumeratedList, meaning: string) {
  return list(valueFrom(from), `${meaning} from ${nameOf(from)}`, 20);
}

/** The industry's lists are known by their own documents. */
function nameOf({ section }: EnumeratedList): string {
  return /^\d/.test(section) ? `OpenRTB list ${section}` : `list ${section}`;
}
