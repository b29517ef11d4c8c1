import type { Static } from 'typebox';
import { AppSchema } from './app.ts';
import { DeviceSchema } from './device.ts';
import {
  advisory,
  ALPHA_2_LANGUAGE,
  advisoryFlag,
  array,
  categories,
  code,
  count,
  ext,
  flag,
  id,
  integer,
  longText,
  object,
  optional,
  text,
  texts,
  recommended,
  required,
} from './fields.ts';
import { ImpSchema } from './imp.ts';
import { BLOCKED_ITEMS_MAX, IMPS_MAX } from './limits.ts';
import { SupplyChainSchema } from './supply-chain.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { configured, overridable, requested, setHere, united, unsent } from './filling.ts';
import { US_PRIVACY_PATTERN, US_PRIVACY_ALLOWED, usPrivacyStrictness } from './us-privacy.ts';
import { since, before, inVersion } from './variations.ts';
import { languageTags, categoryTaxonomy } from './later-fields.ts';

export type { Imp } from './imp.ts';

/** Source, section 2.2. */
export const SourceSchema = object('Where the request comes from.', {
  fd: optional(
    flag('Who decides the sale: 0 = the exchange, 1 = upstream.'),
    recommended,
    overridable('1 if the request says so or the publisher always decides, else 0.'),
  ),
  tid: optional(
    text('Transaction id common to all participants.'),
    recommended,
    advisory,
    requested(),
  ),
  pchain: optional(
    longText('Payment id chain.'),
    recommended,
    advisory,
    overridable(
      'As the request says, with the payment id of the exchange and the id of the seller behind it, where one is configured.',
    ),
  ),
  schain: optional(
    SupplyChainSchema,
    recommended,
    inVersion('2.5', { at: 'ext/schain', 'x-recommended': false }),
    inVersion('2.2', { at: '../ext/schain', 'x-recommended': false }),
    overridable(
      'As the request says, with the node of the exchange behind it; that node alone where the request has none. Not complete without it.',
    ),
  ),
  ext: ext(),
});
export type Source = Static<typeof SourceSchema>;

const SIGNAL = 'As the request says, in this object or in its extension.';

/** Some write flags as texts. */
function flagStrictness(value: unknown): number {
  return Number(value) === 1 ? 1 : 0;
}

/** Regs, section 2.3. */
export const RegsSchema = object('Regulations that apply to the request.', {
  coppa: optional(flag("1 = subject to the US children's privacy regulation."), requested()),
  gdpr: optional(
    flag('1 = subject to GDPR.'),
    before('2.6', { at: 'ext/gdpr', strictness: flagStrictness }),
    inVersion('2.6', { strictness: flagStrictness }),
    requested(SIGNAL),
  ),
  us_privacy: optional(
    code('US privacy string.', {
      pattern: US_PRIVACY_PATTERN,
      'x-allowed': US_PRIVACY_ALLOWED,
    }),
    before('2.6', { at: 'ext/us_privacy', strictness: usPrivacyStrictness }),
    inVersion('2.6', { strictness: usPrivacyStrictness }),
    requested(SIGNAL),
  ),
  gpp: optional(
    longText('Global Privacy Platform string.'),
    before('2.6', { at: 'ext/gpp' }),
    requested(SIGNAL),
  ),
  gpp_sid: optional(
    array(integer('A section id.'), 'Sections of the GPP string that apply.'),
    before('2.6', { at: 'ext/gpp_sid' }),
    requested(SIGNAL),
  ),
  ext: ext(),
});
export type Regs = Static<typeof RegsSchema>;

/**
 * BidRequest, section 2.1. It holds `site` or `app` and not both, and at most one of
 * `wseat` and `bseat`: the validators check what spans fields.
 */
export const BidRequestSchema = object('A request for bids.', {
  id: required(
    id('Unique id of the request.'),
    setHere('The id of the auction; of further requests to the same bidder an id of their own.'),
  ),
  imp: required(
    array(ImpSchema, 'The impressions on offer, at least one.', {
      minItems: 1,
      maxItems: IMPS_MAX,
    }),
    configured('The impressions that line items of the bidder match.'),
  ),
  site: optional(SiteSchema, recommended, configured('What the ad spaces belong to.')),
  app: optional(AppSchema, recommended, configured('What the ad spaces belong to.')),
  device: optional(DeviceSchema, recommended, requested('See Device.')),
  user: optional(UserSchema, recommended, requested('See User.')),
  test: optional(
    flag('0 = live, 1 = test, not billable.', { default: 0 }),
    since('2.5'),
    requested('1 for a test; else left out.'),
  ),
  at: optional(
    integer('1 = first price, 2 = second price plus; omitted when only fixed-price deals.', {
      default: 2,
      'x-outgoing': { enum: [1, 2] },
    }),
    advisory,
    configured(
      '1 if the ad spaces sell at first price, else 2; left out with nothing but fixed-price deals.',
    ),
  ),
  tmax: optional(
    count('Milliseconds within which a bid must arrive.', { minimum: 1 }),
    setHere('What is left of the time of the auction and of the bidder, the way back included.'),
  ),
  wseat: optional(
    array(id('A seat.'), 'Allowed buyer seats; omitted = no restriction.'),
    configured(
      'The seats of the line items that match and to which the request sells; left out if one of them takes any seat.',
    ),
  ),
  bseat: optional(
    array(id('A seat.'), 'Blocked buyer seats.'),
    since('2.5'),
    unsent('Not sent: seats that the request blocks are not asked, and their bids lose.'),
  ),
  allimps: optional(
    advisoryFlag('1 = these are all impressions in context; the exchange sends 0.', {
      default: 0,
      'x-outgoing': { enum: [0] },
    }),
    advisory,
    setHere('Always 0.'),
  ),
  cur: optional(
    array(code('An ISO 4217 code.', { enum: ['USD'] }), 'Allowed bid currencies.'),
    setHere('Always USD.'),
  ),
  wlang: optional(
    array(code('A language.', ALPHA_2_LANGUAGE), 'Allowed creative languages.'),
    advisory,
    since('2.5'),
    overridable(
      'As the request says, also as `wlangb` by the first part of each tag; else of the site or app.',
    ),
  ),
  wlangb: languageTags(unsent('Not sent: wlang says it.')),
  acat: optional(
    categories('Allowed advertiser categories; only one of acat and bcat is there.', {
      maxItems: BLOCKED_ITEMS_MAX,
    }),
    since('2.6'),
    unsent(),
  ),
  bcat: optional(
    categories('Blocked advertiser categories.', { maxItems: BLOCKED_ITEMS_MAX }),
    united(
      'What configuration and request block, of it what the content taxonomy names; the rest is held against bids as well.',
    ),
  ),
  cattax: categoryTaxonomy(['bcat', 'acat']),
  badv: optional(texts('Blocked advertiser domains.', { maxItems: BLOCKED_ITEMS_MAX }), united()),
  bapp: optional(
    texts('Blocked apps: Android package names, iOS numeric ids.', {
      maxItems: BLOCKED_ITEMS_MAX,
    }),
    since('2.5'),
    united(),
  ),
  source: optional(SourceSchema, since('2.5'), requested('See Source.')),
  regs: optional(RegsSchema, requested('See Regs.')),
  ext: ext(),
});
export type BidRequest = Static<typeof BidRequestSchema>;
