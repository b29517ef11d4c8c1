import type { EnumeratedList } from './enumerated-list.ts';

/** List 5.2: banner ad types. */
export const BannerAdType = { XhtmlText: 1, XhtmlBanner: 2, JavaScript: 3, Iframe: 4 } as const;
export type BannerAdType = (typeof BannerAdType)[keyof typeof BannerAdType];

export const BANNER_AD_TYPES: EnumeratedList<BannerAdType> = {
  section: '5.2',
  title: 'Banner ad types',
  meanings: {
    [BannerAdType.XhtmlText]: 'XHTML text ad',
    [BannerAdType.XhtmlBanner]: 'XHTML banner ad',
    [BannerAdType.JavaScript]: 'JavaScript ad (valid XHTML)',
    [BannerAdType.Iframe]: 'Iframe',
  },
};

/** List 5.3: creative attributes. */
export const CreativeAttribute = {
  AudioAutoplay: 1,
  AudioUserInitiated: 2,
  ExpandableAutomatic: 3,
  ExpandableOnClick: 4,
  ExpandableOnRollover: 5,
  InBannerVideoAutoplay: 6,
  InBannerVideoUserInitiated: 7,
  Pop: 8,
  ProvocativeImagery: 9,
  ExtremeAnimation: 10,
  Survey: 11,
  TextOnly: 12,
  UserInteractive: 13,
  DialogOrAlert: 14,
  AudioOnOffButton: 15,
  Skippable: 16,
} as const;
export type CreativeAttribute = (typeof CreativeAttribute)[keyof typeof CreativeAttribute];

export const CREATIVE_ATTRIBUTES: EnumeratedList<CreativeAttribute> = {
  section: '5.3',
  title: 'Creative attributes',
  meanings: {
    [CreativeAttribute.AudioAutoplay]: 'Audio ad, autoplay',
    [CreativeAttribute.AudioUserInitiated]: 'Audio ad, user initiated',
    [CreativeAttribute.ExpandableAutomatic]: 'Expandable, automatic',
    [CreativeAttribute.ExpandableOnClick]: 'Expandable, on click',
    [CreativeAttribute.ExpandableOnRollover]: 'Expandable, on rollover',
    [CreativeAttribute.InBannerVideoAutoplay]: 'In-banner video, autoplay',
    [CreativeAttribute.InBannerVideoUserInitiated]: 'In-banner video, user initiated',
    [CreativeAttribute.Pop]: 'Pop (over, under, or on exit)',
    [CreativeAttribute.ProvocativeImagery]: 'Provocative or suggestive imagery',
    [CreativeAttribute.ExtremeAnimation]: 'Shaky, flashing, or extreme animation',
    [CreativeAttribute.Survey]: 'Survey',
    [CreativeAttribute.TextOnly]: 'Text only',
    [CreativeAttribute.UserInteractive]: 'User interactive',
    [CreativeAttribute.DialogOrAlert]: 'Dialog or alert style',
    [CreativeAttribute.AudioOnOffButton]: 'Has an audio on/off button',
    [CreativeAttribute.Skippable]: 'Skippable',
  },
};

/** List 5.4: ad position. */
export const AdPosition = {
  Unknown: 0,
  AboveTheFold: 1,
  Deprecated: 2,
  BelowTheFold: 3,
  Header: 4,
  Footer: 5,
  Sidebar: 6,
  Fullscreen: 7,
} as const;
export type AdPosition = (typeof AdPosition)[keyof typeof AdPosition];

export const AD_POSITIONS: EnumeratedList<AdPosition> = {
  section: '5.4',
  title: 'Ad position',
  meanings: {
    [AdPosition.Unknown]: 'Unknown',
    [AdPosition.AboveTheFold]: 'Above the fold',
    [AdPosition.Deprecated]: 'Deprecated',
    [AdPosition.BelowTheFold]: 'Below the fold',
    [AdPosition.Header]: 'Header',
    [AdPosition.Footer]: 'Footer',
    [AdPosition.Sidebar]: 'Sidebar',
    [AdPosition.Fullscreen]: 'Full screen',
  },
};

/** List 5.5: directions in which an ad may expand. */
export const ExpandableDirection = { Left: 1, Right: 2, Up: 3, Down: 4, Fullscreen: 5 } as const;
export type ExpandableDirection = (typeof ExpandableDirection)[keyof typeof ExpandableDirection];

export const EXPANDABLE_DIRECTIONS: EnumeratedList<ExpandableDirection> = {
  section: '5.5',
  title: 'Expandable direction',
  meanings: {
    [ExpandableDirection.Left]: 'Left',
    [ExpandableDirection.Right]: 'Right',
    [ExpandableDirection.Up]: 'Up',
    [ExpandableDirection.Down]: 'Down',
    [ExpandableDirection.Fullscreen]: 'Full screen',
  },
};

/** List 5.6: API frameworks. */
export const ApiFramework = {
  Vpaid1: 1,
  Vpaid2: 2,
  Mraid1: 3,
  Ormma: 4,
  Mraid2: 5,
  Mraid3: 6,
  Omid1: 7,
} as const;
export type ApiFramework = (typeof ApiFramework)[keyof typeof ApiFramework];

export const API_FRAMEWORKS: EnumeratedList<ApiFramework> = {
  section: '5.6',
  title: 'API frameworks',
  meanings: {
    [ApiFramework.Vpaid1]: 'VPAID 1.0',
    [ApiFramework.Vpaid2]: 'VPAID 2.0',
    [ApiFramework.Mraid1]: 'MRAID-1',
    [ApiFramework.Ormma]: 'ORMMA',
    [ApiFramework.Mraid2]: 'MRAID-2',
    [ApiFramework.Mraid3]: 'MRAID-3',
    [ApiFramework.Omid1]: 'OMID-1',
  },
};
