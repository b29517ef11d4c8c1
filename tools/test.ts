// `npm test [-- SUITE|FILE …]` and `npm run test:soak [-- FILE …]`: the tests on node's own runner, with
// the reporter of `test-report.ts`.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { SOAK, SUITES } from './test/suites.ts';

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
  },
});

const all = values.soak ? SOAK : [...SUITES.values()].flat();
const chosen = positionals.flatMap((each) => SUITES.get(each) ?? filesOf(each));
const runner = spawn(
  process.execPath,
  [
    '--test',
    `--test-timeout=${values.soak ? TEST_MS_MAX.soak : TEST_MS_MAX.gate}`,
    // What measures time runs alone.
    `--test-concurrency=${values.soak ? 1 : 2}`,
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
    },
  },
);
runner.on('exit', (code) => process.exit(code ?? 1));

/** A file as it is; in soak also by its name alone: `npm run test:soak -- rates`. */
function filesOf(name: string): string[] {
  if (name.includes('/')) return [name];
  const files = SOAK.filter((each) => each.endsWith(`/${name}.test.ts`));
  return values.soak ? [...files, `test/soak/${name}.soak.ts`].slice(0, 1) : [name];
}
