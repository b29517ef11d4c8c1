/**
 * What a player tells of a video while it plays, by the names that VAST has for it. They are counted
 * for the operator's eyes; no money depends on them, and no record is made of them.
 */
export const VIDEO_EVENTS = [
  'creativeView',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
] as const;

/** An event of a player's; `error` is what VAST has an element of its own for. */
export type VideoEvent = (typeof VIDEO_EVENTS)[number] | 'error';
