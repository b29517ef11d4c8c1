import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram, runCli } from './program.ts';

const NO_SECRET_OPTION =
  'A secret is no option, which every user of the machine could see: set RIALTO_CLIENT_SECRET, ' +
  'send it as the first line of the input, or type it when you are asked.';

const REFUSED: readonly (readonly [line: string, message: string])[] = [
  ['creatives blok --crid x', "Unknown option '--crid'; see rialto creatives --help."],
  ['creatives blok', "Unknown command 'blok'. (Did you mean block?)"],
  ['bidders strat 5', "Unknown command 'strat'. (Did you mean start?)"],
  ['bidders list 5', "Unknown command '5'; see rialto bidders --help."],
  ['bidders list stop', "Too many arguments for 'list'; see rialto bidders list --help."],
  ['bidders pause', "Unknown command 'pause'; see rialto bidders --help."],
  [
    'creatives block',
    'Give --crid with --partner, or --domain; see rialto creatives block --help.',
  ],
  [
    'creatives unblock --crid x',
    'Give --crid with --partner, or --domain; see rialto creatives unblock --help.',
  ],
  ['--zzz', "Unknown option '--zzz'; see rialto --help."],
  ['report', "Missing required argument 'SIDE'; see rialto report --help."],
  ['login --client-secret x', NO_SECRET_OPTION],
  ['login --client-secret=x', NO_SECRET_OPTION],
];

for (const [line, message] of REFUSED) {
  test(`rialto ${line} is not understood, and says why`, async (t) => {
    const errors = mock.method(console, 'error', () => {});
    t.after(() => errors.mock.restore());
    assert.equal(await runCli(line.split(' ')), 2);
    assert.deepEqual(
      errors.mock.calls.map((call) => call.arguments),
      [[message]],
    );
  });
}

/** What runs until it is stopped, a file for `apply`, the answer of a server as it is, and JSON lines. */
const WITHOUT_JSON = ['start', 'demo', 'export', 'api', 'log'];

test('every command that prints something prints it as JSON as well', () => {
  const program = buildProgram({ environment: {}, setExitCode: () => {} });
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const without = leaves(program).filter(
    ({ options }) => !options.some(({ long }) => long === '--json'),
  );
  assert.deepEqual(
    without.map((command) => command.name()),
    WITHOUT_JSON,
  );
});

test('no command takes a secret as an option', () => {
  const program = buildProgram({ environment: {}, setExitCode: () => {} });
  const all = [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)];
  for (const { options } of all) {
    for (const { long, required } of options) {
      if (required) assert.doesNotMatch(long ?? '', /secret|token|password/);
    }
  }
});
