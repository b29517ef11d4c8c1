import { substituteMacros, type MacroValues } from './macros.ts';

/** Clicks of one markup that lead on by an address of their own. */
export const CLICK_TARGETS_MAX = 16;

/**
 * A click macro directly in front of an address: in plain, or percent-encoded as a parameter is. What
 * ends an attribute, a string of a script, an element or a CDATA section ends the address.
 */
const LEADING =
  /\$\{CLICK_URL(_ENC)?\}(https?(?::\/\/|%3[Aa]%2[Ff]%2[Ff])(?:(?!\]\]>)[^\s"'<>`\\]){1,4096})/g;

/**
 * Makes `${CLICK_URL}https://shop.example/` one address, which counts the click and leads there. It
 * is sealed, because a tracker that led wherever its caller says would be everybody's redirect: the
 * target is what stands in the markup when it wins, and nothing that comes later.
 *
 * Macros in the target are substituted before. `${CLICK_URL_ENC}` wants a target that is encoded as
 * well, and leaves the address encoded. A target that cannot be sealed is left as it is: the click
 * leads there, and does not count.
 *
 * @param clickTo makes the address of a click that leads to a target; null for an unfit one.
 * @see substituteMacros, which is to run over the result: what is put in here contains no macro
 */
export function leadClicks(
  adm: string,
  values: MacroValues,
  clickTo: (target: string) => string | null,
): string {
  if (!adm.includes('${CLICK_URL')) return adm;
  const known = new Map<string, string | null>();
  return adm.replaceAll(LEADING, (_, encoded: string | undefined, written: string) => {
    const target = readTarget(written);
    if (target === null) return written;
    let address = known.get(target);
    if (address === undefined) {
      const due = known.size < CLICK_TARGETS_MAX;
      address = due ? clickTo(substituteMacros(target, values, 'url')) : null;
      known.set(target, address);
    }
    if (address === null) return written;
    return encoded === undefined ? address : encodeURIComponent(address);
  });
}

/** The address as a browser would read it; null for percent signs that mean nothing. */
function readTarget(written: string): string | null {
  const text = written.replaceAll('&amp;', '&');
  if (!/^https?%/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
