/** The versions that are spoken, the oldest first. */
export const VERSIONS = ['2.2', '2.5', '2.6'] as const;
export type OpenRtbVersion = (typeof VERSIONS)[number];
