/**
 * A document without its code: fenced blocks and code spans are blanked, so that offsets stay and a
 * link or a mark inside an example is none.
 */
export function prose(text: string): string {
  return text
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))/gm, blank)
    .replaceAll(/<!--[^]*?-->/g, blank)
    .replaceAll(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) =>
      // A span ends with its paragraph at the latest: a lone backtick hides nothing.
      /\n\s*\n/.test(span) ? span : blank(span),
    );
}

/** A heading or link that a document has, at its offset in the text. */
export interface Found {
  readonly value: string;
  readonly offset: number;
}

/**
 * Every target that the document links to: inline links and images, link definitions, and the
 * `href` and `src` of HTML.
 */
export function targetsOf(text: string): Found[] {
  const pattern =
    /\]\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)>?|\b(?:href|src)="([^"]*)"/gm;
  return Array.from(prose(text).matchAll(pattern), (match) => ({
    value: match[1] ?? match[2] ?? match[3] ?? '',
    offset: match.index,
  }));
}

/**
 * The anchors of a document as GitHub makes them: headings in lower case, punctuation dropped,
 * spaces as hyphens, a repeated one numbered; and ids of HTML.
 */
export function anchorsOf(text: string): ReadonlySet<string> {
  const visible = prose(text);
  const anchors = new Set(
    Array.from(visible.matchAll(/\b(?:id|name)="([^"]+)"/g), ([, id = '']) => id),
  );
  const seen = new Map<string, number>();
  for (const heading of visible.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$/gm)) {
    // Code spans are blanked in the prose but count in an anchor, hence the text itself.
    const line = text.slice(heading.index, heading.index + heading[0].length);
    const slug = slugOf(line.replace(/^ {0,3}#+[ \t]+/, '').replace(/[ \t]+#+[ \t]*$/, ''));
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${String(times)}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .trim()
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
