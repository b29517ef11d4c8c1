import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfigurationFile } from './file.ts';

test('of a thousand problems and more only a thousand are listed, and that there are more', () => {
  for (const text of [
    `demand_partners:\n${'- { id: 1, name: a }\n'.repeat(5_000)}`,
    'k: 1\n'.repeat(5_000),
    `demand_partners: [${'1,'.repeat(5_000)}]`,
    `a: !x y\n${'b: !x y\n'.repeat(5_000)}`,
  ]) {
    const { problems } = readConfigurationFile(text);
    assert.equal(problems.length, 1_001, text.slice(0, 20));
    const more = problems.filter(({ message }) => /more problems/.test(message));
    assert.equal(more.length, 1, text.slice(0, 20));
  }
});
