/** Lists that OpenRTB 2.6 refers to, by the names that they have in AdCOM 1.0. */
import type { EnumeratedList } from './enumerated-list.ts';

/** What the markup of a bid is (OpenRTB 2.6, section 4.2.3). */
export const MarkupType = { Banner: 1, Video: 2, Audio: 3, Native: 4 } as const;
export type MarkupType = (typeof MarkupType)[keyof typeof MarkupType];

export const MARKUP_TYPES: EnumeratedList<MarkupType> = {
  section: 'OpenRTB 2.6, 4.2.3',
  title: 'Markup types',
  meanings: {
    [MarkupType.Banner]: 'Banner',
    [MarkupType.Video]: 'Video',
    [MarkupType.Audio]: 'Audio',
    [MarkupType.Native]: 'Native',
  },
};

/** Where a video is shown; `plcmt`, which replaces `placement`. */
export const VideoPlcmt = {
  Instream: 1,
  AccompanyingContent: 2,
  Interstitial: 3,
  Standalone: 4,
} as const;
export type VideoPlcmt = (typeof VideoPlcmt)[keyof typeof VideoPlcmt];

export const VIDEO_PLCMTS: EnumeratedList<VideoPlcmt> = {
  section: 'AdCOM Plcmt Subtypes - Video',
  title: 'Video placements as of 2.6',
  meanings: {
    [VideoPlcmt.Instream]: 'In-stream: the video is what the user came for',
    [VideoPlcmt.AccompanyingContent]: 'Video content that accompanies other content',
    [VideoPlcmt.Interstitial]: 'Interstitial, without video content',
    [VideoPlcmt.Standalone]: 'No video content: slider, in-feed, in-article or floating',
  },
};

/** Who stitches a video and who calls its trackers (OpenRTB 2.6, section 3.2.4). */
export const ServerSideInsertion = {
  Unknown: 0,
  ClientSide: 1,
  AssetsServerSide: 2,
  ServerSide: 3,
} as const;
export type ServerSideInsertion = (typeof ServerSideInsertion)[keyof typeof ServerSideInsertion];

export const SERVER_SIDE_INSERTIONS: EnumeratedList<ServerSideInsertion> = {
  section: 'OpenRTB 2.6, 3.2.4',
  title: 'Server-side ad insertion',
  meanings: {
    [ServerSideInsertion.Unknown]: 'Unknown',
    [ServerSideInsertion.ClientSide]: 'All on the client',
    [ServerSideInsertion.AssetsServerSide]: 'Assets stitched on the server, trackers on the client',
    [ServerSideInsertion.ServerSide]: 'All on the server',
  },
};

/** Where in a pod an ad stands. */
export const SlotInPod = { Last: -1, Any: 0, First: 1, FirstOrLast: 2 } as const;
export type SlotInPod = (typeof SlotInPod)[keyof typeof SlotInPod];

export const SLOTS_IN_POD: EnumeratedList<SlotInPod> = {
  section: 'AdCOM Slot Position in Pod',
  title: 'Slot positions in a pod',
  meanings: {
    [SlotInPod.Last]: 'Last',
    [SlotInPod.Any]: 'Any',
    [SlotInPod.First]: 'First',
    [SlotInPod.FirstOrLast]: 'First or last',
  },
};

/** Which pod of the content it is. Above 1 every number is a position. */
export const PodSequence = { Last: -1, Any: 0, First: 1 } as const;
export type PodSequence = (typeof PodSequence)[keyof typeof PodSequence];

export const POD_SEQUENCES: EnumeratedList<PodSequence> = {
  section: 'AdCOM Pod Sequence',
  title: 'Pod sequence',
  meanings: {
    [PodSequence.Last]: 'Last pod of the content',
    [PodSequence.Any]: 'Any pod',
    [PodSequence.First]: 'First pod of the content',
  },
};

/** What a structured user agent was made from. */
export const UserAgentSource = { Unknown: 0, LowEntropy: 1, HighEntropy: 2, Parsed: 3 } as const;
export type UserAgentSource = (typeof UserAgentSource)[keyof typeof UserAgentSource];

export const USER_AGENT_SOURCES: EnumeratedList<UserAgentSource> = {
  section: 'AdCOM User-Agent Source',
  title: 'User agent sources',
  meanings: {
    [UserAgentSource.Unknown]: 'Unknown',
    [UserAgentSource.LowEntropy]: 'Client hints of low entropy',
    [UserAgentSource.HighEntropy]: 'Client hints, those of high entropy too',
    [UserAgentSource.Parsed]: 'The user agent as a text',
  },
};

/** How an id was matched. */
export const MatchMethod = {
  Unknown: 0,
  NoMatch: 1,
  CookieSync: 2,
  Authenticated: 3,
  Observed: 4,
  Inferred: 5,
} as const;
export type MatchMethod = (typeof MatchMethod)[keyof typeof MatchMethod];

export const MATCH_METHODS: EnumeratedList<MatchMethod> = {
  section: 'AdCOM ID Match Methods',
  title: 'Match methods of ids',
  meanings: {
    [MatchMethod.Unknown]: 'Unknown',
    [MatchMethod.NoMatch]: 'None: a third-party cookie or an advertising id',
    [MatchMethod.CookieSync]: 'Cookie sync',
    [MatchMethod.Authenticated]: 'The user signed in',
    [MatchMethod.Observed]: 'Observed by the first party',
    [MatchMethod.Inferred]: 'Inferred across devices',
  },
};

/** What refreshes an ad. */
export const RefreshTrigger = { Unknown: 0, UserAction: 1, Event: 2, Time: 3 } as const;
export type RefreshTrigger = (typeof RefreshTrigger)[keyof typeof RefreshTrigger];

export const REFRESH_TRIGGERS: EnumeratedList<RefreshTrigger> = {
  section: 'AdCOM Auto Refresh Triggers',
  title: 'Auto refresh triggers',
  meanings: {
    [RefreshTrigger.Unknown]: 'Unknown',
    [RefreshTrigger.UserAction]: 'Action of the user',
    [RefreshTrigger.Event]: 'Change of the content',
    [RefreshTrigger.Time]: 'Time',
  },
};
/** The taxonomy that categories are from. */
export const CategoryTaxonomy = {
  Content1: 1,
  Content2: 2,
  AdProduct1: 3,
  Audience1: 4,
  Content21: 5,
  Content22: 6,
  Content3: 7,
  AdProduct2: 8,
  Content31: 9,
} as const;
export type CategoryTaxonomy = (typeof CategoryTaxonomy)[keyof typeof CategoryTaxonomy];

export const CATEGORY_TAXONOMIES: EnumeratedList<CategoryTaxonomy> = {
  section: 'AdCOM Category Taxonomies',
  title: 'Category taxonomies',
  meanings: {
    [CategoryTaxonomy.Content1]: 'Content taxonomy 1.0',
    [CategoryTaxonomy.Content2]: 'Content taxonomy 2.0',
    [CategoryTaxonomy.AdProduct1]: 'Ad product taxonomy 1.0',
    [CategoryTaxonomy.Audience1]: 'Audience taxonomy 1.1',
    [CategoryTaxonomy.Content21]: 'Content taxonomy 2.1',
    [CategoryTaxonomy.Content22]: 'Content taxonomy 2.2',
    [CategoryTaxonomy.Content3]: 'Content taxonomy 3.0',
    [CategoryTaxonomy.AdProduct2]: 'Ad product taxonomy 2.0',
    [CategoryTaxonomy.Content31]: 'Content taxonomy 3.1',
  },
};
