import assert from 'node:assert/strict';
import { test } from 'node:test';
import { links } from './links.ts';

const TREE = [
  { path: 'LICENSE', text: '' },
  {
    path: 'docs/guide.md',
    text: [
      '# The guide',
      '## `rialto start`: two & more',
      '## Again',
      '## Again',
      '## With a [link](../LICENSE) ##',
      '<a id="by-hand"></a>',
      '```sh',
      '# not a heading',
      '```',
    ].join('\n'),
  },
  { path: 'docs/image (1).png', text: '' },
];

/** The faults of a README with this text in the tree above. */
function faultsOf(text: string, path = 'README.md'): string[] {
  return links([...TREE, { path, text }]).map(
    (violation) => `${violation.path}:${String(violation.line)}: ${violation.message}`,
  );
}

const BROKEN: readonly [text: string, fault: string][] = [
  ['[a](docs/none.md)', 'README.md:1: broken link: there is no docs/none.md'],
  ['\n\n[a](docs/guide.md#none)', 'README.md:3: broken link: docs/guide.md has no heading "#none"'],
  ['[a](#none)', 'README.md:1: broken link: README.md has no heading "#none"'],
  [
    '[a](docs/guide.md#not-a-heading)',
    'README.md:1: broken link: docs/guide.md has no heading "#not-a-heading"',
  ],
  [
    '[a](docs/guide.md#again-2)',
    'README.md:1: broken link: docs/guide.md has no heading "#again-2"',
  ],
  ['![a](none.png "title")', 'README.md:1: broken link: there is no none.png'],
  ['[![a](none.png)](LICENSE)', 'README.md:1: broken link: there is no none.png'],
  ['[`code` and more](none.md)', 'README.md:1: broken link: there is no none.md'],
  ['[a][b]\n\n[b]: none.md', 'README.md:3: broken link: there is no none.md'],
  ['<img src="none.svg">', 'README.md:1: broken link: there is no none.svg'],
  ['[a](../outside.md)', 'README.md:1: broken link: there is no ../outside.md'],
  ['[a](docs/Guide.md)', 'README.md:1: broken link: there is no docs/Guide.md'],
];

for (const [text, fault] of BROKEN) {
  test(`a broken link is found: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(faultsOf(text), [fault]);
  });
}

test('links that lead somewhere pass', () => {
  const text = `# Here
[file](LICENSE) [folder](docs) [folder](docs/) [root](/docs/guide.md) [self](#here) [top](#)
[heading](docs/guide.md#the-guide) [code](./docs/guide.md#rialto-start-two--more)
[twice](docs/guide.md#again-1) [linked](docs/guide.md#with-a-link) [id](docs/guide.md#by-hand)
![spaced](<docs/image%20(1).png>) [definition][one] [away](https://example.com/none#x)
[mail](mailto:a@example.com) \`[code](none.md)\`

[one]: docs/guide.md#again 'title'

\`\`\`md
[example](none.md)
\`\`\`
`;
  assert.deepEqual(faultsOf(text), []);
  assert.deepEqual(faultsOf('[up](../LICENSE) [near](guide.md#again)', 'docs/other.md'), []);
});
