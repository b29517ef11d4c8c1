/** A module's text in two halves of the same length, so that an offset means the same in each. */
export interface Masked {
  /** The code: comments and the insides of strings, templates and regular expressions blanked. */
  readonly code: string;
  /** The comments: everything else blanked. */
  readonly comments: string;
  /** Where a literal or a comment begins that never ends; what follows it was not understood. */
  readonly unterminatedAt: number | undefined;
}

/** A half-open range of offsets. */
type Range = readonly [start: number, end: number];

/**
 * Splits TypeScript source into code and comments, so that a rule about the one never trips over
 * the other. TypeScript 7 offers no stable compiler API to ask (docs/decisions/0003), and the rules
 * need no more than to know what is a literal and what is a comment.
 */
export function mask(text: string): Masked {
  const scanner = new Scanner(text);
  const unterminatedAt = scanner.scan();
  const { comments, literals } = scanner;
  const code = blank(text, [...comments, ...literals]);
  return { code, comments: blank(text, inverse(comments, text.length)), unterminatedAt };
}

const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|[\w$]+|[^\s]/gu;
/** A template's text from its opening backtick or the end of a `${…}` to the next of either. */
const TEMPLATE = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const REGEXP = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y;

/** After one of these words a slash opens a regular expression; after any other it divides. */
const BEFORE_EXPRESSION = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
);

/** Reads a source once, front to back; `scan` is called once. */
class Scanner {
  readonly comments: Range[] = [];
  readonly literals: Range[] = [];
  readonly #text: string;
  /** For each `${` that stands open: how many braces stand open inside it. */
  readonly #openBraces: number[] = [];
  /** The last token that was no comment: it tells what a slash means. */
  #previous = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Fills the ranges; returns where something begins that never ends. */
  scan(): number | undefined {
    let at = 0;
    for (;;) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(this.#text);
      if (token === null) return this.#openBraces.length === 0 ? undefined : at - 1;
      const start = token.index;
      const isComment = /^\/[/*]/.test(token[0]);
      const end = isComment ? this.#comment(token[0], start) : this.#code(token[0], start);
      if (end === undefined) return start;
      if (!isComment) this.#previous = this.#text.slice(start, end);
      at = end;
    }
  }

  #comment(value: string, start: number): number | undefined {
    if (value.startsWith('/*') && !/^\/\*[^]*\*\/$/.test(value)) return undefined;
    const end = start + value.length;
    this.comments.push([start, end]);
    return end;
  }

  #code(value: string, start: number): number | undefined {
    const depth = this.#openBraces.at(-1);
    if (value === '`' || (value === '}' && depth === 0)) return this.#template(value, start);
    if (value === '/' && opensExpression(this.#previous)) {
      return this.#literal(start, match(REGEXP, this.#text, start));
    }
    if (value === "'" || value === '"') return undefined;
    const end = start + value.length;
    if (/^['"]/.test(value)) return this.#literal(start, end);
    if (depth !== undefined && (value === '{' || value === '}')) {
      this.#openBraces[this.#openBraces.length - 1] = depth + (value === '{' ? 1 : -1);
    }
    return end;
  }

  /** One stretch of a template's text, up to its closing backtick or the next `${`. */
  #template(value: string, start: number): number | undefined {
    if (value === '}') this.#openBraces.pop();
    const end = match(TEMPLATE, this.#text, start + 1);
    if (end === undefined || this.#text[end - 1] === '`') return this.#literal(start, end);
    this.#openBraces.push(0);
    this.literals.push([start + 1, end - 2]);
    return end;
  }

  /** Everything between the first character and the last is text. */
  #literal(start: number, end: number | undefined): number | undefined {
    if (end !== undefined) this.literals.push([start + 1, end - 1]);
    return end;
  }
}

function match(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function opensExpression(previous: string): boolean {
  if (/[\w$]$/.test(previous)) return BEFORE_EXPRESSION.has(previous);
  return !/[)\]}'"`/]$/.test(previous);
}

function inverse(ranges: readonly Range[], length: number): Range[] {
  const starts = [0, ...ranges.map(([, end]) => end)];
  const ends = [...ranges.map(([start]) => start), length];
  return starts.map((start, index) => [start, ends[index] ?? length]);
}

function blank(text: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    result += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}
