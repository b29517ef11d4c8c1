/** The lists of audio. The spec has none, so they are those of OpenRTB 2.5 by its own numbers. */
import type { EnumeratedList } from './enumerated-list.ts';

/** What an audio feed is (OpenRTB 2.5, list 5.16). */
export const FeedType = { MusicService: 1, Broadcast: 2, Podcast: 3 } as const;
export type FeedType = (typeof FeedType)[keyof typeof FeedType];

export const FEED_TYPES: EnumeratedList<FeedType> = {
  section: 'OpenRTB 5.16',
  title: 'Feed types',
  meanings: {
    [FeedType.MusicService]: 'Music service',
    [FeedType.Broadcast]: 'FM or AM broadcast',
    [FeedType.Podcast]: 'Podcast',
  },
};

/** How volume is normalised (OpenRTB 2.5, list 5.17; the spec's own 5.17 are media ratings). */
export const VolumeNormalization = {
  None: 0,
  AverageVolume: 1,
  PeakVolume: 2,
  Loudness: 3,
  CustomVolume: 4,
} as const;
export type VolumeNormalization = (typeof VolumeNormalization)[keyof typeof VolumeNormalization];

export const VOLUME_NORMALIZATIONS: EnumeratedList<VolumeNormalization> = {
  section: 'OpenRTB 5.17',
  title: 'Volume normalization modes',
  meanings: {
    [VolumeNormalization.None]: 'None',
    [VolumeNormalization.AverageVolume]: 'Average volume, normalised to content',
    [VolumeNormalization.PeakVolume]: 'Peak volume, normalised to content',
    [VolumeNormalization.Loudness]: 'Loudness, normalised to content',
    [VolumeNormalization.CustomVolume]: 'Custom volume normalisation',
  },
};
