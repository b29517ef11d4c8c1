import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findBlockedCategory, findBlockedDomain } from './block-lists.ts';
import { listedDomain } from './domains.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

const label = fc.constantFrom('a', 'b', 'c', 'www', 'shop');
const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

test('a domain is blocked exactly when it is one of the list or stands below one', () => {
  fc.assert(
    fc.property(domain, fc.array(domain, { maxLength: 4 }), (written, blocked) => {
      const name = listedDomain(written);
      const expected = blocked
        .map(listedDomain)
        .some((listed) => `.${name}`.endsWith(`.${listed}`));
      assert.equal(findBlockedDomain(name, blocked) !== null, expected);
    }),
    { numRuns: 1_000 },
  );
});

const category = fc
  .array(fc.constantFrom('IAB1', 'IAB2', '1'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('-'));

test('a category is blocked exactly when it is one of the list or a child of one', () => {
  fc.assert(
    fc.property(category, fc.array(category, { maxLength: 4 }), (name, blocked) => {
      const expected = blocked.some((listed) => name === listed || name.startsWith(`${listed}-`));
      assert.equal(findBlockedCategory(name, blocked) !== null, expected);
    }),
    { numRuns: 1_000 },
  );
});

test('IAB25 blocks IAB25-3 and not IAB250; the answer names what blocks', () => {
  assert.equal(findBlockedCategory('IAB25-3', ['IAB25']), 'IAB25');
  assert.equal(findBlockedCategory('IAB250', ['IAB25']), null);
  assert.equal(findBlockedCategory('IAB25-3', [' iab25']), 'IAB25');
  assert.equal(findBlockedDomain('shop.acme.example', ['www.ACME.example.']), 'acme.example');
});

test('a domain of a thousand labels costs no more than any other', () => {
  const long = Array.from({ length: 2_000 }, (_, index) => `${'a.'.repeat(1_000)}${index}.example`);
  const cpuMs = cpuTimer();
  for (const name of long) assert.equal(findBlockedDomain(name, ['acme.example']), null);
  assert.equal(
    findBlockedDomain(`${'a.'.repeat(1_000)}acme.example`, ['acme.example']),
    'acme.example',
  );
  // Label by label it was half a second.
  assert.ok(cpuMs() < 100);
});
