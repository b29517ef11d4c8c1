import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossary } from './glossary.ts';

const TABLE = {
  path: 'docs/reference/glossary.md',
  text: '# Glossary\n\n## Not used\n\n| instead of | say |\n| --- | --- |\n| is sold no more | is no longer sold |\n',
};

test('a phrase that the glossary refuses is found where people read it, whatever its case', () => {
  const text = 'const a = 1;\nconst help = "It Is Sold No More.";\n';
  const found = ['console/src/a.tsx', 'src/edge/a.ts', 'docs/a.md'].flatMap((path) =>
    glossary([TABLE, { path, text }]),
  );
  assert.equal(found.length, 3);
  for (const { line, message } of found) {
    assert.equal(line, 2);
    assert.equal(message, '"is sold no more": say "is no longer sold"');
  }
});

test('the glossary itself, and what nobody reads, may have it', () => {
  assert.deepEqual(glossary([TABLE, { path: 'tools/a.ts', text: 'is sold no more' }]), []);
});
