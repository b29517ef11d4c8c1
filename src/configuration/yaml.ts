import { YAMLException, parseEvents, type Event } from 'js-yaml';
import { jsonPointer } from '../base/problem.ts';
import { showPath, type FileProblem, type Finding, type Path } from './finding.ts';
import { withBracketsClosed } from './yaml-brackets.ts';
import { EventReader } from './yaml-events.ts';
import { DEPTH_MAX, FILE_MAX_BYTES } from './yaml-limits.ts';
import { explainSyntax } from './yaml-syntax.ts';

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
    return { problems: [{ ...TOP, message }] };
  }
  const parsed = parse(text);
  if ('problems' in parsed) return parsed;
  const reader = new EventReader(text, parsed.events);
  const value = reader.read();
  const position = positions(text);
  const place = (path: Path, offset: number, message: string): FileProblem => ({
    path: showPath(path),
    pointer: jsonPointer(...path),
    ...position(offset),
    message,
  });
  const problems = reader.problems.map((found) => place(found.path, found.offset, found.message));
  if (reader.exhausted) return { problems: problems.slice(-1) };
  const odd = reader.isOdd ? explainSyntax(text) : [];
  if (odd.length > 0) return { problems: odd };
  return {
    value,
    problems,
    place: ({ path, message }) => place(path, reader.offsetOf(path), message),
  };
}

const TOP = { path: '', pointer: '', line: 1, column: 1 };

/** The parser's own depth counts what stands in a collection as well, and some of it twice. */
const PARSER_DEPTH_MAX = 4 * DEPTH_MAX;

function parse(text: string): { events: Event[] } | { problems: readonly FileProblem[] } {
  const parsed = tryParse(text);
  if (!(parsed instanceof YAMLException)) return { events: parsed };
  const problems = explainSyntax(text);
  if (problems.length > 0) return { problems };
  // The two parsers do not agree, as they do not on where brackets may close.
  const again = tryParse(withBracketsClosed(text));
  if (!(again instanceof YAMLException)) return { events: again };
  const { line = 0, column = 0 } = again.mark ?? {};
  const message = 'This is not valid YAML.';
  return { problems: [{ ...TOP, line: line + 1, column: column + 1, message }] };
}

function tryParse(text: string): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth: PARSER_DEPTH_MAX });
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

/** Line and column of offsets; the lines of a text are looked for when the first is asked for. */
function positions(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
