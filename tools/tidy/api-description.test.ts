import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { API_DESCRIPTION, apiDescription } from './api-description.ts';

const TEXT = readFileSync(new URL(`../../${API_DESCRIPTION}`, import.meta.url), 'utf8');

function faultsOf(text: string) {
  return apiDescription([{ path: API_DESCRIPTION, text }]);
}

test('the description of the API has no fault', async () => {
  assert.deepEqual(await faultsOf(TEXT), []);
});

test('a reference that leads nowhere and a type that there is not are found', async () => {
  const nowhere = TEXT.replace('"#/components/schemas/', '"#/components/schemata/');
  const [broken] = await faultsOf(nowhere);
  assert.match(broken?.message ?? '', /no-unresolved-refs/);
  const wrong = TEXT.replace('"type": "array"', '"type": "list"');
  assert.notEqual(wrong, TEXT);
  assert.ok((await faultsOf(wrong)).length > 0);
});
