import { escapeHtml } from './escape-html.ts';

/** A piece of HTML that is safe to send: made by the template `safeHtml` alone. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: texts, which are escaped, and pieces that are HTML already. */
type Part = string | number | Html | readonly Part[];

/**
 * Makes HTML of a template. What is put in stands there as text, whatever it says, within an element
 * or a quoted attribute; only other pieces of HTML are taken as they are.
 */
export function safeHtml(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = '', ...rest] = literals;
  const text = rest.map((literal, index) => show(parts[index] ?? '') + literal);
  return new Html([first, ...text].join(''));
}

function show(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(show).join('');
}
