// `npm test [-- SUITE|FILE …]` and `npm run test:soak [-- FILE …]`: the tests on node's own runner, with
// the reporter of `test-report.ts`.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeBatches, type Batch } from './test/batches.ts';
import { gateBatches, soakFiles, SUITES } from './test/suites.ts';
import { makeTemporaryDirectory } from './test/temporary-directory.ts';

const TEST_MS_MAX = { gate: 300_000, soak: 7_200_000 };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    soak: { type: 'boolean', default: false },
    /** Only tests whose name has this regular expression. */
    name: { type: 'string' },
    /** For soak: what random choices start from, and for how long each test may go on. */
    seed: { type: 'string' },
    seconds: { type: 'string' },
    /** For soak: how many times as many random values as in the gate. */
    times: { type: 'string' },
  },
});

const batches = writeBatches(chosenBatches());
const temporary = makeTemporaryDirectory();
process.on('exit', () => {
  batches.remove();
  temporary.remove();
});
const runner = spawn(
  process.execPath,
  [
    '--test',
    `--test-timeout=${values.soak ? TEST_MS_MAX.soak : TEST_MS_MAX.gate}`,
    // What measures time runs alone; else a third file fills the time that two wait for their processes.
    `--test-concurrency=${values.soak ? 1 : 3}`,
    `--test-reporter=${import.meta.resolve('./test-report.ts')}`,
    ...(values.name === undefined ? [] : [`--test-name-pattern=${values.name}`]),
    ...batches.modules,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: temporary.path,
      ...(values.soak ? { RIALTO_SOAK: '1' } : {}),
      ...(values.seed === undefined ? {} : { RIALTO_SOAK_SEED: values.seed }),
      ...(values.seconds === undefined ? {} : { RIALTO_SOAK_SECONDS: values.seconds }),
      ...(values.times === undefined ? {} : { RIALTO_SOAK_TIMES: values.times }),
    },
  },
);
// The runner ends its tests, and what they started, by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (code) => process.exit(code ?? 1));

function chosenBatches(): readonly Batch[] {
  const files = positionals.filter((name) => !SUITES.has(name)).flatMap(filesOf);
  const alone = (values.soak && positionals.length === 0 ? soakFiles() : files).map((file) => [
    file,
  ]);
  if (values.soak) return alone;
  return [...alone, ...gateBatches(positionals.length === 0 ? undefined : positionals)];
}

/** Files by path or pattern; in soak also by their name alone: `npm run test:soak -- rates`. */
function filesOf(name: string): readonly string[] {
  const named = values.soak ? soakFiles().filter((each) => each.includes(`/${name}.`)) : [];
  if (named.length > 0) return named;
  const files = globSync(name).toSorted();
  // What is not there fails by its name.
  return files.length > 0 ? files : [name];
}
