// Written by "npm run gen" from the fields of src/resources; change them there.
import type { AdSpaceInput } from '../../../src/resources/ad-space.ts';
import type { AppInput, SiteInput } from '../../../src/resources/property.ts';
import type { BidderInput } from '../../../src/resources/bidder.ts';
import type { PublisherInput } from '../../../src/resources/publisher.ts';

type Whole<Input> = Required<Omit<Input, 'id'>>;

export const NEW_AD_SPACE: Whole<AdSpaceInput> = {
  name: '',
  status: 'ACTIVE',
  banner: null,
  video: null,
  native: null,
  floor: 0,
  floors: [],
  auction: 'second_price',
  interstitial: false,
  rewarded: false,
  pos: null,
  viewability: null,
  exp: null,
  iframebusters: [],
  refresh: null,
  backfill: null,
  blocked_categories: [],
  blocked_advertisers: [],
  blocked_apps: [],
  blocked_attributes: [],
};

export const NEW_APP: Whole<AppInput> = {
  name: '',
  status: 'ACTIVE',
  categories: [],
  languages: [],
  floors: [],
  blocked_categories: [],
  blocked_advertisers: [],
  blocked_apps: [],
  blocked_attributes: [],
  bundle: '',
  platform: null,
  storeurl: null,
  domain: null,
};

export const NEW_BIDDER: Whole<BidderInput> = {
  endpoint: '',
  openrtb_version: '2.5',
  timeout_ms: 200,
  max_qps: null,
  max_concurrency: null,
  send_bidfloor: false,
  gzip: false,
  gvl_id: null,
  mimes: null,
  send_viewability: false,
  native_in_ext: false,
  interstitial_imps: 'one',
  sync_url: null,
  sync_type: 'image',
  headers: null,
};

export const NEW_PUBLISHER: Whole<PublisherInput> = {
  name: '',
  status: 'ACTIVE',
  revenue_share: 0,
  price_basis: 'net',
  confirms_wins: false,
  seat_non_bids: 'none',
  creative_review: 'none',
  seller_id: null,
  aliases: [],
  seller_type: 'PUBLISHER',
  invalid_traffic: null,
  domain: null,
  categories: [],
  hide_names: false,
  floors: [],
  blocked_categories: [],
  blocked_advertisers: [],
  blocked_apps: [],
  blocked_attributes: [],
};

export const NEW_SITE: Whole<SiteInput> = {
  name: '',
  status: 'ACTIVE',
  categories: [],
  languages: [],
  floors: [],
  blocked_categories: [],
  blocked_advertisers: [],
  blocked_apps: [],
  blocked_attributes: [],
  domain: '',
};
