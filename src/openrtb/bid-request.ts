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
} from './fields.ts';
import { ImpSchema } from './imp.ts';
import { BLOCKED_ITEMS_MAX, IMPS_MAX } from './limits.ts';
import { RegsExtSchema, SourceExtSchema } from './outgoing-ext.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { configured, filled, overridable, requested, setHere, united, unsent } from './filling.ts';

export type { Imp } from './imp.ts';

/** Source, section 2.2. */
export const SourceSchema = filled(
  object(
    'Where the request comes from.',
    {
      fd: optional(flag('Who decides the sale: 0 = the exchange, 1 = upstream.')),
      tid: optional(text('Transaction id common to all participants.')),
      pchain: optional(longText('Payment id chain.')),
      ext: ext('Carries `schain`, the supply chain.', SourceExtSchema),
    },
    ['fd', 'tid', 'pchain'],
    advisory('tid', 'pchain'),
  ),
  {
    fd: overridable('1 if the request says so or the publisher always decides, else 0.'),
    tid: requested(),
    pchain: overridable(
      'As the request says, with the payment id of the exchange and the id of the seller behind it, where one is configured.',
    ),
    ext: overridable('Its `schain`.'),
  },
);
export type Source = Static<typeof SourceSchema>;

/** Regs, section 2.3. */
export const RegsSchema = filled(
  object('Regulations that apply to the request.', {
    coppa: optional(flag("1 = subject to the US children's privacy regulation.")),
    ext: ext('Carries `gdpr` (0 or 1), `us_privacy`, `gpp` and `gpp_sid`.', RegsExtSchema),
  }),
  {
    coppa: requested(),
    ext: requested(
      'Its `gdpr`, `us_privacy`, `gpp` and `gpp_sid`, also where the request has them one level up.',
    ),
  },
);
export type Regs = Static<typeof RegsSchema>;

/**
 * BidRequest, section 2.1, version 2.5. It holds `site` or `app` and not both, and at most one of
 * `wseat` and `bseat`: the validators check what spans fields.
 */
export const BidRequestSchema = filled(
  object(
    'A request for bids.',
    {
      id: id('Unique id of the request.'),
      imp: array(ImpSchema, 'The impressions on offer, at least one.', {
        minItems: 1,
        maxItems: IMPS_MAX,
      }),
      site: optional(SiteSchema),
      app: optional(AppSchema),
      device: optional(DeviceSchema),
      user: optional(UserSchema),
      test: optional(flag('0 = live, 1 = test, not billable.', { default: 0 })),
      at: optional(
        integer('1 = first price, 2 = second price plus; omitted when only fixed-price deals.', {
          default: 2,
          'x-outgoing': { enum: [1, 2] },
        }),
      ),
      tmax: optional(count('Milliseconds within which a bid must arrive.', { minimum: 1 })),
      wseat: optional(array(id('A seat.'), 'Allowed buyer seats; omitted = no restriction.')),
      bseat: optional(array(id('A seat.'), 'Blocked buyer seats.')),
      allimps: optional(
        advisoryFlag('1 = these are all impressions in context; the exchange sends 0.', {
          default: 0,
          'x-outgoing': { enum: [0] },
        }),
      ),
      cur: optional(array(code('An ISO 4217 code.', { enum: ['USD'] }), 'Allowed bid currencies.')),
      wlang: optional(array(code('A language.', ALPHA_2_LANGUAGE), 'Allowed creative languages.')),
      bcat: optional(categories('Blocked advertiser categories.', { maxItems: BLOCKED_ITEMS_MAX })),
      badv: optional(texts('Blocked advertiser domains.', { maxItems: BLOCKED_ITEMS_MAX })),
      bapp: optional(
        texts('Blocked apps: Android package names, iOS numeric ids.', {
          maxItems: BLOCKED_ITEMS_MAX,
        }),
      ),
      source: optional(SourceSchema),
      regs: optional(RegsSchema),
      ext: ext(),
    },
    ['site', 'app', 'device', 'user'],
    advisory('at', 'allimps', 'wlang'),
  ),
  {
    id: setHere(
      'The id of the auction; of further requests to the same bidder an id of their own.',
    ),
    imp: configured('The impressions that line items of the bidder match.'),
    site: configured('What the ad spaces belong to.'),
    app: configured('What the ad spaces belong to.'),
    device: requested('See Device.'),
    user: requested('See User.'),
    test: requested('1 for a test; else left out.'),
    at: configured(
      '1 if the ad spaces sell at first price, else 2; left out with nothing but fixed-price deals.',
    ),
    tmax: setHere(
      'What is left of the time of the auction and of the bidder, the way back included.',
    ),
    wseat: configured(
      'The seats of the line items that match and to which the request sells; left out if one of them takes any seat.',
    ),
    bseat: unsent('Not sent: seats that the request blocks are not asked, and their bids lose.'),
    wlang: overridable('As the request says, else of the site or app.'),
    allimps: setHere('Always 0.'),
    cur: setHere('Always USD.'),
    bcat: united(
      'What configuration and request block, of it what the content taxonomy names; the rest is held against bids as well.',
    ),
    badv: united(),
    bapp: united(),
    source: requested('See Source.'),
    regs: requested('See Regs.'),
    ext: unsent(),
  },
);
export type BidRequest = Static<typeof BidRequestSchema>;
