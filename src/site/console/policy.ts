/** The headers of the console's page that depend on what is served with it. */
export interface PolicyParts {
  /** Of this answer alone: style elements that carry it are applied. Null where the page has none. */
  readonly nonce: string | null;
  /** The exchange's own address, in whose frames creatives are shown; null where it is not known. */
  readonly exchangeUrl: string | null;
}

/**
 * Scripts and fonts come from here alone, and nothing can be sent elsewhere. The console's components
 * set style attributes, which no nonce can cover; what can harm is a style sheet, and there is none
 * without the nonce.
 */
export function contentSecurityPolicy({ nonce, exchangeUrl }: PolicyParts): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === null ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(exchangeUrl === null ? [] : [`frame-src ${new URL(exchangeUrl).origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

/** What a page of operators has no use for, so that nothing in it can ask for it. */
const UNUSED_FEATURES = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'payment',
  'usb',
  'serial',
  'hid',
  'midi',
  'browsing-topics',
];

const YEAR_S = 31_536_000;

/** The headers of everything that the console is made of. */
export function protectiveHeaders(authUrl: string): Readonly<Record<string, string>> {
  return {
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...(authUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
}
