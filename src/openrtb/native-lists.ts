/**
 * The ids of native 1.1. The spec leaves them open (section 2.23), so they are those of the
 * industry's Dynamic Native Ads API 1.1, whose section numbers each list names.
 */
import type { EnumeratedList } from './enumerated-list.ts';

/** Where the ad appears (native 7.1). */
export const NativeContext = { Content: 1, Social: 2, Product: 3 } as const;
export type NativeContext = (typeof NativeContext)[keyof typeof NativeContext];

export const NATIVE_CONTEXTS: EnumeratedList<NativeContext> = {
  section: 'native 7.1',
  title: 'Native context',
  meanings: {
    [NativeContext.Content]: 'Content-centric, such as a newsfeed, article or gallery',
    [NativeContext.Social]: 'Social-centric, such as a social feed, email or chat',
    [NativeContext.Product]: 'Product, such as a listing, store page or review',
  },
};

/** Where the ad appears, in detail (native 7.2). The tens are the context. */
export const NativeContextSubtype = {
  ContentGeneral: 10,
  Article: 11,
  Video: 12,
  Audio: 13,
  Image: 14,
  UserGenerated: 15,
  SocialGeneral: 20,
  Email: 21,
  Chat: 22,
  Selling: 30,
  AppStore: 31,
  ProductReview: 32,
} as const;
export type NativeContextSubtype = (typeof NativeContextSubtype)[keyof typeof NativeContextSubtype];

export const NATIVE_CONTEXT_SUBTYPES: EnumeratedList<NativeContextSubtype> = {
  section: 'native 7.2',
  title: 'Native context subtype',
  meanings: {
    [NativeContextSubtype.ContentGeneral]: 'General or mixed content',
    [NativeContextSubtype.Article]: 'Primarily article content',
    [NativeContextSubtype.Video]: 'Primarily video content',
    [NativeContextSubtype.Audio]: 'Primarily audio content',
    [NativeContextSubtype.Image]: 'Primarily image content',
    [NativeContextSubtype.UserGenerated]: 'User-generated content',
    [NativeContextSubtype.SocialGeneral]: 'General social content',
    [NativeContextSubtype.Email]: 'Primarily email content',
    [NativeContextSubtype.Chat]: 'Primarily chat or messaging',
    [NativeContextSubtype.Selling]: 'Selling products, digital or physical',
    [NativeContextSubtype.AppStore]: 'Application store or marketplace',
    [NativeContextSubtype.ProductReview]: 'Product reviews',
  },
};

/** How the ad is laid out among the content (native 7.3). The exchange sends 1. */
export const NativePlacement = {
  InFeed: 1,
  AtomicUnit: 2,
  OutsideContent: 3,
  RecommendationWidget: 4,
} as const;
export type NativePlacement = (typeof NativePlacement)[keyof typeof NativePlacement];

export const NATIVE_PLACEMENTS: EnumeratedList<NativePlacement> = {
  section: 'native 7.3',
  title: 'Native placement',
  meanings: {
    [NativePlacement.InFeed]: 'In the feed of content',
    [NativePlacement.AtomicUnit]: 'In the atomic unit of the content',
    [NativePlacement.OutsideContent]: 'Outside the core content',
    [NativePlacement.RecommendationWidget]: 'Recommendation widget',
  },
};

/** What a data asset says (native 7.4). */
export const NativeDataType = {
  Sponsored: 1,
  Description: 2,
  Rating: 3,
  Likes: 4,
  Downloads: 5,
  Price: 6,
  SalePrice: 7,
  Phone: 8,
  Address: 9,
  AdditionalDescription: 10,
  DisplayUrl: 11,
  CallToAction: 12,
} as const;
export type NativeDataType = (typeof NativeDataType)[keyof typeof NativeDataType];

export const NATIVE_DATA_TYPES: EnumeratedList<NativeDataType> = {
  section: 'native 7.4',
  title: 'Native data asset types',
  meanings: {
    [NativeDataType.Sponsored]: 'Sponsored by: the name of the brand',
    [NativeDataType.Description]: 'Description of the product or service (DESC)',
    [NativeDataType.Rating]: 'Rating of the product (RATING)',
    [NativeDataType.Likes]: 'Number of likes',
    [NativeDataType.Downloads]: 'Number of downloads or installs',
    [NativeDataType.Price]: 'Price, with currency',
    [NativeDataType.SalePrice]: 'Discounted price, with currency',
    [NativeDataType.Phone]: 'Phone number',
    [NativeDataType.Address]: 'Address',
    [NativeDataType.AdditionalDescription]: 'Additional description',
    [NativeDataType.DisplayUrl]: 'Display URL',
    [NativeDataType.CallToAction]: 'Text of the call to action (CTATEXT)',
  },
};

/** What an image asset shows (spec, section 2.20). */
export const NativeImageType = { Icon: 1, Main: 3 } as const;
export type NativeImageType = (typeof NativeImageType)[keyof typeof NativeImageType];

export const NATIVE_IMAGE_TYPES: EnumeratedList<NativeImageType> = {
  section: 'native 7.5',
  title: 'Native image asset types',
  meanings: {
    [NativeImageType.Icon]: 'Icon',
    [NativeImageType.Main]: 'Main image',
  },
};
