/** A text that others wrote, on one line: what a terminal would obey is shown as its code. */
export function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, codeOf);
}

/** As `shown`, of a text with lines of its own. */
export function shownLines(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, codeOf);
}

/**
 * A value as JSON to read on a terminal: what one would obey is escaped as JSON escapes it, so that
 * programs read the same value.
 */
export function showJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.replaceAll(/[^\P{C}\n]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
