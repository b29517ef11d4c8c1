import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parity } from './parity.ts';

const DOCUMENTS = [{ path: 'docs/a.md', render: (): string => '# A\n\none\ntwo\n' }];

test('a document that differs from what the code says is refused at the line where it does', async () => {
  for (const [text, line] of [
    ['# A\n\none\nthree\n', 4],
    ['# A\n\none\n', 4],
    ['# A\n\none\ntwo\n\n', 6],
  ] as const) {
    const [fault] = await parity([{ path: 'docs/a.md', text }], DOCUMENTS);
    assert.equal(fault?.line, line);
    assert.match(fault.message, /is not what the code says: run "npm run gen"/);
  }
});

test('a document that is missing is refused', async () => {
  const [fault] = await parity([], DOCUMENTS);
  assert.match(fault?.message ?? '', /is missing/);
});

test('a document that says what the code says passes', async () => {
  assert.deepEqual(await parity([{ path: 'docs/a.md', text: '# A\n\none\ntwo\n' }], DOCUMENTS), []);
});
