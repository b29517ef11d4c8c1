/** Larger files are refused unread. */
export const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** How many collections may stand in one another. */
export const DEPTH_MAX = 32;

/** Values after aliases are followed; a file of 10,000 line items has some 300,000. */
export const VALUES_MAX = 1_000_000;
