import type { AdFormat } from '../events/dimensions.ts';

/** The formats of an impression or a line item as a bit mask: cheap to intersect. */
export const FORMAT_BANNER = 1;
export const FORMAT_VIDEO = 2;
export const FORMAT_NATIVE = 4;

const NAMES: readonly (readonly [number, AdFormat])[] = [
  [FORMAT_VIDEO, 'video'],
  [FORMAT_NATIVE, 'native'],
  [FORMAT_BANNER, 'banner'],
];

/** The report's name of a format; of several, the first of video, native, banner. */
export function adFormatOf(formats: number): AdFormat {
  for (const [bit, name] of NAMES) if ((formats & bit) !== 0) return name;
  throw new Error(`${formats} is no format`);
}

/** All names in words: "video, banner". */
export function formatNames(formats: number): string {
  return NAMES.filter(([bit]) => (formats & bit) !== 0)
    .map(([, name]) => name)
    .join(', ');
}
