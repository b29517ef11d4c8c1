/** A column of a list: the field of a resource, and its title where that is not enough. */
export interface ResourceColumn {
  /** Keys joined by dots: `association.entity_id`. */
  readonly field: string;
  readonly title?: string;
  /** The field shown in its place where it has nothing. */
  readonly otherwise?: string;
  /** A field shown behind it, in the same cell. */
  readonly followedBy?: string;
  /** To how many decimals people see a number. */
  readonly decimals?: number;
  readonly alignsRight?: boolean;
}

/** A resource that `rialto get` knows. */
export interface CliResource {
  readonly description: string;
  /**
   * Below `/api`. `{demand_partner}` and `{publisher}` are whose it is; one of a list stands
   * behind it, with its id.
   */
  readonly path: string;
  /** Of lists; one resource alone is shown as a whole. */
  readonly columns: readonly ResourceColumn[];
  /** There is one of it, or one for each that is named. */
  readonly isSingle?: true;
  /** The list is all there is: none of it has an address of its own. */
  readonly isListOnly?: true;
  /** It is asked for by a body, made of these options. */
  readonly body?: 'dates' | 'targeting';
  /** The list in the answer, where the answer is none. */
  readonly rows?: string;
}

const ID: ResourceColumn = { field: 'id', alignsRight: true };
const NAME: ResourceColumn = { field: 'name' };
const STATUS: ResourceColumn = { field: 'status' };

/** All that `rialto get` can show: a row each, so that a new resource is a row more. */
export const RESOURCES: Readonly<Record<string, CliResource>> = {
  self: { description: 'who is signed in', path: '/self/', columns: [], isSingle: true },
  'demand-partners': {
    description: 'demand partners',
    path: '/demand-partners/',
    columns: [ID, NAME, STATUS, { field: 'updated_at' }],
  },
  bidder: {
    description: "a demand partner's bidder",
    path: '/demand-partners/{demand_partner}/bidder/',
    columns: [],
    isSingle: true,
  },
  'line-items': {
    description: "a demand partner's line items",
    path: '/demand-partners/{demand_partner}/line-items/xch/',
    columns: [ID, NAME, STATUS, { field: 'seat' }, { field: 'floor', alignsRight: true }],
  },
  kpi: {
    description: 'figures of line items by day',
    path: '/demand-partners/{demand_partner}/line-items/xch/kpi/',
    body: 'dates',
    isListOnly: true,
    columns: [
      { field: 'date' },
      ...[
        'lineitem_id',
        'dsp_requests',
        'responses',
        'no_bids',
        'timeouts',
        'errors',
        'throttled',
        'bids',
        'wins',
        'impressions',
        'clicks',
        'gross_revenue',
      ].map((field) => ({ field, alignsRight: true })),
    ],
  },
  discovery: {
    description: 'ad requests of the last seven days',
    path: '/inventory/discovery/',
    body: 'targeting',
    isListOnly: true,
    rows: 'days',
    columns: [
      { field: 'date' },
      { field: 'complete' },
      { field: 'ad_requests', alignsRight: true },
      { field: 'qps_avg', alignsRight: true, decimals: 2 },
      { field: 'qps_peak', alignsRight: true, decimals: 2 },
    ],
  },
  publishers: {
    description: 'publishers',
    path: '/publishers/',
    columns: [ID, NAME, STATUS, { field: 'domain' }, { field: 'updated_at' }],
  },
  apps: {
    description: "a publisher's apps",
    path: '/publishers/{publisher}/apps/',
    columns: [ID, NAME, STATUS, { field: 'bundle' }],
  },
  sites: {
    description: "a publisher's sites",
    path: '/publishers/{publisher}/sites/',
    columns: [ID, NAME, STATUS, { field: 'domain' }],
  },
  'ad-spaces': {
    description: "a publisher's ad spaces",
    path: '/publishers/{publisher}/ad-spaces/',
    columns: [
      ID,
      NAME,
      STATUS,
      { field: 'app_id', title: 'app', alignsRight: true },
      { field: 'site_id', title: 'site', alignsRight: true },
      { field: 'floor', alignsRight: true },
    ],
  },
  deals: {
    description: 'deals',
    path: '/deals/',
    columns: [
      { field: 'id' },
      NAME,
      STATUS,
      { field: 'type' },
      // A deal has one of the two, by its type.
      { field: 'price', otherwise: 'floor', title: 'price or floor', alignsRight: true },
    ],
  },
  exchange: {
    description: 'the settings of the exchange',
    path: '/exchange/',
    columns: [],
    isSingle: true,
  },
  users: {
    description: 'users',
    path: '/users/',
    columns: [
      ID,
      { field: 'email' },
      STATUS,
      { field: 'groups' },
      { field: 'association.type', followedBy: 'association.entity_id', title: 'association' },
    ],
  },
  applications: {
    description: 'applications, which programs sign in with',
    path: '/applications/',
    columns: [{ field: 'client_id' }, NAME, { field: 'created_at' }],
  },
  creatives: {
    description: 'creatives that were seen',
    path: '/creatives/',
    isListOnly: true,
    columns: [
      { field: 'demand_partner_id', title: 'partner', alignsRight: true },
      { field: 'crid' },
      { field: 'adomain', title: 'advertiser' },
      { field: 'ad_format', title: 'format' },
      { field: 'wins', alignsRight: true },
    ],
  },
  'creative-reviews': {
    description: 'what was decided about creatives',
    path: '/creative-reviews/',
    columns: [
      ID,
      { field: 'verdict' },
      { field: 'demand_partner', title: 'partner', alignsRight: true },
      { field: 'crid' },
      { field: 'domain' },
      { field: 'publisher', alignsRight: true },
      { field: 'by' },
      { field: 'reason' },
    ],
  },
  'audit-log': {
    description: 'who changed what, and when',
    path: '/audit-log/',
    isListOnly: true,
    columns: [
      { field: 'at' },
      { field: 'actor' },
      { field: 'action' },
      { field: 'resource' },
      { field: 'resource_id', title: 'id' },
      { field: 'changes.field', title: 'changed' },
    ],
  },
};
