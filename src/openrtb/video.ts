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
} from './fields.ts';
import { VideoExtSchema } from './outgoing-ext.ts';
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
import { configured, filled, overridable, requested, setHere, united, unsent } from './filling.ts';

/** Fields that Video and Audio share, with the same meaning in both. */
const timeBased = {
  startdelay: optional(
    // List 5.12 names three values; above them every number is a delay in seconds.
    listed(START_DELAYS, START_DELAYS.title, { 'x-outgoing': { minimum: -2 } }),
  ),
  sequence: optional(count('Position among creatives that are delivered together.')),
  battr: optional(listedArray(CREATIVE_ATTRIBUTES, 'Blocked creative attributes.')),
  maxextended: optional(
    integer('Seconds beyond maxduration: 0 = none, -1 = unlimited.', {
      'x-outgoing': { minimum: -1 },
    }),
  ),
  delivery: optional(listedArray(DELIVERY_METHODS, 'Supported delivery methods; omitted = all.')),
  companiontype: optional(listedArray(COMPANION_TYPES)),
};

/** Video, section 2.7. At least one of `protocol` and `protocols` must be there. */
export const VideoSchema = filled(
  object(
    'A video on offer.',
    {
      mimes: array(code('A content type.'), 'Supported content types.'),
      minduration: count('Minimum duration in seconds.', { default: 5 }),
      maxduration: count('Maximum duration in seconds.', { default: 60 }),
      protocols: optional(listedArray(VIDEO_PROTOCOLS, 'Supported video protocols.')),
      protocol: optional(listed(VIDEO_PROTOCOLS, 'Deprecated: the one video protocol.')),
      w: optional(count('Player width in device independent pixels.')),
      h: optional(count('Player height in device independent pixels.')),
      placement: optional(listed(VIDEO_PLACEMENTS)),
      linearity: optional(listed(VIDEO_LINEARITIES, VIDEO_LINEARITIES.title, { default: 1 })),
      skip: optional(advisoryFlag('1 = the player lets the viewer skip.')),
      skipmin: optional(count('Seconds a video must last to be skippable.', { default: 0 })),
      skipafter: optional(count('Seconds before skipping is possible.', { default: 0 })),
      minbitrate: optional(count('Minimum bit rate in kbps.', { default: 250 })),
      maxbitrate: optional(count('Maximum bit rate in kbps.', { default: 4000 })),
      boxingallowed: optional(advisoryFlag('1 = letter-boxing allowed.', { default: 1 })),
      playbackmethod: optional(listedArray(PLAYBACK_METHODS, 'Playback methods; omitted = all.')),
      playbackend: optional(listed(PLAYBACK_ENDS, 'Event that ends playback.')),
      pos: optional(listed(AD_POSITIONS)),
      ...timeBased,
      companionad: optional(array(CompanionSchema, 'Companion sizes.')),
      api: optional(listedArray(API_FRAMEWORKS, 'Supported API frameworks.')),
      ext: ext('Only there for rewarded or outstream video.', VideoExtSchema),
    },
    ['protocols', 'w', 'h', 'startdelay'],
    advisory(
      'placement',
      'linearity',
      'skip',
      'skipmin',
      'skipafter',
      'minbitrate',
      'maxbitrate',
      'boxingallowed',
      'playbackmethod',
      'playbackend',
      'pos',
      'startdelay',
      'sequence',
      'maxextended',
      'delivery',
      'companiontype',
      'companionad',
      'api',
    ),
  ),
  {
    mimes: overridable(
      'As the request says, else video/mp4 and, but for iOS, video/webm, with application/javascript for VPAID 2; of these those that the bidder has.',
    ),
    minduration: overridable('As the request says, else of the ad space.'),
    maxduration: overridable('As the request says, else of the ad space.'),
    minbitrate: overridable('As the request says, else of the ad space.'),
    maxbitrate: overridable('As the request says, else of the ad space.'),
    linearity: overridable('As the request says, else of the ad space.'),
    startdelay: overridable('As the request says, else of the ad space.'),
    placement: overridable('As the request says, else of the ad space.'),
    w: overridable('As the request says, else of the ad space.'),
    h: overridable('As the request says, else of the ad space.'),
    protocols: setHere('2 and 5; 3 and 6 too if the request says that the player takes VAST 3.'),
    protocol: unsent('Not sent: protocols says it.'),
    skip: configured('Of the ad space.'),
    skipmin: configured('Of the ad space.'),
    skipafter: configured('Of the ad space.'),
    sequence: requested(),
    maxextended: overridable(
      'As the request says, else of the ad space, unless the request says maxduration.',
    ),
    boxingallowed: overridable('As the request says, else of the ad space.'),
    playbackend: overridable('As the request says, else of the ad space.'),
    companionad: configured('The sizes of the ad space, each with an id.'),
    companiontype: configured('Of the ad space.'),
    playbackmethod: overridable('As the request says, else of the ad space.'),
    delivery: overridable('As the request says, also as `deliver`; else of the ad space.'),
    api: overridable('As the request says, else of the ad space.'),
    pos: configured('Of the ad space.'),
    battr: united(),
    ext: configured('Its `rewarded` and `outstream`; left out where there is neither.'),
  },
);
export type Video = Static<typeof VideoSchema>;

/** Audio, section 2.8. The exchange reads it and never sends it. */
export const AudioSchema = object(
  'Audio on offer.',
  {
    mimes: array(code('A content type.'), 'Supported content types.'),
    minduration: optional(count('Minimum duration in seconds.')),
    maxduration: optional(count('Maximum duration in seconds.')),
    protocols: optional(listedArray(VIDEO_PROTOCOLS, 'Supported protocols.')),
    minbitrate: optional(count('Minimum bit rate in kbps.')),
    maxbitrate: optional(count('Maximum bit rate in kbps.')),
    maxseq: optional(count('Maximum number of ads in a pod.')),
    feed: optional(listed(FEED_TYPES)),
    stitched: optional(advisoryFlag('1 = the ad is stitched into the content.')),
    nvol: optional(listed(VOLUME_NORMALIZATIONS)),
    ...timeBased,
    ext: ext(),
  },
  ['minduration', 'maxduration', 'protocols', 'startdelay'],
  { 'x-outgoing': NEVER_SENT },
);
export type Audio = Static<typeof AudioSchema>;
