/** What belongs to other parts of control, with all that is below. */
const OTHERS = [
  '/api',
  '/reporting',
  '/v2/auth/token',
  '/v2/auth/revoke',
  '/v2/auth/introspect',
  '/v2/auth/link',
  '/v2/auth/session',
  '/livez',
  '/readyz',
  // Has a listener of its own; a scraper that asks here is told that there is nothing.
  '/metrics',
  '/openapi.json',
  '/reference',
  '/assets',
];

/**
 * Whether the path may be a page of the console: it alone knows which pages it has. Spellings that
 * somebody in between might take for another part's are none.
 */
export function isPageAddress(path: string): boolean {
  const plain = plainPath(path);
  if (plain === null) return false;
  return !OTHERS.some((other) => plain === other || plain.startsWith(`${other}/`));
}

/** Decoded, in lower case, with single slashes and without dots; null where it cannot be decoded. */
function plainPath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path).replaceAll('\\', '/').toLowerCase();
    return new URL(decoded.replaceAll(/\/+/g, '/'), 'http://localhost').pathname;
  } catch {
    return null;
  }
}
