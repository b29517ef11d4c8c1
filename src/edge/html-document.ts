import type { Fill } from './tag-fill.ts';
import { APP_SCRIPT, COMMON_SCRIPT, FRAME_SCRIPT, SITE_SCRIPT } from './html-script.ts';

/**
 * What markup may do: run, open what a person clicked on, and be a form. Never `allow-same-origin`:
 * it would make the markup a part of the origin that serves it.
 */
const SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation allow-forms';

/**
 * Headers of a document with an ad. The policy puts the document itself into the sandbox, so that
 * also what broke out of its frame would find an origin without cookies, shared with nobody. It
 * names no sources of scripts: a frame with `srcdoc` inherits its document's policy (HTML, "policy
 * container"), and what an ad loads nobody knows; a nonce would forbid every ad its inline scripts.
 * The address holds the user's data, so nobody learns it as the referrer.
 */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `sandbox ${SANDBOX}; object-src 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/** What the page around the document is told, by `postMessage` under the key `rialto`. */
interface Message {
  readonly ad_space: string;
  readonly filled: boolean;
  readonly w?: number;
  readonly h?: number;
}

/** An ad, its place, and its size in CSS pixels. */
export interface Shown {
  readonly fill: Fill;
  readonly adSpace: string;
  readonly w: number;
  readonly h: number;
}

/** Of what nobody bought. */
const NO_BEACONS = { impression: null, view: null, click: null } as const;

const STYLE = '<style>html,body{margin:0;padding:0}</style>';
/**
 * A frame with `srcdoc` has its document's base address, which without this would be the whole
 * address of the request, with all that it says of the user.
 */
const BASE = '<base href="/">';
const FRAME_STYLE = '<style>body{overflow:hidden}iframe{display:block;border:0}</style>';

/**
 * The document for a frame in a page of the publisher's: the markup runs in a sandboxed frame of its
 * own within it. The impression counts when that frame has loaded, the view when half of it was on
 * the screen for a second.
 */
export function siteDocument({ fill, adSpace, w, h }: Shown): string {
  const { markup } = fill;
  const { impression, view, click } = fill.beacons ?? NO_BEACONS;
  const settings = {
    impression,
    view,
    // What carries the click address counts its clicks itself.
    click: click !== null && markup.includes(clickPrefix(click)) ? null : click,
    message: { ad_space: adSpace, filled: true, w, h } satisfies Message,
  };
  const inner = `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${markup}`;
  return documentOf(
    `${BASE}${FRAME_STYLE}${script(settings, SITE_SCRIPT)}`,
    `<iframe id="ad" title="Advertisement" width="${w}" height="${h}" scrolling="no" ` +
      `sandbox="${SANDBOX}" srcdoc="${escapeAttribute(inner)}"></iframe>`,
  );
}

/**
 * The document for an app's web view: the markup stands at its top, because an MRAID ad talks to the
 * web view that it is in.
 *
 * @param mraid whether the web view provides `mraid.js`.
 */
export function appDocument({ fill, adSpace, w, h }: Shown, mraid: boolean): string {
  const { impression, view } = fill.beacons ?? NO_BEACONS;
  const message: Message = { ad_space: adSpace, filled: true, w, h };
  const head =
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    (mraid ? '<script src="mraid.js"></script>' : '') +
    script({ impression, view, click: null, message }, APP_SCRIPT);
  return documentOf(head, fill.markup);
}

/**
 * The document in whose frames `tag.js` renders: the markup stands in the name of the frame, and is
 * read as a part of this document, whose origin is nobody's. Without a page around it, it is empty:
 * nobody can make it say something under the exchange's address.
 */
export const FRAME_DOCUMENT = documentOf(FRAME_STYLE, `<script>${FRAME_SCRIPT}</script>`);

/** The document of a frame without an ad: empty, and the page is told so, to take the frame away. */
export function emptyDocument(adSpace: string): string {
  const message: Message = { ad_space: adSpace, filled: false };
  return documentOf(script({ ...NO_BEACONS, message }, ''), '');
}

function documentOf(head: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Advertisement</title>' +
    `${STYLE}${head}</head><body>${body}</body></html>`
  );
}

function script(settings: object, code: string): string {
  return `<script>(function(){var c=${asScript(settings)};${COMMON_SCRIPT}${code}})()</script>`;
}

/** JSON that ends no script element and, read as a script, no line. */
function asScript(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** In double quotes a quote alone ends the value, and an ampersand begins a reference. */
function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The click address without its token: tokens of one win differ where they lead. */
function clickPrefix(click: string): string {
  return click.slice(0, click.lastIndexOf('/') + 1);
}
