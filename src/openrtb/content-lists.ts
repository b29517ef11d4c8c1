import type { EnumeratedList } from './enumerated-list.ts';

/** List 5.13: production quality, also used for `videoquality`. */
export const ProductionQuality = {
  Unknown: 0,
  ProfessionallyProduced: 1,
  Prosumer: 2,
  UserGenerated: 3,
} as const;
export type ProductionQuality = (typeof ProductionQuality)[keyof typeof ProductionQuality];

export const PRODUCTION_QUALITIES: EnumeratedList<ProductionQuality> = {
  section: '5.13',
  title: 'Production quality',
  meanings: {
    [ProductionQuality.Unknown]: 'Unknown',
    [ProductionQuality.ProfessionallyProduced]: 'Professionally produced',
    [ProductionQuality.Prosumer]: 'Prosumer',
    [ProductionQuality.UserGenerated]: 'User-generated',
  },
};

/** List 5.17: media ratings. */
export const MediaRating = { AllAudiences: 1, EveryoneOver12: 2, MatureAudience: 3 } as const;
export type MediaRating = (typeof MediaRating)[keyof typeof MediaRating];

export const MEDIA_RATINGS: EnumeratedList<MediaRating> = {
  section: '5.17',
  title: 'Media ratings',
  meanings: {
    [MediaRating.AllAudiences]: 'All audiences',
    [MediaRating.EveryoneOver12]: 'Everyone over 12',
    [MediaRating.MatureAudience]: 'Mature audience',
  },
};

/** List 5.18: content context. The field that carries it is a text: "1" is video. */
export const ContentContext = {
  Video: 1,
  Game: 2,
  Music: 3,
  Application: 4,
  Text: 5,
  Other: 6,
  Unknown: 7,
} as const;
export type ContentContext = (typeof ContentContext)[keyof typeof ContentContext];

export const CONTENT_CONTEXTS: EnumeratedList<ContentContext> = {
  section: '5.18',
  title: 'Content context',
  meanings: {
    [ContentContext.Video]: 'Video',
    [ContentContext.Game]: 'Game',
    [ContentContext.Music]: 'Music',
    [ContentContext.Application]: 'Application',
    [ContentContext.Text]: 'Text',
    [ContentContext.Other]: 'Other',
    [ContentContext.Unknown]: 'Unknown',
  },
};
