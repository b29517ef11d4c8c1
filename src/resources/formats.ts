import Type, { type Static, type TSchema } from 'typebox';
import { API_FRAMEWORKS } from '../openrtb/creative-lists.ts';
import { listedValues, type EnumeratedList } from '../openrtb/enumerated-list.ts';
import { NATIVE_CONTEXTS, NATIVE_CONTEXT_SUBTYPES } from '../openrtb/native-lists.ts';
import {
  COMPANION_TYPES,
  DELIVERY_METHODS,
  PLAYBACK_ENDS,
  PLAYBACK_METHODS,
} from '../openrtb/video-lists.ts';
import {
  CONTENT_TYPE,
  SIZE,
  YES_OR_NO,
  list,
  listOfSome,
  mapping,
  nullable,
  whole,
} from './vocabulary.ts';
import { objectOf, optional } from './field-table.ts';
import type { Fixed } from './field.ts';

const PIXELS_MAX = 99_999;
const SECONDS_MAX = 86_400;
const KBPS_MAX = 1_000_000;
const CHARACTERS_MAX = 10_000;

/** Keys are named and valued as in OpenRTB's Banner object (section 2.6). */
export const BANNER = mapping('banner', {
  sizes: listOfSome(SIZE, 'sizes', 50),
  api: Type.Optional(listFrom(API_FRAMEWORKS, 'API frameworks')),
});

/** What else a video may say, and what holds where it does not; the numbers are those of section 2.7. */
const PLAYER = {
  minduration: setting(whole(0, SECONDS_MAX, ' (seconds)'), 5),
  maxduration: setting(whole(1, SECONDS_MAX, ' (seconds)'), 60),
  minbitrate: setting(whole(0, KBPS_MAX, ' (kbps)'), 250),
  maxbitrate: setting(whole(1, KBPS_MAX, ' (kbps)'), 4_000),
  linearity: setting(whole(1, 2, ', from OpenRTB list 5.7'), 1),
  startdelay: setting(nullable(whole(-2, SECONDS_MAX, ', from OpenRTB list 5.12')), null),
  placement: setting(nullable(whole(1, 5, ', from OpenRTB list 5.9')), null),
  skip: setting(nullable(whole(0, 1)), null),
  skipmin: setting(nullable(whole(0, SECONDS_MAX, ' (seconds)')), null),
  skipafter: setting(nullable(whole(0, SECONDS_MAX, ' (seconds)')), null),
  maxextended: setting(nullable(whole(-1, SECONDS_MAX, ' (seconds; -1 for no limit)')), null),
  boxingallowed: setting(nullable(whole(0, 1)), null),
  playbackmethod: setting(listFrom(PLAYBACK_METHODS, 'playback methods'), []),
  playbackend: setting(nullable(valueFrom(PLAYBACK_ENDS)), null),
  delivery: setting(listFrom(DELIVERY_METHODS, 'delivery methods'), []),
  api: setting(listFrom(API_FRAMEWORKS, 'API frameworks'), []),
  companiontype: setting(listFrom(COMPANION_TYPES, 'companion types'), []),
  vcm: setting(nullable(whole(0, 1, ': companions beside the video, or after it')), null),
  /** Shown outside of any video content. */
  outstream: setting(YES_OR_NO, false),
};

/** Keys are named and valued as in OpenRTB's Video object (section 2.7). */
export const VIDEO = mapping('video', {
  w: whole(1, PIXELS_MAX),
  h: whole(1, PIXELS_MAX),
  ...optional(PLAYER),
  companionad: Type.Optional(list(SIZE, 'sizes of companion banners', 20)),
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

type BannerInput = Static<typeof BANNER>;
export type VideoInput = Static<typeof VIDEO>;
export type NativeInput = Static<typeof NATIVE>;

export interface Size {
  readonly w: number;
  readonly h: number;
}

export interface BannerSettings {
  /** Sizes that may be shown, the preferred one first. */
  readonly sizes: readonly Size[];
  readonly api: readonly number[];
}

/** A video of which everything is said. */
export type VideoSettings = Size & typeof VIDEO_DEFAULTS;

/** The assets of a native ad space; null is not asked for. Lengths in characters. */
export interface NativeSettings {
  readonly title: number | null;
  readonly icon: ImageSettings | null;
  readonly image: ImageSettings | null;
  readonly description: number | null;
  readonly cta: number | null;
  readonly rating: boolean;
  /** Native 7.1 and 7.2. */
  readonly context: number | null;
  readonly contextsubtype: number | null;
}

/** What an image asset asks for: a size that is exact or the least, and content types, empty for any. */
export interface ImageSettings extends Size {
  readonly isMinimum: boolean;
  readonly mimes: readonly string[];
}

/** What holds for a video of which nothing else is said. */
const NO_COMPANIONS: readonly Size[] = [];
export const VIDEO_DEFAULTS = { ...initialOf(PLAYER), companionad: NO_COMPANIONS };

export function bannerSettings(banner: BannerInput): BannerSettings {
  return { sizes: banner.sizes.map(sizeOf), api: banner.api ?? [] };
}

export function videoSettings(video: VideoInput): VideoSettings {
  return { ...VIDEO_DEFAULTS, ...video, companionad: (video.companionad ?? []).map(sizeOf) };
}

export function nativeSettings(native: NativeInput): NativeSettings {
  const mimes = native.image_mimes ?? [];
  return {
    title: native.title ?? null,
    icon: imageSettings(native.icon, native.icon_min, mimes),
    image: imageSettings(native.image, native.image_min, mimes),
    description: native.description ?? null,
    cta: native.cta ?? null,
    rating: native.rating ?? false,
    context: native.context ?? null,
    contextsubtype: native.contextsubtype ?? null,
  };
}

function imageSettings(
  exact: string | null | undefined,
  least: string | null | undefined,
  mimes: readonly string[],
): ImageSettings | null {
  const size = exact ?? least ?? null;
  if (size === null) return null;
  return { ...sizeOf(size), isMinimum: (exact ?? null) === null, mimes };
}

function sizeOf(size: string): Size {
  const [w = '', h = ''] = size.split('x');
  return { w: Number(w), h: Number(h) };
}

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

interface Setting<Schema extends TSchema> {
  readonly schema: Schema;
  readonly initial: Fixed<Static<Schema>>;
}

function setting<Schema extends TSchema>(
  schema: Schema,
  initial: Fixed<Static<Schema>>,
): Setting<Schema> {
  return { schema, initial };
}

function initialOf<Settings extends Readonly<Record<string, Setting<TSchema>>>>(
  settings: Settings,
): { readonly [Key in keyof Settings]: Settings[Key]['initial'] } {
  return objectOf(Object.entries(settings).map(([key, { initial }]) => [key, initial]));
}
