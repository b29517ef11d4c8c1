/** A text that others wrote, on one line: what a terminal would obey is shown as its code. */
export function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, codeOf);
}

/** As `shown`, of a text with lines of its own. */
export function shownLines(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, codeOf);
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
