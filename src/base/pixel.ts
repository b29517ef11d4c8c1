/** The smallest picture there is, as image/gif: one transparent point. */
export const PIXEL: Buffer = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);
