/**
 * The levels of objects and lists that JSON from outside may have. What is deeper is used by nobody,
 * and would end whatever walks it by recursion: validators, serialisers, stores.
 */
const JSON_DEPTH_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses JSON that comes from outside; everything else may use `JSON.parse` itself.
 *
 * @throws SyntaxError for what is not JSON, or is nested too deeply.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(TOO_DEEP);
  return JSON.parse(text);
}

/** What `isTooDeep` has against a text. */
export const TOO_DEEP = `JSON may be nested ${JSON_DEPTH_MAX} levels deep, not deeper`;

/**
 * Counts brackets outside of strings, of whatever kind, before anything is parsed. In what is not JSON they may stand
 * anywhere, which the parser finds.
 */
export function isTooDeep(text: string): boolean {
  if (hasFew(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (at < 0) return false;
      continue;
    }
    // "[" and "{" differ in one bit, and so do "]" and "}"; no other character is alike.
    const kind = code & ~0x20;
    if (kind === 0x5b) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (kind === 0x5d) depth -= 1;
  }
  return false;
}

/** Whether there are too few brackets to be too deep, wherever they stand: so are nearly all messages. */
function hasFew(text: string): boolean {
  let left = JSON_DEPTH_MAX;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    left -= 1;
    if (left < 0) return false;
  }
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    left -= 1;
    if (left < 0) return false;
  }
  return true;
}

/** Where the quote stands that ends a string; −1 where none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}
