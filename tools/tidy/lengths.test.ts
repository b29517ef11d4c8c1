import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengths, LINES_MAX } from './lengths.ts';

const LONGEST = 'a();\n'.repeat(LINES_MAX);

test('a module of one line too many is refused, one at the limit passes', () => {
  const faults = lengths([
    { path: 'src/base/long.ts', text: `${LONGEST}b();\n` },
    { path: 'src/base/limit.ts', text: LONGEST },
    { path: 'docs/long.md', text: `${LONGEST}b\n` },
  ]);
  assert.deepEqual(faults, [
    {
      path: 'src/base/long.ts',
      line: 501,
      message: '501 lines, at most 500: split it by concept',
    },
  ]);
});

test('a generated file may be long, and its exemption may not outlive the need', () => {
  const path = 'src/base/generated.ts';
  assert.deepEqual(lengths([{ path, text: `${LONGEST}b();\n` }], [path]), []);
  assert.match(lengths([{ path, text: 'a();\n' }], [path])[0]?.message ?? '', /no exemption/);
  assert.match(lengths([], [path])[0]?.message ?? '', /no exemption/);
});
