import type { EnumeratedList } from './enumerated-list.ts';

/** List 5.7: video linearity. */
export const VideoLinearity = { Linear: 1, NonLinear: 2 } as const;
export type VideoLinearity = (typeof VideoLinearity)[keyof typeof VideoLinearity];

export const VIDEO_LINEARITIES: EnumeratedList<VideoLinearity> = {
  section: '5.7',
  title: 'Video linearity',
  meanings: {
    [VideoLinearity.Linear]: 'Linear, in-stream',
    [VideoLinearity.NonLinear]: 'Non-linear, overlay',
  },
};

/** List 5.8: video protocols. */
export const VideoProtocol = {
  Vast1: 1,
  Vast2: 2,
  Vast3: 3,
  Vast1Wrapper: 4,
  Vast2Wrapper: 5,
  Vast3Wrapper: 6,
} as const;
export type VideoProtocol = (typeof VideoProtocol)[keyof typeof VideoProtocol];

export const VIDEO_PROTOCOLS: EnumeratedList<VideoProtocol> = {
  section: '5.8',
  title: 'Video protocols',
  meanings: {
    [VideoProtocol.Vast1]: 'VAST 1.0',
    [VideoProtocol.Vast2]: 'VAST 2.0',
    [VideoProtocol.Vast3]: 'VAST 3.0',
    [VideoProtocol.Vast1Wrapper]: 'VAST 1.0 wrapper',
    [VideoProtocol.Vast2Wrapper]: 'VAST 2.0 wrapper',
    [VideoProtocol.Vast3Wrapper]: 'VAST 3.0 wrapper',
  },
};

/** List 5.9: video placement. */
export const VideoPlacement = {
  InStream: 1,
  InBanner: 2,
  InArticle: 3,
  InFeed: 4,
  InterstitialSliderFloating: 5,
} as const;
export type VideoPlacement = (typeof VideoPlacement)[keyof typeof VideoPlacement];

export const VIDEO_PLACEMENTS: EnumeratedList<VideoPlacement> = {
  section: '5.9',
  title: 'Video placement',
  meanings: {
    [VideoPlacement.InStream]: 'In-stream',
    [VideoPlacement.InBanner]: 'In-banner',
    [VideoPlacement.InArticle]: 'In-article',
    [VideoPlacement.InFeed]: 'In-feed',
    [VideoPlacement.InterstitialSliderFloating]: 'Interstitial, slider or floating',
  },
};

/** List 5.10: playback methods. */
export const PlaybackMethod = {
  AutoplaySoundOn: 1,
  AutoplaySoundOff: 2,
  ClickToPlay: 3,
  MouseOver: 4,
} as const;
export type PlaybackMethod = (typeof PlaybackMethod)[keyof typeof PlaybackMethod];

export const PLAYBACK_METHODS: EnumeratedList<PlaybackMethod> = {
  section: '5.10',
  title: 'Playback methods',
  meanings: {
    [PlaybackMethod.AutoplaySoundOn]: 'Autoplay, sound on',
    [PlaybackMethod.AutoplaySoundOff]: 'Autoplay, sound off',
    [PlaybackMethod.ClickToPlay]: 'Click to play',
    [PlaybackMethod.MouseOver]: 'Mouse-over',
  },
};

/** What ends playback. The spec has no such list; these are the values of OpenRTB 2.5, list 5.11. */
export const PlaybackEnd = { Completion: 1, LeavingViewport: 2, FloatingOnLeaving: 3 } as const;
export type PlaybackEnd = (typeof PlaybackEnd)[keyof typeof PlaybackEnd];

export const PLAYBACK_ENDS: EnumeratedList<PlaybackEnd> = {
  section: 'OpenRTB 5.11',
  title: 'Playback cessation modes',
  meanings: {
    [PlaybackEnd.Completion]: 'When the video ends or the user ends it',
    [PlaybackEnd.LeavingViewport]: 'When it leaves the viewport or the user ends it',
    [PlaybackEnd.FloatingOnLeaving]: 'Floats on after leaving the viewport, until the video ends',
  },
};

/** List 5.12: the start delays that are not a number of seconds. Above 0 is mid-roll, the delay. */
export const StartDelay = { PreRoll: 0, GenericMidRoll: -1, GenericPostRoll: -2 } as const;
export type StartDelay = (typeof StartDelay)[keyof typeof StartDelay];

export const START_DELAYS: EnumeratedList<StartDelay> = {
  section: '5.12',
  title: 'Video start delay (above 0: mid-roll, the value is the delay in seconds)',
  meanings: {
    [StartDelay.PreRoll]: 'Pre-roll',
    [StartDelay.GenericMidRoll]: 'Generic mid-roll',
    [StartDelay.GenericPostRoll]: 'Generic post-roll',
  },
};

/** List 5.14: companion types. */
export const CompanionType = { Static: 1, Html: 2, Iframe: 3 } as const;
export type CompanionType = (typeof CompanionType)[keyof typeof CompanionType];

export const COMPANION_TYPES: EnumeratedList<CompanionType> = {
  section: '5.14',
  title: 'Companion types',
  meanings: {
    [CompanionType.Static]: 'Static resource',
    [CompanionType.Html]: 'HTML resource',
    [CompanionType.Iframe]: 'Iframe resource',
  },
};

/** List 5.15: content delivery methods. */
export const DeliveryMethod = { Streaming: 1, Progressive: 2 } as const;
export type DeliveryMethod = (typeof DeliveryMethod)[keyof typeof DeliveryMethod];

export const DELIVERY_METHODS: EnumeratedList<DeliveryMethod> = {
  section: '5.15',
  title: 'Delivery methods',
  meanings: {
    [DeliveryMethod.Streaming]: 'Streaming',
    [DeliveryMethod.Progressive]: 'Progressive',
  },
};
