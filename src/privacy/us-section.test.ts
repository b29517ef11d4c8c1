import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GppModel, Sections } from '@iabgpp/cmpapi';
import { runs } from '../../test/support/effort.ts';
import { gppString, type SectionFields } from './gpp-fixture.ts';
import { readGppString } from './gpp-string.ts';
import { isUsSection, readUsSection, type UsChoices } from './us-section.ts';

/** By id, all sections of the US that the IAB's own library knows. */
const NAMES = new Map([...Sections.SECTION_ID_NAME_MAP].filter(([id]) => id > 6));

test('every section of the US that the IAB has is known, and no other', () => {
  assert.deepEqual(Array.from({ length: 100 }, (_, id) => id).filter(isUsSection), [
    ...NAMES.keys(),
  ]);
});

/** What fields say by their names, read without a layout. */
function saidBy(fields: SectionFields): UsChoices {
  const values = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, Number(each)] as const),
  );
  const says = (pattern: RegExp, no: number) =>
    values.some(([name, value]) => pattern.test(name) && value === no);
  return {
    optedOut:
      says(/^(Sale|Sharing|TargetedAdvertising)OptOut$/, 1) ||
      says(/^(Sharing|Processing|SaleOptOut|SharingOptOut|TargetedAdvertisingOptOut)Notice$/, 2) ||
      says(
        /^(PersonalDataConsents|AdditionalDataProcessingConsent|MspaServiceProviderMode|Gpc)$/,
        1,
      ) ||
      says(/^MspaMode$/, 2),
    sensitiveDataRefused:
      says(/^SensitiveDataProcessing$/, 1) ||
      says(/^SensitiveData(ProcessingOptOut|OptOut|LimitUse)Notice$/, 2),
    isKnownChild: says(/^KnownChild/, 1) || says(/^KnownChild/, 2),
  };
}

/** Random values of a section's fields, mostly silent ones: each alone must be found. */
function someFields(name: string): fc.Arbitrary<SectionFields> {
  const model = new GppModel();
  // A section has its fields once one is set.
  model.setFieldValue(name, 'SaleOptOut', 0);
  const arbitraries = Object.entries<unknown>(model.getSection(name))
    .filter(([field]) =>
      /Notice|OptOut$|Sensitive|Consent|^Gpc$|^Mspa(ServiceProviderM|M)ode$/.test(field),
    )
    .map(([field, value]) => [field, valuesLike(value, field)] as const);
  return fc.record(Object.fromEntries(arbitraries));
}

function valuesLike(value: unknown, field: string): fc.Arbitrary<number | boolean | number[]> {
  const choice = fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 2) },
  );
  if (Array.isArray(value)) {
    return fc.array(choice, { minLength: value.length, maxLength: value.length });
  }
  return field === 'Gpc'
    ? fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.boolean())
    : choice;
}

for (const [id, name] of NAMES) {
  test(`${name}: what is written by the IAB's library is read`, () => {
    fc.assert(
      fc.property(someFields(name), (fields) => {
        const text = readGppString(gppString({ [name]: fields }))?.get(id);
        assert.ok(text !== undefined);
        assert.deepEqual(readUsSection(id, text), saidBy(fields));
      }),
      { numRuns: runs(60) },
    );
  });
}

test('the first version of the national section is shorter', () => {
  const { optedOut, isKnownChild } = readUsSection(7, 'BVVVVVVVVVU') ?? {};
  assert.deepEqual([optedOut, isKnownChild], [true, true]);
  assert.deepEqual(readUsSection(7, 'BAAAAAAAAAA'), {
    optedOut: false,
    sensitiveDataRefused: false,
    isKnownChild: false,
  });
});

test('a section of an unknown id or version, cut off, or with a segment that it does not have is unreadable', () => {
  const whole = readGppString(gppString({ usva: { SaleOptOut: 2 } }))?.get(9) ?? '';
  assert.ok(readUsSection(9, whole) !== null);
  assert.equal(readUsSection(6, whole), null);
  assert.equal(readUsSection(99, whole), null);
  assert.equal(readUsSection(9, whole.slice(0, -2)), null);
  assert.equal(readUsSection(9, `C${whole.slice(1)}`), null);
  assert.equal(readUsSection(9, `${whole}.YA`), null);
  assert.equal(readUsSection(9, ''), null);
  const national = 'BAAAAAAAAAA';
  assert.equal(readUsSection(7, `${national}.QA.QA.YA`)?.optedOut, true);
  assert.equal(readUsSection(7, `${national}.QA.QA.QA.YA`), null, 'more than any section has');
  assert.equal(readUsSection(9, 'B=?'), null);
});
