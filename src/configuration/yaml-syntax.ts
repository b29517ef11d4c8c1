import {
  Composer,
  Lexer,
  LineCounter,
  Parser,
  YAMLParseError,
  type CST,
  type ErrorCode,
  type YAMLError,
} from 'yaml';
import type { FileProblem } from './finding.ts';
import { DEPTH_MAX } from './yaml-limits.ts';

/**
 * What is wrong with a text as YAML: the first mistake of every line, in words for people. It is read
 * by a parser that goes on after an error, which takes ten times as long as the one that reads values
 * and is asked only where that one has stumbled. Messages never quote the text.
 *
 * @returns nothing where this parser finds no fault.
 */
export function explainSyntax(text: string): readonly FileProblem[] {
  const lines = new LineCounter();
  const tokens = readTokens(text, lines);
  if ('tooDeepAt' in tokens) {
    const message = `This is nested more than ${DEPTH_MAX} deep.`;
    return [{ path: '', pointer: '', ...position(lines, tokens.tooDeepAt), message }];
  }
  // The parser's own search for duplicate keys takes time with the square of their number.
  const composer = new Composer({
    lineCounter: lines,
    uniqueKeys: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  // There is always one; what another has to say beyond that it is there, nobody needs.
  const [document, second] = composer.compose(tokens.list, true, text.length);
  if (document === undefined) throw new Error('a text without a document');
  const errors = [...document.errors, ...document.warnings];
  if (second !== undefined) {
    const [start, end] = second.range;
    errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'another document'));
  }
  return syntaxProblems(errors, lines);
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

function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}
