import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { runCli } from './program.ts';

const REFUSED: readonly (readonly [line: string, message: string])[] = [
  ['creatives blok --crid x', "Unknown option '--crid'; see rialto --help."],
  ['creatives blok', "Unknown command 'blok'. (Did you mean block?)"],
  ['bidders strat 5', "Unknown command 'strat'. (Did you mean start?)"],
  ['bidders list 5', "Unknown command '5'; see rialto --help."],
  ['bidders list stop', "Too many arguments for 'list'; see rialto --help."],
  ['bidders pause', "Unknown command 'pause'; see rialto --help."],
  ['creatives block', 'Give --crid with --partner, or --domain; see rialto --help.'],
  ['creatives unblock --crid x', 'Give --crid with --partner, or --domain; see rialto --help.'],
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
