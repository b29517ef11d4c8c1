import type { VideoSettings } from './entities.ts';

/** What holds for a video where nothing is set; the numbers are the defaults of section 2.7. */
export const VIDEO_DEFAULTS: Omit<VideoSettings, 'w' | 'h'> = {
  minduration: 5,
  maxduration: 60,
  minbitrate: 250,
  maxbitrate: 4_000,
  linearity: 1,
  startdelay: null,
  placement: null,
  skip: null,
  skipmin: null,
  skipafter: null,
  maxextended: null,
  boxingallowed: null,
  playbackmethod: [],
  playbackend: null,
  delivery: [],
  api: [],
  companionad: [],
  companiontype: [],
  vcm: null,
  outstream: false,
};
