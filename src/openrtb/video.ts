import type { Static } from 'typebox';
import { FEED_TYPES, VOLUME_NORMALIZATIONS } from './audio-lists.ts';
import { CompanionSchema } from './banner.ts';
import { AD_POSITIONS, API_FRAMEWORKS, CREATIVE_ATTRIBUTES } from './creative-lists.ts';
import {
  advisory,
  advisoryFlag,
  array,
  code,
  count,
  ext,
  integer,
  listed,
  listedArray,
  NEVER_SENT,
  object,
  optional,
  recommended,
  required,
} from './fields.ts';
import {
  COMPANION_TYPES,
  DELIVERY_METHODS,
  PLAYBACK_ENDS,
  PLAYBACK_METHODS,
  START_DELAYS,
  VIDEO_LINEARITIES,
  VIDEO_PLACEMENTS,
  VIDEO_PROTOCOLS,
} from './video-lists.ts';
import { configured, overridable, requested, setHere, united, unsent } from './filling.ts';
import { durationBound, podFields } from './pods.ts';
import { since, until, before, inVersion } from './variations.ts';
import { VIDEO_PLCMTS } from './later-lists.ts';

const OVERRIDABLE = overridable('As the request says, else of the ad space.');
const AD_SPACE = configured('Of the ad space.');

/** Fields that Video and Audio share, with the same meaning in both. */
const timeBased = {
  startdelay: optional(
    // List 5.12 names three values; above them every number is a delay in seconds.
    listed(START_DELAYS, START_DELAYS.title, { 'x-outgoing': { minimum: -2 } }),
    recommended,
    advisory,
    OVERRIDABLE,
  ),
  sequence: optional(
    count('Position among creatives that are delivered together.'),
    advisory,
    inVersion('2.2', { default: 1 }),
    inVersion('2.6', { default: 0 }),
    requested(),
  ),
  battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.'), united()),
  maxextended: optional(
    integer('Seconds beyond maxduration: 0 = none, -1 = unlimited.', {
      'x-outgoing': { minimum: -1 },
    }),
    advisory,
    overridable('As the request says, else of the ad space, unless the request says maxduration.'),
  ),
  delivery: optional(
    listedArray(DELIVERY_METHODS, 'Supported delivery methods; omitted = all.'),
    advisory,
    inVersion('2.2', { at: 'deliver' }),
    overridable('As the request says, also as `deliver`; else of the ad space.'),
  ),
  companiontype: optional(listedArray(COMPANION_TYPES), advisory, AD_SPACE),
};

/** What `video.ext` carries beside what 2.6 has as a field: section 2.7 wants it only for outstream video. */
export const VideoExtSchema = object('Extension of Video.', {
  outstream: optional(
    integer('1 = outstream.', { minimum: 1, maximum: 1 }),
    configured('1 for an outstream ad space.'),
  ),
});

/** Video, section 2.7. In 2.5 one of `protocol` and `protocols` must be there. */
export const VideoSchema = object('A video on offer.', {
  mimes: required(
    array(code('A content type.'), 'Supported content types.'),
    overridable(
      'As the request says, else video/mp4 and, but for iOS, video/webm, with application/javascript for VPAID 2; of these those that the bidder has.',
    ),
  ),
  minduration: durationBound(
    count('Minimum duration in seconds.', { default: 0 }),
    { earlier: 5, ofAll: Math.min },
    recommended,
    OVERRIDABLE,
  ),
  maxduration: durationBound(
    count('Maximum duration in seconds.'),
    { earlier: 60, ofAll: Math.max },
    recommended,
    OVERRIDABLE,
  ),
  protocols: optional(
    listedArray(VIDEO_PROTOCOLS, 'Supported video protocols.'),
    recommended,
    setHere('2 and 5; 3 and 6 too if the request says that the player takes VAST 3.'),
  ),
  protocol: optional(
    listed(VIDEO_PROTOCOLS, 'Deprecated: the one video protocol.'),
    until('2.5'),
    inVersion('2.2', {
      description: 'The one video protocol.',
      ...setHere('Always 2, which the player takes in any case; protocols says the rest.'),
    }),
    unsent('Not sent: protocols says it.'),
  ),
  w: optional(count('Player width in device independent pixels.'), recommended, OVERRIDABLE),
  h: optional(count('Player height in device independent pixels.'), recommended, OVERRIDABLE),
  placement: optional(listed(VIDEO_PLACEMENTS), advisory, since('2.5'), OVERRIDABLE),
  plcmt: optional(listed(VIDEO_PLCMTS), advisory, since('2.6'), requested()),
  linearity: optional(
    listed(VIDEO_LINEARITIES),
    advisory,
    before('2.6', { default: 1 }),
    OVERRIDABLE,
  ),
  skip: optional(
    advisoryFlag('1 = the player lets the viewer skip.'),
    advisory,
    since('2.5'),
    AD_SPACE,
  ),
  skipmin: optional(
    count('Seconds a video must last to be skippable.', { default: 0 }),
    advisory,
    since('2.5'),
    AD_SPACE,
  ),
  skipafter: optional(
    count('Seconds before skipping is possible.', { default: 0 }),
    advisory,
    since('2.5'),
    AD_SPACE,
  ),
  minbitrate: optional(
    count('Minimum bit rate in kbps.'),
    advisory,
    inVersion('2.5', { default: 250 }),
    inVersion('2.2', { description: 'Minimum bit rate in kbps; omitted = any.' }),
    OVERRIDABLE,
  ),
  maxbitrate: optional(
    count('Maximum bit rate in kbps.'),
    advisory,
    inVersion('2.5', { default: 4000 }),
    inVersion('2.2', { description: 'Maximum bit rate in kbps; omitted = any.' }),
    OVERRIDABLE,
  ),
  boxingallowed: optional(
    advisoryFlag('1 = letter-boxing allowed.', { default: 1 }),
    advisory,
    OVERRIDABLE,
  ),
  playbackmethod: optional(
    listedArray(PLAYBACK_METHODS, 'Playback methods; omitted = all.'),
    advisory,
    OVERRIDABLE,
  ),
  playbackend: optional(
    listed(PLAYBACK_ENDS, 'Event that ends playback.'),
    advisory,
    since('2.5'),
    OVERRIDABLE,
  ),
  pos: optional(listed(AD_POSITIONS), advisory, inVersion('2.2', { default: 0 }), AD_SPACE),
  ...timeBased,
  ...podFields,
  maxseq: optional(
    count('Most ads in a dynamic pod.'),
    recommended,
    advisory,
    since('2.6'),
    unsent(),
  ),
  companionad: optional(
    array(CompanionSchema, 'Companion sizes.'),
    advisory,
    configured('The sizes of the ad space, each with an id.'),
  ),
  api: optional(listedArray(API_FRAMEWORKS, 'Supported API frameworks.'), advisory, OVERRIDABLE),
  ext: optional(
    ext('Only there for outstream video, and before 2.6 for rewarded.', VideoExtSchema),
    configured('Its `outstream`; left out otherwise.'),
  ),
});
export type Video = Static<typeof VideoSchema>;

/** Audio, section 2.8. The exchange reads it and never sends it. */
export const AudioSchema = object(
  'Audio on offer.',
  {
    mimes: required(array(code('A content type.'), 'Supported content types.')),
    minduration: optional(
      count('Minimum duration in seconds.', { default: 0 }),
      recommended,
      before('2.6', { default: undefined }),
    ),
    maxduration: optional(count('Maximum duration in seconds.'), recommended),
    protocols: optional(listedArray(VIDEO_PROTOCOLS, 'Supported protocols.'), recommended),
    minbitrate: optional(count('Minimum bit rate in kbps.')),
    maxbitrate: optional(count('Maximum bit rate in kbps.')),
    maxseq: optional(count('Maximum number of ads in a pod.')),
    companionad: optional(array(CompanionSchema, 'Companion sizes.'), since('2.6')),
    api: optional(listedArray(API_FRAMEWORKS, 'Supported API frameworks.'), since('2.6')),
    feed: optional(listed(FEED_TYPES)),
    stitched: optional(advisoryFlag('1 = the ad is stitched into the content.')),
    nvol: optional(listed(VOLUME_NORMALIZATIONS)),
    ...timeBased,
    ...podFields,
    ext: ext(),
  },
  { 'x-outgoing': NEVER_SENT },
);
export type Audio = Static<typeof AudioSchema>;
