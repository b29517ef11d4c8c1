import type {
  AdSpace,
  BannerSettings,
  Bidder,
  DemandPartner,
  Entity,
  ExchangeSettings,
  ImageSettings,
  NativeSettings,
  Property,
  Publisher,
  VideoSettings,
} from './entities.ts';

/**
 * An entity as an earlier version of Rialto may have written it. A node starts from the snapshot on
 * its disk and may be ahead of control, and neither is a reason not to serve: a field that came
 * later is not in there, and takes the value that says what was done before.
 */
export type StoredEntity =
  | Exclude<Entity, ExchangeSettings | DemandPartner | Publisher | Property | AdSpace>
  | Grown<ExchangeSettings, typeof EXCHANGE>
  | StoredDemandPartner
  | Grown<Publisher, typeof PUBLISHER>
  | Grown<Property, typeof PROPERTY>
  | StoredAdSpace;

type StoredDemandPartner = Grown<
  Omit<DemandPartner, 'bidder'> & { readonly bidder: Grown<Bidder, typeof BIDDER> | null },
  typeof DEMAND_PARTNER
>;

type StoredAdSpace = Grown<
  Omit<AdSpace, 'banner' | 'video' | 'native'> & {
    readonly banner: Grown<BannerSettings, typeof BANNER> | null;
    readonly video: Grown<VideoSettings, typeof VIDEO> | null;
    readonly native: StoredNative | null;
  },
  typeof AD_SPACE
>;

type StoredNative = Grown<
  Omit<NativeSettings, 'icon' | 'image'> & {
    readonly icon: Grown<ImageSettings, typeof IMAGE> | null;
    readonly image: Grown<ImageSettings, typeof IMAGE> | null;
  },
  typeof NATIVE
>;

/** What has later fields, which may be missing. */
type Grown<Whole, Later> = Omit<Whole, keyof Later> &
  Partial<Pick<Whole, keyof Later & keyof Whole>>;

type Fields<Whole, Name extends keyof Whole> = Readonly<Pick<Whole, Name>>;

const EXCHANGE: Fields<
  ExchangeSettings,
  | 'traceBodiesBps'
  | 'lossNoticePrice'
  | 'creativeReview'
  | 'domain'
  | 'paymentId'
  | 'gvlId'
  | 'bidRequirements'
  | 'tagId'
  | 'contactEmail'
  | 'contactAddress'
  | 'invalidTraffic'
> = {
  // A setting that nobody knew: its default, as in a store from before.
  traceBodiesBps: 100,
  lossNoticePrice: true,
  creativeReview: 'none',
  domain: null,
  paymentId: null,
  gvlId: null,
  bidRequirements: { fields: [], adomainsMax: null },
  tagId: null,
  contactEmail: null,
  contactAddress: null,
  invalidTraffic: 'ignore',
};

const DEMAND_PARTNER: Fields<DemandPartner, 'stopped'> = { stopped: false };

const BIDDER: Fields<
  Bidder,
  | 'maxConcurrency'
  | 'mimes'
  | 'sendViewability'
  | 'nativeInExt'
  | 'interstitialImps'
  | 'syncUrl'
  | 'syncType'
  | 'headers'
> = {
  maxConcurrency: null,
  mimes: null,
  sendViewability: false,
  nativeInExt: false,
  interstitialImps: 'one',
  syncUrl: null,
  syncType: 'image',
  headers: null,
};

const PUBLISHER: Fields<
  Publisher,
  | 'confirmsWins'
  | 'seatNonBids'
  | 'creativeReview'
  | 'sellerId'
  | 'aliases'
  | 'sellerType'
  | 'invalidTraffic'
  | 'domain'
  | 'categories'
  | 'hidesNames'
  | 'floors'
> = {
  confirmsWins: false,
  seatNonBids: 'none',
  creativeReview: 'none',
  sellerId: null,
  aliases: [],
  sellerType: 'PUBLISHER',
  invalidTraffic: null,
  domain: null,
  categories: [],
  hidesNames: false,
  floors: [],
};

const PROPERTY: Fields<Property, 'languages' | 'floors'> = { languages: [], floors: [] };

const AD_SPACE: Fields<
  AdSpace,
  'viewability' | 'exp' | 'iframebusters' | 'floors' | 'refresh' | 'backfill'
> = {
  viewability: null,
  exp: null,
  iframebusters: [],
  floors: [],
  refresh: null,
  backfill: null,
};

const BANNER: Fields<BannerSettings, 'api'> = { api: [] };

const VIDEO: Fields<
  VideoSettings,
  | 'skipmin'
  | 'skipafter'
  | 'maxextended'
  | 'boxingallowed'
  | 'playbackmethod'
  | 'playbackend'
  | 'delivery'
  | 'api'
  | 'companionad'
  | 'companiontype'
  | 'vcm'
  | 'outstream'
> = {
  skipmin: null,
  skipafter: null,
  maxextended: null,
  boxingallowed: null,
  playbackmethod: [],
  playbackend: null,
  delivery: [],
  api: [],
  companionad: [],
  companiontype: [],
  vcm: null,
  outstream: false,
};

const NATIVE: Fields<NativeSettings, 'rating' | 'context' | 'contextsubtype'> = {
  rating: false,
  context: null,
  contextsubtype: null,
};

const IMAGE: Fields<ImageSettings, 'isMinimum' | 'mimes'> = { isMinimum: false, mimes: [] };

/** The entity with all fields that it has now. */
export function completed(entity: StoredEntity): Entity {
  switch (entity.kind) {
    case 'exchange':
      return { ...EXCHANGE, ...entity };
    case 'demandPartner':
      return completedDemandPartner(entity);
    case 'publisher':
      return { ...PUBLISHER, ...entity };
    case 'property':
      return { ...PROPERTY, ...entity };
    case 'adSpace':
      return completedAdSpace(entity);
    case 'lineItem':
    case 'deal':
    case 'creativeReview':
      return entity;
  }
}

function completedDemandPartner(partner: StoredDemandPartner): DemandPartner {
  const { bidder } = partner;
  return {
    ...DEMAND_PARTNER,
    ...partner,
    bidder: bidder === null ? null : { ...BIDDER, ...bidder },
  };
}

function completedAdSpace(adSpace: StoredAdSpace): AdSpace {
  const { banner, video, native } = adSpace;
  return {
    ...AD_SPACE,
    ...adSpace,
    banner: banner === null ? null : { ...BANNER, ...banner },
    video: video === null ? null : { ...VIDEO, ...video },
    native: native === null ? null : completedNative(native),
  };
}

function completedNative(native: StoredNative): NativeSettings {
  const { icon, image } = native;
  return {
    ...NATIVE,
    ...native,
    icon: icon === null ? null : { ...IMAGE, ...icon },
    image: image === null ? null : { ...IMAGE, ...image },
  };
}
