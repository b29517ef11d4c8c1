import Type, { type Static } from 'typebox';
import { BannerSchema } from './banner.ts';
import {
  advisory,
  advisoryFlag,
  array,
  blankableText,
  count,
  cpm,
  ext,
  id,
  object,
  optional,
  text,
  texts,
  usd,
  recommended,
  required,
  listed,
} from './fields.ts';
import { NativeSchema } from './native.ts';
import { PmpSchema } from './pmp.ts';
import { AudioSchema, VideoSchema } from './video.ts';
import { configured, overridable, requested, setHere, unsent } from './filling.ts';
import { since, before, inVersion } from './variations.ts';
import { SERVER_SIDE_INSERTIONS, REFRESH_TRIGGERS } from './later-lists.ts';

/** Metric, section 2.5. */
export const MetricSchema = object('A measurement of the impression.', {
  type: required(
    text('Only "viewability" is supported.', { 'x-outgoing': { enum: ['viewability'] } }),
    setHere('Always viewability.'),
  ),
  value: required(
    Type.Number({
      description: 'Probability from 0.0 to 1.0.',
      'x-outgoing': { minimum: 0, maximum: 1 },
    }),
    overridable(
      'As the request says of the impression, else of the ad space, where it shares its viewability.',
    ),
  ),
  vendor: optional(
    text('Source of the value; EXCHANGE when the exchange is the source.'),
    recommended,
    overridable('As the request says with its value, else EXCHANGE.'),
  ),
  ext: ext(),
});
export type Metric = Static<typeof MetricSchema>;

/** RefSettings, OpenRTB 2.6 section 3.2.34. */
export const RefSettingsSchema = object('What refreshes an ad.', {
  reftype: optional(listed(REFRESH_TRIGGERS, undefined, { default: 0 }), recommended, unsent()),
  minint: optional(count('Least seconds between two ads.'), recommended, unsent()),
  ext: ext(),
});

/** Refresh, OpenRTB 2.6 section 3.2.33. */
export const RefreshSchema = object('How an ad is refreshed.', {
  refsettings: optional(array(RefSettingsSchema, 'What refreshes it.'), recommended, unsent()),
  count: optional(
    count('How often it was refreshed since the page was loaded.'),
    recommended,
    unsent(),
  ),
  ext: ext(),
});

/** Imp, section 2.4: one impression on offer. The media objects present are the offered types. */
export const ImpSchema = object('An impression on offer.', {
  id: required(
    id('Unique within the request; typically starts at 1 and increments.'),
    setHere('1, 2, 3 and so on.'),
  ),
  metric: optional(
    array(MetricSchema, 'Viewability score, when enabled.'),
    advisory,
    since('2.5'),
    configured('One, where the ad space shares its viewability and the bidder is to get it.'),
  ),
  banner: optional(
    BannerSchema,
    configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
  ),
  video: optional(
    VideoSchema,
    configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
  ),
  audio: optional(
    AudioSchema,
    advisory,
    since('2.5'),
    unsent('Never sent: not populated (section 2.8).'),
  ),
  native: optional(
    NativeSchema,
    inVersion('2.2', {
      at: 'ext/native',
      ...configured('For a bidder that is to get native ads so.'),
    }),
    configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
  ),
  pmp: optional(PmpSchema, configured('Where deals of the ad space are open to the bidder.')),
  displaymanager: optional(
    text('Identifier of the mediation or SDK technology.'),
    recommended,
    advisory,
    setHere('Always rialto; for video, and for all that is in apps.'),
  ),
  displaymanagerver: optional(
    blankableText('SDK version; empty without an SDK.'),
    recommended,
    advisory,
    requested('With displaymanager: the version of the SDK, as the request says; else empty.'),
  ),
  instl: optional(
    advisoryFlag('1 = interstitial or full screen.', { default: 0 }),
    overridable('1 if the ad space is an interstitial or the request says so.'),
  ),
  tagid: optional(id('Id of the ad space.'), configured('Id of the ad space.')),
  bidfloor: optional(
    cpm('Minimum bid in USD CPM.', { default: 0 }),
    overridable(
      'The highest of the floors of the request and of publisher, app or site, and ad space for the country, the lowest of them among the formats on offer; or the lowest of the line items, if that is higher. For bidders that are to get it.',
    ),
  ),
  bidfloorcur: optional(usd('Currency of the floor.'), setHere('USD, with the floor.')),
  clickbrowser: optional(
    advisoryFlag('0 = embedded browser, 1 = native browser.'),
    advisory,
    since('2.5'),
    requested(),
  ),
  secure: optional(
    advisoryFlag('1 = HTTPS assets required, 0 = not; omitted = unknown.'),
    overridable(
      'As the request says, else 1 if it or its page came over HTTPS; else left out: unknown.',
    ),
  ),
  iframebuster: optional(
    texts('Names of supported iframe busters.'),
    advisory,
    overridable('As the request says, else of the ad space.'),
  ),
  rwdd: optional(
    advisoryFlag('1 = the user gets a reward.', { default: 0 }),
    advisory,
    before('2.6', {
      at: 'video/ext/rewarded',
      minimum: 1,
      'x-outgoing': { enum: [1] },
      description: '1 = rewarded.',
      default: undefined,
      write: (rwdd) => (rwdd === 1 ? 1 : undefined),
    }),
    overridable('1 for a rewarded ad space; else as the request says.'),
  ),
  ssai: optional(
    listed(SERVER_SIDE_INSERTIONS, undefined, { default: 0 }),
    advisory,
    since('2.6'),
    requested(),
  ),
  exp: optional(
    count('Seconds that may pass between auction and impression; advisory.'),
    advisory,
    since('2.5'),
    overridable('As the request says, else of the ad space.'),
  ),
  refresh: optional(RefreshSchema, advisory, since('2.6'), unsent()),
  ext: ext(),
});
export type Imp = Static<typeof ImpSchema>;
