import {
  Alias,
  Composer,
  Lexer,
  LineCounter,
  Parser,
  Scalar,
  YAMLMap,
  YAMLParseError,
  YAMLSeq,
  type CST,
  type ErrorCode,
  type Node,
  type YAMLError,
} from 'yaml';
import { jsonPointer } from '../base/problem.ts';
import { showPath, type FileProblem, type Finding, type Path } from './finding.ts';

/** Larger files are refused unread: the parser takes about a second for a megabyte. */
export const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** Values after aliases are followed; a file of 10,000 line items has some 300,000. */
const VALUES_MAX = 1_000_000;

const DEPTH_MAX = 32;

/** What a YAML file holds, and where in its text each part stands. */
export interface YamlFile {
  /** Mappings as objects, lists as arrays; numbers may be infinite or not a number. */
  readonly value: unknown;
  /** What is wrong with the text as YAML, although the rest of it could be read. */
  readonly problems: readonly FileProblem[];
  /** Adds the place of a finding: of its path, or of what would hold it if that is missing. */
  place(finding: Finding): FileProblem;
}

/**
 * Reads a YAML 1.2 file with one document. Messages never quote the text, since passwords may stand
 * where the error is.
 *
 * @returns the problems alone when the text cannot be read, or only by spending too much on it.
 */
export function readYaml(text: string): YamlFile | { problems: readonly FileProblem[] } {
  const bytes = Buffer.byteLength(text);
  if (bytes > FILE_MAX_BYTES) {
    const message = `The file has ${bytes} bytes; the most that is read is ${FILE_MAX_BYTES}.`;
    return { problems: [{ path: '', pointer: '', line: 1, column: 1, message }] };
  }
  const lines = new LineCounter();
  // The parser's own search for duplicate keys takes time with the square of their number.
  const options = { lineCounter: lines, uniqueKeys: false, stringKeys: true };
  const tokens = readTokens(text, lines);
  if ('tooDeepAt' in tokens) {
    const message = `This is nested more than ${DEPTH_MAX} deep.`;
    const place = position(lines, tokens.tooDeepAt);
    return { problems: [{ path: '', pointer: '', ...place, message }] };
  }
  const composer = new Composer({ ...options, resolveKnownTags: false, logLevel: 'error' });
  // There is always one; what another has to say beyond that it is there, nobody needs.
  const [document, second] = composer.compose(tokens.list, true, text.length);
  if (document === undefined) throw new Error('a text without a document');
  const errors = [...document.errors, ...document.warnings];
  if (second !== undefined) {
    const [start, end] = second.range;
    errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'another document'));
  }
  if (errors.length > 0) return { problems: syntaxProblems(errors, lines) };
  const reader = new NodeReader(lines);
  const value = reader.read(document.contents, [], 0);
  if (reader.exhausted) return { problems: reader.problems.slice(-1) };
  return {
    value,
    problems: reader.problems,
    place: ({ path, message }) => ({
      path: showPath(path),
      pointer: jsonPointer(...path),
      ...position(lines, reader.offsetOf(document.contents, path)),
      message,
    }),
  };
}

/**
 * As the library reads a text, but for its depth: what is nested some hundred thousand deep takes it
 * half a minute, during which nothing else runs.
 */
function readTokens(
  text: string,
  lines: LineCounter,
): { readonly list: readonly CST.Token[] } | { readonly tooDeepAt: number } {
  const parser = new Parser(lines.addNewLine);
  const list: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const token of parser.next(lexeme)) list.push(token);
    if (parser.stack.length > DEPTH_MAX + TOKENS_AROUND) return { tooDeepAt: at };
  }
  for (const token of parser.end()) list.push(token);
  return { list };
}

/** What is open around and in the deepest collection: the document, and a value. */
const TOKENS_AROUND = 3;

/** One mistake can make the parser stumble many times: one message a line, where it comes first. */
function syntaxProblems(errors: readonly YAMLError[], lines: LineCounter): FileProblem[] {
  const problems = new Map<number, FileProblem>();
  for (const { code, pos } of errors) {
    const place = position(lines, pos[0]);
    if (problems.has(place.line)) continue;
    const message = SYNTAX_MESSAGES[code] ?? 'This is not valid YAML.';
    problems.set(place.line, { path: '', pointer: '', ...place, message });
  }
  return [...problems.values()];
}

const SYNTAX_MESSAGES: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'An alias cannot have an anchor or a tag of its own.',
  BAD_ALIAS:
    'This is no name for an anchor or alias; put a text that starts with * or & in quotes.',
  BAD_DIRECTIVE: 'This % directive is unknown.',
  BAD_DQ_ESCAPE: 'This escape is unknown; write \\\\ for a backslash, or use single quotes.',
  BAD_INDENT: 'This is not indented as the lines that it belongs to.',
  BAD_SCALAR_START: 'A text that starts with this character must stand in quotes.',
  BLOCK_AS_IMPLICIT_KEY:
    'This value holds another "key:"; put it in quotes, or indent the next line as this one.',
  BLOCK_IN_FLOW: 'A list or mapping inside [] or {} must be written with [] or {} as well.',
  KEY_OVER_1024_CHARS: 'A key cannot be longer than 1024 characters.',
  MISSING_CHAR:
    'A character is missing here: a closing quote or bracket, a comma, or a colon with a space.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line, with a colon and a space behind it.',
  MULTIPLE_DOCS: 'A second document starts here; keep one and remove the "---".',
  NON_STRING_KEY: 'A key must be a text.',
  RESOURCE_EXHAUSTION: 'This is nested too deeply.',
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  TAG_RESOLVE_FAILED: 'This tag is unknown; put a text that starts with ! in quotes.',
  UNEXPECTED_TOKEN: 'This is not expected here.',
};

interface Anchored {
  readonly node: Node;
  readonly value: unknown;
  /** How many values an alias of it adds to the document. */
  readonly values: number;
}

/** Turns the parsed nodes into plain values, and finds the node of a path again. */
class NodeReader {
  readonly problems: FileProblem[] = [];
  /** The document is too large or too deep to go on with. */
  exhausted = false;
  #values = 0;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Anchored>();
  readonly #aliasTargets = new Map<Alias, Node>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  read(node: unknown, path: Path, depth: number): unknown {
    if (this.exhausted) return null;
    const before = this.#values;
    this.#values += 1;
    if (depth > DEPTH_MAX) this.#stop(node, path, `is nested more than ${DEPTH_MAX} deep`);
    if (this.#values > VALUES_MAX) this.#stop(node, path, tooManyValues());
    if (node instanceof Alias) return this.#readAlias(node, path);
    const value = this.#readContent(node, path, depth);
    if (isAnchored(node)) {
      // Set after the content was read, so that nothing can contain itself.
      this.#anchors.set(node.anchor, { node, value, values: this.#values - before });
    }
    return value;
  }

  /** Offset in the text of the deepest part of a path that exists. */
  offsetOf(root: unknown, path: Path): number {
    let node = root;
    let offset = offsetOfNode(root) ?? 0;
    for (const segment of path) {
      if (node instanceof Alias) node = this.#aliasTargets.get(node);
      if (node instanceof YAMLSeq && typeof segment === 'number') {
        node = node.items[segment];
        offset = offsetOfNode(node) ?? offset;
      } else if (node instanceof YAMLMap) {
        const pair = node.items.find(({ key }) => key instanceof Scalar && key.value === segment);
        if (pair === undefined) break;
        offset = offsetOfNode(pair.key) ?? offset;
        node = pair.value;
      } else {
        break;
      }
    }
    return offset;
  }

  #readAlias(alias: Alias, path: Path): unknown {
    const anchored = this.#anchors.get(alias.source);
    if (anchored === undefined) {
      this.#report(alias, path, 'is an alias without an anchor before it; put the text in quotes');
      return null;
    }
    this.#aliasTargets.set(alias, anchored.node);
    this.#values += anchored.values;
    if (this.#values > VALUES_MAX) this.#stop(alias, path, tooManyValues());
    return anchored.value;
  }

  #readContent(node: unknown, path: Path, depth: number): unknown {
    if (node instanceof YAMLMap) {
      const entries = new Map<string, unknown>();
      for (const { key, value } of node.items) {
        const name = this.#readKey(key, path);
        if (entries.has(name)) this.#report(key, [...path, name], 'stands here a second time');
        else entries.set(name, this.read(value, [...path, name], depth + 1));
      }
      // Unlike assignment, this makes "__proto__" a key like any other.
      return Object.fromEntries(entries);
    }
    if (node instanceof YAMLSeq) {
      return node.items.map((item, index) => this.read(item, [...path, index], depth + 1));
    }
    return node instanceof Scalar ? this.#readText(node, node.value, path) : null;
  }

  #readKey(key: unknown, path: Path): string {
    const value = key instanceof Scalar ? key.value : null;
    const name = value === null ? '' : String(value);
    this.#readText(key, name, [...path, name]);
    return name;
  }

  /** What neither SQLite nor PostgreSQL could give back as it was is refused in every text. */
  #readText(node: unknown, value: unknown, path: Path): unknown {
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
      this.#report(node, path, 'holds a character that is not valid in a text');
    }
    return value;
  }

  #stop(node: unknown, path: Path, message: string): void {
    this.exhausted = true;
    this.#report(node, path, message);
  }

  #report(node: unknown, path: Path, message: string): void {
    const offset = offsetOfNode(node) ?? 0;
    this.problems.push({
      path: showPath(path),
      pointer: jsonPointer(...path),
      ...position(this.#lines, offset),
      message,
    });
  }
}

function tooManyValues(): string {
  return `brings the file to more than ${VALUES_MAX} values, aliases counted where they stand`;
}

function isAnchored(node: unknown): node is Node & { anchor: string } {
  const collectionOrScalar =
    node instanceof YAMLMap || node instanceof YAMLSeq || node instanceof Scalar;
  return collectionOrScalar && node.anchor !== undefined;
}

function offsetOfNode(node: unknown): number | undefined {
  const known =
    node instanceof Alias ||
    node instanceof YAMLMap ||
    node instanceof YAMLSeq ||
    node instanceof Scalar;
  return known ? node.range?.[0] : undefined;
}

function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
