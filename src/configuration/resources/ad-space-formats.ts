import {
  nativeSettings,
  videoSettings,
  type NativeInput,
  type VideoInput,
  type VideoSettings,
} from '../../resources/formats.ts';
import type { Finding } from '../finding.ts';

/** What the formats of an ad space say against themselves. */
export function formatFaults(
  video: VideoInput | null | undefined,
  native: NativeInput | null | undefined,
): Finding[] {
  const faultsOf = <Format extends object>(
    key: string,
    format: Format | null | undefined,
    faults: (format: Format) => string[],
  ): Finding[] => (format ? faults(format).map((message) => ({ path: [key], message })) : []);
  return [
    ...faultsOf('video', video, (given) => videoFaults(videoSettings(given))),
    ...faultsOf('native', native, nativeFaults),
  ];
}

function videoFaults(video: VideoSettings): string[] {
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
  const { title, icon, image, description, cta, rating } = nativeSettings(native);
  const assets = [title, icon, image, description, cta, rating ? rating : null];
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
