import { Lexer } from 'yaml';

const CLOSING: ReadonlySet<string> = new Set([']', '}']);
/** What stands between the last element of a list and its bracket, or in it, and means nothing there. */
const MEANINGLESS = /^(?:[ \t]+|\r?\n|#.*)$/;

/**
 * The same text with each closing bracket on the line of what stands before it: js-yaml refuses those at the
 * indentation of their key, where most people and programs put them.
 *
 * @returns a text of the same length, so that what is found in it stands at the same offsets.
 */
export function withBracketsClosed(text: string): string {
  const tokens: string[] = [];
  for (const token of new Lexer().lex(text)) {
    // The lexer adds marks of its own, which are not in the text.
    if (token === '\u0002' || token === '\u0018' || token === '\u001f') continue;
    if (CLOSING.has(token)) blankBefore(tokens);
    tokens.push(token);
  }
  return tokens.join('');
}

function blankBefore(tokens: string[]): void {
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const token = tokens[at] ?? '';
    if (!MEANINGLESS.test(token)) return;
    tokens[at] = ' '.repeat(token.length);
  }
}
