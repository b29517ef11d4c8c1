import { parseJson } from '../base/json.ts';
import { FORMAT_NATIVE } from './formats.ts';

/** How far before an address its context is looked for, in characters. */
const CONTEXT_CHARS = 256;
/** How many addresses of one creative are looked at; markup with more is not taken on trust. */
const ADDRESSES_MAX = 500;

/**
 * What makes a browser load an address by itself, when it stands right before the address and its
 * opening quote: `src`, `srcset`, `poster`, `data` and a style sheet's `href` in HTML, `url()` in
 * CSS, media files and trackers in VAST. Click-throughs and XML namespaces are not loaded and may be
 * plain HTTP.
 */
const LOADS: readonly RegExp[] = [
  /\b(?:src|srcset|poster|data)\s*=$/i,
  /<link\b[^<>]*\bhref\s*=$/i,
  /\burl\($/i,
  /<(?:MediaFile|Impression|Tracking|StaticResource|IFrameResource|VASTAdTagURI)\b[^<>]*>\s*(?:<!\[CDATA\[)?$/i,
];

const PLAIN_HTTP = /http:\/\//i;

/**
 * The first address that the markup would load over plain HTTP, null when there is none.
 * Each address is judged by a window of fixed length before it, so that hostile markup costs no
 * more than its length.
 *
 * @param format `FORMAT_NATIVE` for JSON; anything else is read as HTML or XML.
 */
export function findInsecureAsset(adm: string, format: number): string | null {
  if (format === FORMAT_NATIVE) return findInNative(adm);
  // Nearly all markup has none, and to look for one costs less than to look for all.
  if (!PLAIN_HTTP.test(adm)) return null;
  let seen = 0;
  for (const { index: at } of adm.matchAll(/http:\/\//gi)) {
    const context = beforeQuote(adm.slice(Math.max(0, at - CONTEXT_CHARS), at));
    if (seen === ADDRESSES_MAX || LOADS.some((pattern) => pattern.test(context))) {
      return addressAt(adm, at);
    }
    seen += 1;
  }
  return null;
}

/** A text without the quote that may end it, escaped or not, and the blanks around that. */
function beforeQuote(text: string): string {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith('"') && !trimmed.endsWith("'")) return trimmed;
  const unquoted = trimmed.slice(0, -1);
  return (unquoted.endsWith('\\') ? unquoted.slice(0, -1) : unquoted).trimEnd();
}

function addressAt(adm: string, at: number): string {
  return adm.slice(at, at + 80).split(/["'<>\s\]]/, 1)[0] ?? '';
}

/** Native 1.1: everything but the links' `url` and `clicktrackers` is loaded when shown. */
function findInNative(adm: string): string | null {
  if (!/http:/i.test(adm)) return null;
  let parsed: unknown;
  try {
    parsed = parseJson(adm);
  } catch {
    return addressAt(adm, adm.search(/http:/i));
  }
  const open: { key: string; value: unknown }[] = [{ key: '', value: parsed }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, value } = next;
    if (typeof value === 'string') {
      const text = value.trimStart();
      if (key === 'vasttag' || key === 'jstracker') {
        const nested = findInsecureAsset(text, 0);
        if (nested !== null) return nested;
      } else if (/^http:\/\//i.test(text)) return addressAt(text, 0);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        if (name !== 'link') open.push({ key: Array.isArray(value) ? key : name, value: child });
      }
    }
  }
  return null;
}
