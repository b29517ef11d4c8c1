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
} from './fields.ts';
import { NativeSchema } from './native.ts';
import { PmpSchema } from './pmp.ts';
import { AudioSchema, VideoSchema } from './video.ts';
import { configured, filled, overridable, requested, setHere, unsent } from './filling.ts';

/** Metric, section 2.5. */
export const MetricSchema = filled(
  object(
    'A measurement of the impression.',
    {
      type: text('Only "viewability" is supported.', { 'x-outgoing': { enum: ['viewability'] } }),
      value: Type.Number({
        description: 'Probability from 0.0 to 1.0.',
        'x-outgoing': { minimum: 0, maximum: 1 },
      }),
      vendor: optional(text('Source of the value; EXCHANGE when the exchange is the source.')),
      ext: ext(),
    },
    ['vendor'],
  ),
  {
    type: setHere('Always viewability.'),
    value: overridable(
      'As the request says of the impression, else of the ad space, where it shares its viewability.',
    ),
    vendor: overridable('As the request says with its value, else EXCHANGE.'),
    ext: unsent(),
  },
);
export type Metric = Static<typeof MetricSchema>;

/** Imp, section 2.4: one impression on offer. The media objects present are the offered types. */
export const ImpSchema = filled(
  object(
    'An impression on offer.',
    {
      id: id('Unique within the request; typically starts at 1 and increments.'),
      metric: optional(array(MetricSchema, 'Viewability score, when enabled.')),
      banner: optional(BannerSchema),
      video: optional(VideoSchema),
      audio: optional(AudioSchema),
      native: optional(NativeSchema),
      pmp: optional(PmpSchema),
      displaymanager: optional(text('Identifier of the mediation or SDK technology.')),
      displaymanagerver: optional(blankableText('SDK version; empty without an SDK.')),
      instl: optional(advisoryFlag('1 = interstitial or full screen.', { default: 0 })),
      tagid: optional(id('Id of the ad space.')),
      bidfloor: optional(cpm('Minimum bid in USD CPM.', { default: 0 })),
      bidfloorcur: optional(usd('Currency of the floor.')),
      clickbrowser: optional(advisoryFlag('0 = embedded browser, 1 = native browser.')),
      secure: optional(advisoryFlag('1 = HTTPS assets required, 0 = not; omitted = unknown.')),
      iframebuster: optional(texts('Names of supported iframe busters.')),
      exp: optional(count('Seconds that may pass between auction and impression; advisory.')),
      ext: ext(),
    },
    ['displaymanager', 'displaymanagerver'],
    advisory(
      'metric',
      'audio',
      'displaymanager',
      'displaymanagerver',
      'clickbrowser',
      'iframebuster',
      'exp',
    ),
  ),
  {
    id: setHere('1, 2, 3 and so on.'),
    metric: configured(
      'One, where the ad space shares its viewability and the bidder is to get it.',
    ),
    banner: configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
    video: configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
    native: configured(
      'Where the ad space has it, the request asks for it, and a line item of the bidder takes it.',
    ),
    audio: unsent('Never sent: not populated (section 2.8).'),
    pmp: configured('Where deals of the ad space are open to the bidder.'),
    displaymanager: setHere('Always rialto; for video, and for all that is in apps.'),
    displaymanagerver: requested(
      'With displaymanager: the version of the SDK, as the request says; else empty.',
    ),
    instl: overridable('1 if the ad space is an interstitial or the request says so.'),
    tagid: configured('Id of the ad space.'),
    bidfloor: overridable(
      'The highest of the floors of the request and of publisher, app or site, and ad space for the country, the lowest of them among the formats on offer; or the lowest of the line items, if that is higher. For bidders that are to get it.',
    ),
    bidfloorcur: setHere('USD, with the floor.'),
    clickbrowser: requested(),
    exp: overridable('As the request says, else of the ad space.'),
    secure: overridable(
      'As the request says, else 1 if it or its page came over HTTPS; else left out: unknown.',
    ),
    iframebuster: overridable('As the request says, else of the ad space.'),
    ext: unsent(),
  },
);
export type Imp = Static<typeof ImpSchema>;
