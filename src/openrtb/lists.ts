/**
 * Every enumerated list of the spec's section 2.22, in its order: what documents the values and
 * checks them is driven by this table. The const objects stand in the files named after their
 * subject.
 */
import { CONTENT_CONTEXTS, MEDIA_RATINGS, PRODUCTION_QUALITIES } from './content-lists.ts';
import {
  AD_POSITIONS,
  API_FRAMEWORKS,
  BANNER_AD_TYPES,
  CREATIVE_ATTRIBUTES,
  EXPANDABLE_DIRECTIONS,
} from './creative-lists.ts';
import {
  CONNECTION_TYPES,
  DEVICE_TYPES,
  IP_LOCATION_SERVICES,
  LOCATION_TYPES,
} from './device-lists.ts';
import type { EnumeratedList } from './enumerated-list.ts';
import { FEED_TYPES, VOLUME_NORMALIZATIONS } from './audio-lists.ts';
import {
  NATIVE_CONTEXTS,
  NATIVE_CONTEXT_SUBTYPES,
  NATIVE_DATA_TYPES,
  NATIVE_IMAGE_TYPES,
  NATIVE_PLACEMENTS,
} from './native-lists.ts';
import {
  CATEGORY_TAXONOMIES,
  MARKUP_TYPES,
  MATCH_METHODS,
  POD_SEQUENCES,
  REFRESH_TRIGGERS,
  SERVER_SIDE_INSERTIONS,
  SLOTS_IN_POD,
  USER_AGENT_SOURCES,
  VIDEO_PLCMTS,
} from './later-lists.ts';
import { NO_BID_REASONS } from './no-bid-reason.ts';
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

export const LISTS: readonly EnumeratedList[] = [
  BANNER_AD_TYPES,
  CREATIVE_ATTRIBUTES,
  AD_POSITIONS,
  EXPANDABLE_DIRECTIONS,
  API_FRAMEWORKS,
  VIDEO_LINEARITIES,
  VIDEO_PROTOCOLS,
  VIDEO_PLACEMENTS,
  PLAYBACK_METHODS,
  START_DELAYS,
  PRODUCTION_QUALITIES,
  COMPANION_TYPES,
  DELIVERY_METHODS,
  MEDIA_RATINGS,
  CONTENT_CONTEXTS,
  LOCATION_TYPES,
  DEVICE_TYPES,
  CONNECTION_TYPES,
  IP_LOCATION_SERVICES,
  NO_BID_REASONS,
];

/** The lists that the spec leaves open, as the industry's documents have them. */
export const INDUSTRY_LISTS: readonly EnumeratedList[] = [
  PLAYBACK_ENDS,
  FEED_TYPES,
  VOLUME_NORMALIZATIONS,
  NATIVE_CONTEXTS,
  NATIVE_CONTEXT_SUBTYPES,
  NATIVE_PLACEMENTS,
  NATIVE_DATA_TYPES,
  NATIVE_IMAGE_TYPES,
  VIDEO_PLCMTS,
  SERVER_SIDE_INSERTIONS,
  MARKUP_TYPES,
  CATEGORY_TAXONOMIES,
  SLOTS_IN_POD,
  POD_SEQUENCES,
  USER_AGENT_SOURCES,
  MATCH_METHODS,
  REFRESH_TRIGGERS,
];
