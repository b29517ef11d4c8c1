import type {
  AdSpace,
  Bidder,
  Deal,
  ExchangeSettings,
  Property,
  Publisher,
  Status,
} from '../snapshot/entities.ts';

/**
 * The configuration store, one interface per table, as the migrations make them. What both dialects
 * share: ids are integers that a file or this code chooses, money is integer micros, shares are
 * basis points, yes and no are 1 and 0, instants are milliseconds since 1970 in UTC, and lists and
 * objects are JSON text with sorted keys, in the form that people write.
 */
export interface Database {
  configuration_version: ConfigurationVersionTable;
  exchange_settings: ExchangeSettingsTable;
  demand_partners: DemandPartnersTable;
  bidders: BiddersTable;
  line_items: LineItemsTable;
  publishers: PublishersTable;
  properties: PropertiesTable;
  ad_spaces: AdSpacesTable;
  deals: DealsTable;
  users: UsersTable;
  applications: ApplicationsTable;
  accounts: AccountsTable;
  segment_offsets: SegmentOffsetsTable;
  pending_batches: PendingBatchesTable;
}

/** 1 for yes, 0 for no. */
export type Flag = 0 | 1;

/** A list or an object as JSON text. */
export type Json = string;

/** One row: which store this is, and how many changes it has seen. */
interface ConfigurationVersionTable {
  id: 1;
  epoch: string;
  seq: number;
}

interface Timestamps {
  created_at: number;
  updated_at: number;
}

interface BlockingColumns {
  blocked_categories: Json;
  blocked_advertisers: Json;
  blocked_apps: Json;
  blocked_attributes: Json;
}

/** One row, or none while the operator has changed no setting. */
interface ExchangeSettingsTable extends BlockingColumns, Timestamps {
  id: number;
  name: string;
  allow_private_addresses: Json;
  tmax_default_ms: number;
  tmax_max_ms: number;
  trace_share_bps: number;
  loss_notice_price: Flag;
  domain: string | null;
  payment_id: string | null;
  tag_id: string | null;
  contact_email: string | null;
  contact_address: string | null;
  invalid_traffic: ExchangeSettings['invalidTraffic'];
}

interface DemandPartnersTable extends Timestamps {
  id: number;
  name: string;
  status: Status;
}

/** At most one for each demand partner. */
interface BiddersTable extends Timestamps {
  demand_partner_id: number;
  endpoint: string;
  openrtb_version: Bidder['openrtbVersion'];
  timeout_ms: number;
  max_qps: number | null;
  send_bidfloor: Flag;
  gzip: Flag;
  gvl_id: number | null;
  mimes: Json | null;
  send_viewability: Flag;
  native_in_ext: Flag;
  interstitial_imps: Bidder['interstitialImps'];
}

interface LineItemsTable extends Timestamps {
  id: number;
  demand_partner_id: number;
  name: string;
  description: string;
  status: Status;
  seat: string | null;
  floor_micros: number;
  max_qps: number | null;
  max_daily_impressions: number | null;
  max_daily_spend_micros: number | null;
  targeting: Json;
}

interface PublishersTable extends BlockingColumns, Timestamps {
  id: number;
  name: string;
  status: Status;
  revenue_share_bps: number;
  price_basis: Publisher['priceBasis'];
  confirms_wins: Flag;
  seller_id: string | null;
  aliases: Json;
  seller_type: Publisher['sellerType'];
  invalid_traffic: Publisher['invalidTraffic'];
  domain: string | null;
  categories: Json;
  hide_names: Flag;
}

/** Apps and sites. */
interface PropertiesTable extends BlockingColumns, Timestamps {
  id: number;
  publisher_id: number;
  type: Property['type'];
  name: string;
  status: Status;
  bundle: string | null;
  domain: string | null;
  platform: Property['platform'];
  storeurl: string | null;
  categories: Json;
  languages: Json;
}

interface AdSpacesTable extends BlockingColumns, Timestamps {
  id: number;
  property_id: number;
  name: string;
  status: Status;
  banner: Json | null;
  video: Json | null;
  native: Json | null;
  floor_micros: number;
  auction_type: AdSpace['auctionType'];
  interstitial: Flag;
  rewarded: Flag;
  pos: number | null;
  viewability_bps: number | null;
  exp: number | null;
  iframebusters: Json;
}

interface DealsTable extends Timestamps {
  id: string;
  name: string;
  status: Status;
  type: Deal['type'];
  /** The floor, or the agreed price of a fixed-price deal. */
  floor_micros: number;
  ad_spaces: Json;
  seats: Json;
  advertisers: Json;
}

/** Whom a user or an account belongs to; an operator belongs to the exchange and has neither id. */
interface OwnerColumns {
  demand_partner_id: number | null;
  publisher_id: number | null;
}

export type Role = 'OPERATOR' | 'DEMAND_PARTNER' | 'PUBLISHER';

interface UsersTable extends OwnerColumns, Timestamps {
  id: number;
  /** In small letters: people do not tell addresses apart by case. */
  email: string;
  role: Role;
  status: Status;
  /** PHC string; null until the user has chosen a password. */
  password_hash: string | null;
}

/** What a user's program signs in with. */
interface ApplicationsTable extends Timestamps {
  id: number;
  user_id: number;
  name: string;
  client_id: string;
  /** PHC string. */
  secret_hash: string;
}

/** The reporting token of a demand partner or publisher, at most one for each. */
interface AccountsTable extends OwnerColumns, Timestamps {
  id: number;
  /** SHA-256 in hex: the token is found by its hash, and its length makes guessing hopeless. */
  token_hash: string;
  /** The first characters of the token, by which people tell tokens apart. */
  token_prefix: string;
}

/** How far a segment of a node's journal has been loaded; one of which nothing was has no row. */
interface SegmentOffsetsTable {
  incarnation: string;
  segment: string;
  offset_bytes: number;
}

/** The batch of a node that may be in the analytics store in part, at most one. */
interface PendingBatchesTable {
  incarnation: string;
  token: string;
  manifest: Json;
}
