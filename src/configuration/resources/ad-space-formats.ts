import type {
  BannerSettings,
  ImageSettings,
  NativeSettings,
  Size,
  VideoSettings,
} from '../../snapshot/entities.ts';
import { VIDEO_DEFAULTS } from '../../snapshot/video-defaults.ts';
import type { BannerInput, NativeInput, VideoInput } from './ad-space-formats-schema.ts';

export function bannerSettings(banner: BannerInput | null): BannerSettings | null {
  if (banner === null) return null;
  return { sizes: banner.sizes.map(sizeOf), api: banner.api ?? [] };
}

export function videoSettings(video: VideoInput | null): VideoSettings | null {
  if (video === null) return null;
  return { ...VIDEO_DEFAULTS, ...video, companionad: (video.companionad ?? []).map(sizeOf) };
}

export function nativeSettings(native: NativeInput | null): NativeSettings | null {
  if (native === null) return null;
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

/** What the formats of an ad space say against themselves. */
export function formatFaults(
  video: VideoInput | null,
  native: NativeInput | null,
): readonly { readonly key: 'video' | 'native'; readonly message: string }[] {
  return [
    ...videoFaults(videoSettings(video)).map((message) => ({ key: 'video' as const, message })),
    ...(native === null ? [] : nativeFaults(native)).map((message) => ({
      key: 'native' as const,
      message,
    })),
  ];
}

function videoFaults(video: VideoSettings | null): string[] {
  if (video === null) return [];
  const faults: string[] = [];
  if (video.minduration > video.maxduration) {
    const range = `${video.minduration} to ${video.maxduration} seconds`;
    faults.push(`must allow some duration, found ${range}`);
  }
  if (video.minbitrate > video.maxbitrate) {
    const range = `${video.minbitrate} to ${video.maxbitrate} kbps`;
    faults.push(`must allow some bitrate, found ${range}`);
  }
  return faults;
}

function nativeFaults(native: NativeInput): string[] {
  const faults: string[] = [];
  const { title, icon, image, description, cta, rating } = nativeSettings(native) ?? native;
  const assets = [title, icon, image, description, cta, rating === true ? rating : null];
  if (assets.every((asset) => asset === null)) {
    faults.push('needs an asset: title, icon, image, description, cta or rating');
  }
  for (const name of ['icon', 'image'] as const) {
    if ((native[name] ?? null) === null || (native[`${name}_min`] ?? null) === null) continue;
    faults.push(`has ${name} and ${name}_min: a size is exact or the least`);
  }
  const { context = null, contextsubtype = null } = native;
  // The tens of a subtype are its context (native 7.2).
  if (contextsubtype !== null && Math.floor(contextsubtype / 10) !== context) {
    faults.push(`has contextsubtype ${contextsubtype}, which is none of context ${context}`);
  }
  return faults;
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
