import type { AD_SPACE } from '../resources/ad-space.ts';
import type { BIDDER } from '../resources/bidder.ts';
import type { DEAL } from '../resources/deal.ts';
import type { DEMAND_PARTNER } from '../resources/demand-partner.ts';
import type { EXCHANGE } from '../resources/exchange.ts';
import type { ColumnsOf } from '../resources/field-table.ts';
import type { Json } from '../resources/field.ts';
import type { LINE_ITEM } from '../resources/line-item.ts';
import type { APP_FIELDS } from '../resources/property.ts';
import type { PUBLISHER } from '../resources/publisher.ts';
import type { CreativeReview, Property, Status } from '../snapshot/entities.ts';
import type { LinkPurpose } from '../identity/link-purposes.ts';
import type { BatchStream } from '../ports/batch.ts';

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
  stopped_bidders: StoppedBiddersTable;
  bidders: BiddersTable;
  line_items: LineItemsTable;
  publishers: PublishersTable;
  properties: PropertiesTable;
  ad_spaces: AdSpacesTable;
  deals: DealsTable;
  creative_reviews: CreativeReviewsTable;
  users: UsersTable;
  applications: ApplicationsTable;
  accounts: AccountsTable;
  access_tokens: AccessTokensTable;
  one_time_links: OneTimeLinksTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  audit_log: AuditLogTable;
  segment_offsets: SegmentOffsetsTable;
  pending_batches: PendingBatchesTable;
  settled_loads: SettledLoadsTable;
  analytics_stores: AnalyticsStoresTable;
  reoffers: ReoffersTable;
  leases: LeasesTable;
  report_requests: ReportRequestsTable;
  idempotency_keys: IdempotencyKeysTable;
  subscriptions: SubscriptionsTable;
  last_ids: LastIdsTable;
  sent_mails: SentMailsTable;
  conditions: ConditionsTable;
  deliveries: DeliveriesTable;
}

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

/** One row, or none while the operator has changed no setting. */
interface ExchangeSettingsTable extends ColumnsOf<typeof EXCHANGE>, Timestamps {
  id: number;
}

interface DemandPartnersTable extends ColumnsOf<typeof DEMAND_PARTNER>, Timestamps {
  id: number;
}

/** The demand partners that the operator lets nobody call. No file says so, and none changes it. */
interface StoppedBiddersTable {
  demand_partner_id: number;
  /** Why, in the operator's words; may be empty. */
  reason: string;
  stopped_at: number;
}

/** At most one for each demand partner. */
interface BiddersTable extends ColumnsOf<typeof BIDDER>, Timestamps {
  demand_partner_id: number;
}

interface LineItemsTable extends ColumnsOf<typeof LINE_ITEM>, Timestamps {
  id: number;
  demand_partner_id: number;
}

interface PublishersTable extends ColumnsOf<typeof PUBLISHER>, Timestamps {
  id: number;
}

/** Apps and sites. */
interface PropertiesTable extends ColumnsOf<typeof APP_FIELDS>, Timestamps {
  id: number;
  publisher_id: number;
  type: Property['type'];
}

interface AdSpacesTable extends ColumnsOf<typeof AD_SPACE>, Timestamps {
  id: number;
  property_id: number;
}

interface DealsTable extends ColumnsOf<typeof DEAL>, Timestamps {
  id: string;
  /** The floor, or the agreed price of a fixed-price deal. */
  floor_micros: number;
}

/** What somebody has decided about creatives; one for each of its first three columns and value. */
interface CreativeReviewsTable extends Timestamps {
  id: number;
  /** 0 is the operator's. */
  publisher_id: number;
  /** 0 is any partner's. */
  demand_partner_id: number;
  target: CreativeReview['target'];
  value: string;
  verdict: CreativeReview['verdict'];
  reason: string;
  /** Who has decided, as an account of this machine or a user's address. */
  created_by: string;
}

/** Whom a user or an account belongs to; an operator belongs to the exchange and has neither id. */
interface OwnerColumns {
  demand_partner_id: number | null;
  publisher_id: number | null;
}

export type AuditAction =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'rolled'
  | 'revoked'
  | 'stopped'
  | 'started'
  | 'invited'
  | 'tested'
  | 'signed_in'
  | 'code_asked'
  | 'sign_in_failed';

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
  /** The secret before the present one, good until the instant beside it; null when there is none. */
  previous_secret_hash: string | null;
  previous_secret_until: number | null;
}

/** What an application shows at the management API; see `identity/access-tokens.ts`. */
interface AccessTokensTable {
  /** SHA-256 in hex; the token itself is stored nowhere. */
  token_hash: string;
  /** The first characters of the token, by which people tell tokens apart. */
  token_prefix: string;
  application_id: number;
  /** Words with spaces between them, as RFC 6749 writes a scope. */
  scope: string;
  created_at: number;
  expires_at: number;
  /** Written at most once a minute; null before the first use. */
  last_used_at: number | null;
}

/** The reporting token of a demand partner or publisher, at most one for each. */
interface AccountsTable extends OwnerColumns, Timestamps {
  id: number;
  /** SHA-256 in hex: the token is found by its hash, and its length makes guessing hopeless. */
  token_hash: string;
  /** The first characters of the token, by which people tell tokens apart. */
  token_prefix: string;
  /** The token before the present one, good until the instant beside it; null when there is none. */
  previous_token_hash: string | null;
  previous_token_until: number | null;
}

/** A link that lets somebody choose a password, once; see `identity/link-purposes.ts`. */
interface OneTimeLinksTable {
  /** SHA-256 in hex; the token itself is stored nowhere. */
  token_hash: string;
  /** Null for the link that creates the first operator. */
  user_id: number | null;
  purpose: LinkPurpose;
  created_at: number;
  expires_at: number;
}

/** A browser in which a user has signed in; see `identity/sessions.ts`. */
interface SessionsTable {
  /** SHA-256 in hex; the session's id itself is stored nowhere. */
  session_hash: string;
  user_id: number;
  created_at: number;
  /** However much it is used. */
  expires_at: number;
  /** Written at most once a minute. */
  last_used_at: number;
}

/** What a user shows beside the password, at most one for each; see `identity/second-factors.ts`. */
interface SecondFactorsTable {
  user_id: number;
  /** Base32; shown once, when it is made. */
  secret: string;
  /** The step of time of the last code that was used; 0 before the first. */
  last_step: number;
  created_at: number;
  /** Null until its user has shown a code of it. */
  confirmed_at: number | null;
}

/** Who changed what; rows are only ever added. */
interface AuditLogTable {
  id: number;
  at: number;
  /** The e-mail address of a user, or what acted on the machine itself. */
  actor: string;
  user_id: number | null;
  /** The application that the user's token was of. */
  client_id: string | null;
  action: AuditAction;
  /** What people call it: a line item. */
  resource: string;
  resource_id: string;
  /** `FieldChange[]` of `audit.ts`. */
  changes: Json;
}

/** How far a segment of a node's journal has been loaded; one of which nothing was has no row. */
interface SegmentOffsetsTable {
  incarnation: string;
  segment: string;
  offset_bytes: number;
}

/** The batch of a node's stream that may be in the analytics store in part, at most one. */
interface PendingBatchesTable {
  incarnation: string;
  stream: BatchStream;
  token: string;
  manifest: Json;
  /** Which analytics store it was begun in. */
  place: string;
  /** Null where it has to come again for what is missing of it. */
  load_number: number | null;
  records: number;
}

interface SettledLoadsTable {
  place: string;
  stream: BatchStream;
  load_number: number;
  records: number;
}

/** The analytics store that a control loads into. */
interface AnalyticsStoresTable {
  /** Tells controls apart. */
  place: string;
  id: string;
  /** The newest record that was loaded; see `ports/store-register.ts`. */
  last_loaded: Json | null;
}

/** One row, once the journals were asked for again. */
interface ReoffersTable {
  id: number;
  asked_at: number;
}

/** What control has granted of the limits; it alone knows the form. */
interface LeasesTable {
  key: string;
  state: Json;
}

/** The requests for reports that count against an account's limit. */
/** A request that may come again, and what it was answered; see `idempotency-keys.ts`. */
interface IdempotencyKeysTable {
  user_id: number;
  address: string;
  key: string;
  body_hash: string;
  claimed_at: number;
  /** Null until the request is answered. */
  answer: Json | null;
}

interface ReportRequestsTable {
  /** Whose account: `demand partner 1001`. */
  account: string;
  /** When, in Unix milliseconds, at most a hundred of the last hour. */
  times: Json;
}

/** Whoever is told what has changed: of a demand partner, of a publisher, or of the operator. */
interface SubscriptionsTable extends OwnerColumns, Timestamps {
  id: number;
  channel: 'webhook' | 'email';
  name: string;
  /** Of the web, or an e-mail address. */
  address: string;
  /** Types of events, see `subscriptions/event-types.ts`. */
  events: Json;
  status: 'ACTIVE' | 'PAUSED';
  /** Of a webhook, as it is: what is sent is signed with it. Shown once, when it is made. */
  secret: string | null;
  /** The secret before the present one, with which is signed as well until the instant beside it. */
  previous_secret: string | null;
  previous_secret_until: number | null;
}

/** The highest id that was ever given, so that what is removed never gives its id to another. */
interface LastIdsTable {
  of: 'subscriptions';
  id: number;
}

/** The mails of the last hour. */
interface SentMailsTable {
  /** Whose: the ids of a demand partner and of a publisher, of which it has one or none. */
  account: string;
  /** In lower case. */
  address: string;
  sent_at: number;
}

/** What held when it was last looked at. */
interface ConditionsTable {
  key: string;
  /** Which part of the exchange it was read from. */
  kind: string;
  /** When it was told last: it began, or there was more of it. */
  told_at: number;
  /** `Condition` of `subscriptions/condition.ts`. */
  condition: Json;
}

/** An event that is sent, or was, to one subscription. */
interface DeliveriesTable {
  id: string;
  subscription_id: number;
  type: string;
  event_id: string;
  /** The event as JSON: what a webhook is sent, to the byte, and what an e-mail says in words. */
  body: string;
  state: 'pending' | 'delivered' | 'given_up';
  tries: number;
  created_at: number;
  /** Null where it is done. */
  next_try_at: number | null;
  tried_at: number | null;
  /** The status of the last answer, of HTTP or SMTP; null where none came. */
  answer_status: number | null;
  /** Why there was none: a code of the system, `timeout`. */
  failure: string | null;
}
