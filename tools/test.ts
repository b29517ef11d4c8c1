// `npm test [-- SUITE|FILE …]` and `npm run test:soak [-- FILE …]`: the tests on node's own runner, with
// the reporter of `test-report.ts`.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { soakFiles, SUITES } from './test/suites.ts';

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

const all = values.soak ? soakFiles() : [...SUITES.values()].flat();
const chosen = positionals.flatMap((name) => SUITES.get(name) ?? filesOf(name));
const runner = spawn(
  process.execPath,
  [
    '--test',
    `--test-timeout=${values.soak ? TEST_MS_MAX.soak : TEST_MS_MAX.gate}`,
    // What measures time runs alone; else a third file fills the time that two wait for their processes.
    `--test-concurrency=${values.soak ? 1 : 3}`,
    `--test-reporter=${import.meta.resolve('./test-report.ts')}`,
    ...(values.name === undefined ? [] : [`--test-name-pattern=${values.name}`]),
    ...(positionals.length === 0 ? all : chosen),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(values.soak ? { RIALTO_SOAK: '1' } : {}),
      ...(values.seed === undefined ? {} : { RIALTO_SOAK_SEED: values.seed }),
      ...(values.seconds === undefined ? {} : { RIALTO_SOAK_SECONDS: values.seconds }),
      ...(values.times === undefined ? {} : { RIALTO_SOAK_TIMES: values.times }),
    },
  },
);
runner.on('exit', (code) => process.exit(code ?? 1));

/** A file as it is; in soak also by its name alone: `npm run test:soak -- rates`. */
function filesOf(name: string): readonly string[] {
  if (!values.soak || name.includes('/')) return [name];
  const files = soakFiles().filter((each) => each.includes(`/${name}.`));
  return files.length > 0 ? files : [name];
}
