// The reporter of `npm test`: a line for each file, then each failure with what its file wrote and how to
// run that test alone, and one summary. A run that left something out has failed too.
import { AssertionError } from 'node:assert/strict';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { filesOfBatch } from './test/batches.ts';

/** Of what a file's processes wrote, the end is kept. */
const OUTPUT_CHARACTERS_MAX = 20_000;

interface Batch {
  readonly files: FileOutcome[];
  current: FileOutcome | undefined;
  output: string;
}

interface FileOutcome {
  /** Its path from the directory that the run began in. */
  readonly file: string;
  readonly batch: Batch;
  tests: number;
  passed: number;
  durationMs: number;
  hasEnded: boolean;
  readonly failures: { readonly name: string; readonly error: Error }[];
  readonly leftOut: string[];
}

const IS_SOAK = process.env['RIALTO_SOAK'] === '1';

export default async function* report(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string, void> {
  const startedMs = performance.now();
  const isSelection = process.execArgv.some((flag) => flag.startsWith('--test-name-pattern'));
  const run = new Run();
  for await (const event of events) {
    // Soak is run for what it measures.
    if (IS_SOAK && event.type === 'test:diagnostic' && event.data.file !== undefined) {
      yield `  ${event.data.message}\n`;
    }
    const ended = run.take(event);
    if (ended !== undefined && !(isSelection && ended.tests === 0)) yield lineOf(ended);
  }
  const { files } = run;
  const outcomes = [...files.values()];
  for (const outcome of outcomes) yield* failuresOf(outcome);
  // Of those that a selection leaves out nothing is heard.
  const empty = outcomes.filter(({ tests, hasEnded }) =>
    isSelection ? tests > 0 && !hasEnded : tests === 0 || !hasEnded,
  );
  for (const { file, hasEnded } of empty) {
    yield hasEnded ? `✖ ${file} has no test\n` : `✖ ${file} did not come to its end\n`;
  }
  yield* summaryOf(outcomes, performance.now() - startedMs);
  // To node, a run without a test and one with skipped tests are successes.
  const isWhole = empty.length === 0 && outcomes.every(({ leftOut }) => leftOut.length === 0);
  if (!isWhole || outcomes.every(({ tests }) => tests === 0)) process.exitCode = 1;
}

const NOTHING_YET = { tests: 0, passed: 0, durationMs: 0, hasEnded: false };

/** What has become of the files so far. A batch reports its files as suites, one after the other. */
class Run {
  readonly files = new Map<string, FileOutcome>();
  /** By batch: the file that its process has come to, and what it wrote. */
  readonly #batches = new Map<string, Batch>();

  /** Takes in an event, and gives the file that has ended with it. */
  take(event: TestEvent): FileOutcome | undefined {
    const { type, data } = event;
    if (type === 'test:stdout' || type === 'test:stderr') {
      const batch = this.#batch(data.file);
      batch.output = (batch.output + data.message).slice(-OUTPUT_CHARACTERS_MAX);
      return undefined;
    }
    if (data === undefined || !('nesting' in data && 'name' in data)) return undefined;
    const { entryFile, name } = data;
    const batch = this.#batch(entryFile ?? data.file);
    if (entryFile === undefined) {
      if (type === 'test:fail') endEarly(batch, data.details.error);
      return undefined;
    }
    if (data.nesting > 0) {
      if (batch.current !== undefined) takeTest(batch.current, event);
      return undefined;
    }
    if (type === 'test:start') batch.current = this.files.get(name);
    const { current } = batch;
    if (current === undefined || (type !== 'test:pass' && type !== 'test:fail')) return undefined;
    if (type === 'test:fail' && !isOfSubtests(data.details.error)) {
      current.failures.push({ name, error: data.details.error });
    }
    current.durationMs = data.details.duration_ms;
    current.hasEnded = true;
    return current;
  }

  #batch(module: string | undefined): Batch {
    const name = module ?? '';
    const known = this.#batches.get(name);
    if (known !== undefined) return known;
    const batch: Batch = { files: [], current: undefined, output: '' };
    this.#batches.set(name, batch);
    for (const file of filesOfBatch(name)) {
      const outcome = { file, batch, ...NOTHING_YET, failures: [], leftOut: [] };
      batch.files.push(outcome);
      this.files.set(file, outcome);
    }
    return batch;
  }
}

/** Takes in what has become of a test, or of a suite within its file. */
function takeTest(outcome: FileOutcome, { type, data }: TestEvent): void {
  if (type !== 'test:pass' && type !== 'test:fail') return;
  if (type === 'test:fail') outcome.failures.push({ name: data.name, error: data.details.error });
  const isLeftOut = data.skip !== undefined || data.todo !== undefined;
  if (isLeftOut) outcome.leftOut.push(data.name);
  if (data.details.type === 'suite') return;
  outcome.tests += 1;
  if (type === 'test:pass' && !isLeftOut) outcome.passed += 1;
}

/** The process of a batch failed: what it had not come to the end of has failed too. */
function endEarly({ files }: Batch, error: Error): void {
  for (const { file, hasEnded, failures } of files)
    if (!hasEnded) failures.push({ name: file, error });
}

/** A file has failed because tests of it have, which are told one by one. */
function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function lineOf({ file, tests, passed, durationMs, failures }: FileOutcome): string {
  const mark = tests > 0 && passed === tests && failures.length === 0 ? '✔' : '✖';
  return `${mark} ${file}  ${passed} of ${tests}  ${seconds(durationMs)}\n`;
}

function* failuresOf({ file, batch, failures, leftOut }: FileOutcome): Generator<string> {
  for (const name of leftOut) yield `\n✖ ${file}: “${name}” was left out\n`;
  for (const { name, error } of failures) {
    yield `\n✖ ${file}: ${name}\n${indented(describeError(error))}\n`;
    yield `  alone: ${name === file ? alone(file) : alone(file, name)}\n`;
  }
  if (failures.length === 0 || batch.output === '') return;
  const wrote = batch.files.length > 1 ? `${file} and the files beside it` : file;
  yield `\n  ${wrote} wrote:\n${indented(batch.output)}\n`;
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

function* summaryOf(outcomes: readonly FileOutcome[], durationMs: number): Generator<string> {
  const suites = Map.groupBy(outcomes, ({ file }) => suiteOf(file));
  const width = Math.max(0, ...[...suites.keys()].map((suite) => suite.length));
  yield '\n';
  for (const [suite, members] of suites) {
    const { tests, passed } = total(members);
    // Files run side by side, so these add up to more than the whole took.
    const busyMs = members.reduce((sum, each) => sum + each.durationMs, 0);
    yield `${suite.padEnd(width)}  ${passed} of ${tests} in ${members.length} files, ${seconds(busyMs)}\n`;
  }
  const { tests, passed, leftOut } = total(outcomes);
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
