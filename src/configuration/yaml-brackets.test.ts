import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYaml } from './yaml.ts';
import { withBracketsClosed } from './yaml-brackets.ts';

const FILE = `exchange: {
  name: "x ] y" # ] here
}
publishers:
  - id: 1
    note: |
      first
      ]
    sizes: [
      300x250, # the usual one

      320x50
      # and no more
    ]
    more: [[
        1
      ],
      [
        { a: 1
        }
      ]
    ]
`;

test('brackets may close at the indentation of their key', () => {
  const read = readYaml(FILE);
  assert.ok('value' in read, JSON.stringify(read.problems));
  assert.deepEqual(read.value, {
    exchange: { name: 'x ] y' },
    publishers: [
      { id: 1, note: 'first\n]\n', sizes: ['300x250', '320x50'], more: [[1], [{ a: 1 }]] },
    ],
  });
  assert.deepEqual(read.problems, []);
  const { line, column } = read.place({ path: ['publishers', 0, 'more'], message: '' });
  assert.deepEqual([line, column], [15, 5]);
});

test('nothing moves, and what is made blank means nothing', () => {
  const closed = withBracketsClosed(FILE);
  assert.equal(closed.length, FILE.length);
  const comments = /# \] here|# and no more/g;
  assert.equal(closed.replaceAll(/\s/g, ''), FILE.replaceAll(comments, '').replaceAll(/\s/g, ''));
});
