// The reporter of `npm test`: a line for each file, then each failure with what its file wrote and how to
// run that test alone, and one summary. A run that left something out has failed too.
import { AssertionError } from 'node:assert/strict';
import { relative, sep } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** Of what a file's processes wrote, the end is kept. */
const OUTPUT_CHARACTERS_MAX = 20_000;

interface FileOutcome {
  tests: number;
  passed: number;
  durationMs: number;
  output: string;
  readonly failures: { readonly name: string; readonly error: Error }[];
  readonly leftOut: string[];
}

export default async function* report(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string, void> {
  const startedMs = performance.now();
  const isSelection = process.execArgv.some((flag) => flag.startsWith('--test-name-pattern'));
  const files = new Map<string, FileOutcome>();
  for await (const event of events) {
    const ended = take(files, event);
    if (ended !== undefined && !(isSelection && ended.tests === 0)) yield lineOf(ended);
  }
  const outcomes = [...files.values()];
  for (const [file, outcome] of files) yield* failuresOf(file, outcome);
  const empty = isSelection ? [] : [...files].filter(([, { tests }]) => tests === 0);
  for (const [file] of empty) yield `✖ ${file} has no test\n`;
  yield* summaryOf(files, performance.now() - startedMs);
  // To node, a run without a test and one with skipped tests are successes.
  const isWhole = empty.length === 0 && outcomes.every(({ leftOut }) => leftOut.length === 0);
  if (!isWhole || outcomes.every(({ tests }) => tests === 0)) process.exitCode = 1;
}

/** Takes in an event, and gives the file that has ended with it. */
function take(
  files: Map<string, FileOutcome>,
  { type, data }: TestEvent,
): (FileOutcome & { readonly file: string }) | undefined {
  const path = pathOf(data);
  if (path === undefined) return undefined;
  const file = relative(process.cwd(), path).split(sep).join('/');
  const outcome = files.get(file) ?? newOutcome();
  files.set(file, outcome);
  if (type === 'test:stdout' || type === 'test:stderr') {
    outcome.output = (outcome.output + data.message).slice(-OUTPUT_CHARACTERS_MAX);
  } else if (type === 'test:pass') {
    if (data.skip !== undefined || data.todo !== undefined) outcome.leftOut.push(data.name);
  } else if (type === 'test:fail') {
    outcome.failures.push({ name: data.name, error: data.details.error });
    // The file itself, which could not be loaded or ended before its tests did.
    if (data.entryFile !== undefined) return undefined;
    outcome.tests += 1;
    outcome.durationMs = data.details.duration_ms;
    return { ...outcome, file };
  } else if (type === 'test:summary') {
    outcome.tests = data.counts.tests;
    outcome.passed = data.counts.passed;
    outcome.durationMs = data.duration_ms;
    return { ...outcome, file };
  }
  return undefined;
}

/** The test file that an event belongs to, whichever module has defined the test. */
function pathOf(data: TestEvent['data']): string | undefined {
  if (data === undefined) return undefined;
  if ('entryFile' in data && data.entryFile !== undefined) return data.entryFile;
  return 'file' in data ? data.file : undefined;
}

function newOutcome(): FileOutcome {
  return { tests: 0, passed: 0, durationMs: 0, output: '', failures: [], leftOut: [] };
}

function lineOf(ended: FileOutcome & { readonly file: string }): string {
  const { file, tests, passed, durationMs } = ended;
  const mark = tests > 0 && passed === tests ? '✔' : '✖';
  return `${mark} ${file}  ${passed} of ${tests}  ${seconds(durationMs)}\n`;
}

function* failuresOf(file: string, outcome: FileOutcome): Generator<string> {
  for (const name of outcome.leftOut) yield `\n✖ ${file}: “${name}” was left out\n`;
  for (const { name, error } of outcome.failures) {
    yield `\n✖ ${file}: ${name}\n${indented(describeError(error))}\n`;
    if (name === file || file.endsWith(`/${name}`)) yield `  alone: ${alone(file)}\n`;
    else yield `  alone: ${alone(file, name)}\n`;
  }
  if (outcome.failures.length === 0 || outcome.output === '') return;
  yield `\n  ${file} wrote:\n${indented(outcome.output)}\n`;
}

/** The runner wraps what a test threw. */
function describeError({ cause, message }: Error): string {
  if (cause === undefined) return message;
  // Its fields say again what its message says.
  return cause instanceof AssertionError ? (cause.stack ?? cause.message) : inspect(cause);
}

function alone(file: string, name?: string): string {
  if (name === undefined) return `node bin/node.js --test ${file}`;
  const pattern = `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  const quoted = `'${pattern.replaceAll("'", String.raw`'\''`)}'`;
  return `node bin/node.js --test --test-name-pattern=${quoted} ${file}`;
}

function* summaryOf(files: Map<string, FileOutcome>, durationMs: number): Generator<string> {
  const suites = Map.groupBy(files, ([file]) => suiteOf(file));
  const width = Math.max(...[...suites.keys()].map((suite) => suite.length));
  yield '\n';
  for (const [suite, members] of suites) {
    const outcomes = members.map(([, outcome]) => outcome);
    const { tests, passed } = total(outcomes);
    // Files run side by side, so these add up to more than the whole took.
    const busyMs = outcomes.reduce((sum, each) => sum + each.durationMs, 0);
    yield `${suite.padEnd(width)}  ${passed} of ${tests} in ${members.length} files, ${seconds(busyMs)}\n`;
  }
  const { tests, passed, leftOut } = total([...files.values()]);
  yield `ℹ tests ${tests}\nℹ pass ${passed}\nℹ fail ${tests - passed - leftOut}\n`;
  yield `ℹ skipped ${leftOut}\nℹ duration_ms ${durationMs.toFixed(0)}\n`;
}

function suiteOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'test' ? second : 'units';
}

function total(outcomes: readonly FileOutcome[]) {
  const sum = { tests: 0, passed: 0, leftOut: 0 };
  for (const { tests, passed, leftOut } of outcomes) {
    sum.tests += tests;
    sum.passed += passed;
    sum.leftOut += leftOut.length;
  }
  return sum;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
