/** The versions that a bidder can be integrated in (spec, section 9). */
export type OpenRtbVersion = '2.5' | '2.2';
