import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  allowsPreciseLocation,
  allowsPurpose,
  CONSENT_LENGTH_MAX,
  type ConsentString,
  isDisclosed,
  type Purpose,
  readConsentString,
} from './consent-string.ts';
import { consentString, type ConsentChoices } from './consent-string-fixture.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

function read(text: string): ConsentString {
  const consent = readConsentString(text);
  assert.ok(consent !== null, text);
  return consent;
}

function allowed(choices: ConsentChoices, purpose: Purpose, vendorId: number): boolean {
  return allowsPurpose(read(consentString(choices)), purpose, vendorId);
}

/** The vendors up to `vendorIdMax` that may process for a purpose. */
function vendorsFor(consent: ConsentString, purpose: Purpose, vendorIdMax: number): number[] {
  const ids = Array.from({ length: vendorIdMax }, (_, index) => index + 1);
  return ids.filter((id) => allowsPurpose(consent, purpose, id));
}

test("the specification's own example is read as it says, segments behind the core left aside", () => {
  const consent = read(
    'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw',
  );
  assert.deepEqual(vendorsFor(consent, 1, 100), [2, 6, 8]);
  assert.deepEqual(vendorsFor(consent, 2, 100), [2, 6, 8]);
  assert.equal(allowsPreciseLocation(consent), false);
});

test("strings of the IAB's reference encoder are read alike, vendors written as ranges or bits", () => {
  // Purposes 1 and 2 by consent for 3, 10, 11, 12 and 600; 2 and 7 by interest for 5 and 10.
  const ranges = read('CQdWToAQdWToAAfACAENBkFoAMAAAEIAAAYgEsQAwABwAKAAwBLAAFAhAAAA');
  const bits = read('CQdWToAQdWToAAfACAENBkFoAMAAAEIAAAYgAGCBwAKBCAAA');
  assert.deepEqual(vendorsFor(ranges, 1, 1_000), [3, 10, 11, 12, 600]);
  assert.deepEqual(vendorsFor(ranges, 2, 1_000), [3, 5, 10, 11, 12, 600]);
  assert.deepEqual(vendorsFor(bits, 1, 1_000), [3, 10, 11, 12]);
  assert.deepEqual(vendorsFor(bits, 2, 1_000), [3, 5, 10, 11, 12]);
  assert.ok(allowsPreciseLocation(ranges) && allowsPreciseLocation(bits));
});

test('consent is needed for the purpose and for the vendor', () => {
  assert.equal(allowed({ purposes: [1, 2], vendors: [7] }, 2, 7), true);
  assert.equal(allowed({ purposes: [1], vendors: [7] }, 2, 7), false);
  assert.equal(allowed({ purposes: [1, 2], vendors: [8] }, 2, 7), false);
});

test('legitimate interest carries purpose 2 and never purpose 1', () => {
  const choices = { legitimateInterests: [1, 2], vendorLegitimateInterests: [7] };
  assert.equal(allowed(choices, 2, 7), true);
  assert.equal(allowed(choices, 1, 7), false);
  assert.equal(allowed({ legitimateInterests: [2], vendors: [7] }, 2, 7), false);
});

test('consent for the purpose and legitimate interest for the vendor do not add up', () => {
  assert.equal(allowed({ purposes: [2], vendorLegitimateInterests: [7] }, 2, 7), false);
});

test("a publisher's restriction holds for its purpose and its vendors alone", () => {
  const both = {
    purposes: [1, 2],
    vendors: [6, 7],
    legitimateInterests: [2],
    vendorLegitimateInterests: [6, 7],
  };
  const restricted = (type: number, choices: ConsentChoices = both) => ({
    ...choices,
    restrictions: [{ purpose: 2, type, vendors: [[7, 9] as const] }],
  });
  assert.equal(allowed(restricted(0), 2, 7), false);
  assert.equal(allowed(restricted(0), 2, 6), true);
  assert.equal(allowed(restricted(0), 1, 7), true);
  assert.equal(allowed(restricted(1), 2, 7), true);
  assert.equal(allowed(restricted(1, { ...both, purposes: [] }), 2, 7), false);
  assert.equal(allowed(restricted(2), 2, 7), true);
  assert.equal(allowed(restricted(2, { ...both, legitimateInterests: [] }), 2, 7), false);
});

test('of several restrictions the strictest counts, wherever it stands', () => {
  const restrictions = [1, 0, 2].map((type) => ({ purpose: 2, type, vendors: [[7, 7] as const] }));
  assert.equal(allowed({ purposes: [2], vendors: [7], restrictions }, 2, 7), false);
});

test('another version, damaged characters and nothing at all are unreadable', () => {
  const whole = consentString({ purposes: [1, 2], vendors: [7] });
  assert.equal(readConsentString(consentString({ version: 1 })), null);
  assert.equal(readConsentString(consentString({ version: 3 })), null);
  for (const text of ['', '.', 'C', 'no consent', `${whole}=`, `${whole} `, `+${whole}`]) {
    assert.equal(readConsentString(text), null, text);
  }
});

test('a string that is cut off anywhere in its content is unreadable', () => {
  const vendors = [3, 7, 9];
  const restrictions = [{ purpose: 2, type: 0, vendors: [[1, 6] as const, [9, 9] as const] }];
  for (const vendorsAs of ['bits', 'ranges'] as const) {
    const whole = consentString({ purposes: [1, 2], vendors, vendorsAs, restrictions });
    // The last four characters may be padding.
    for (let length = 0; length < whole.length - 4; length += 1) {
      assert.equal(readConsentString(whole.slice(0, length)), null, `${vendorsAs} ${length}`);
    }
  }
});

test('padding that an encoder leaves out is not missed', () => {
  const whole = consentString({ purposes: [1, 2], vendors: [7] });
  // 213 bits, 24 of vendor consents, 17 of legitimate interests, 12 for no restrictions.
  const content = whole.slice(0, Math.ceil((213 + 24 + 17 + 12) / 6));
  assert.notEqual(content.length % 4, 0);
  assert.deepEqual(vendorsFor(read(content), 2, 10), [7]);
});

test('a range that runs backwards is unreadable', () => {
  const restrictions = [{ purpose: 2, type: 0, vendors: [[9, 6] as const] }];
  assert.equal(readConsentString(consentString({ purposes: [2], restrictions })), null);
});

test('a string of every range there is room for costs no more than its length', () => {
  const vendors = Array.from({ length: 2_800 }, () => 60_000);
  const text = consentString({ purposes: [2], vendors, vendorsAs: 'ranges' });
  assert.ok(text.length <= CONSENT_LENGTH_MAX);
  const restrictions = [
    { purpose: 2, type: 1, vendors: Array.from({ length: 1_300 }, () => [1, 65_535] as const) },
  ];
  const covering = consentString({ purposes: [2], vendors: [7], restrictions });
  const cpuMs = cpuTimer();
  for (let run = 0; run < 10; run += 1) {
    assert.equal(allowsPurpose(read(text), 2, 7), false);
    assert.equal(allowsPurpose(read(covering), 2, 7), true);
  }
  // A decoder that unpacks ranges needs seconds for the second string.
  assert.ok(cpuMs() < 500);
});

test('a string longer than the limit is unreadable', () => {
  const text = consentString({ purposes: [2], vendors: [7] });
  assert.ok(readConsentString(text.padEnd(CONSENT_LENGTH_MAX, 'A')) !== null);
  assert.equal(readConsentString(text.padEnd(CONSENT_LENGTH_MAX + 1, 'A')), null);
});

const characters = Array.from('ABCDabcd0189-_.');
const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 300 }).map((text) => `C${text}`),
);

test('for any text: it is read or it is not, and asking it never throws', () => {
  fc.assert(
    fc.property(anyText, fc.nat(70_000), (text, vendorId) => {
      const consent = readConsentString(text);
      if (consent === null) return;
      assert.equal(typeof allowsPurpose(consent, 1, vendorId), 'boolean');
      assert.equal(typeof allowsPurpose(consent, 2, vendorId), 'boolean');
    }),
    { numRuns: 2_000 },
  );
});

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }));
const anyChoices = fc.record({
  purposes: fc.subarray([1, 2, 3]),
  legitimateInterests: fc.subarray([2, 7]),
  specialFeatures: fc.subarray([1, 2]),
  vendors: ids,
  vendorLegitimateInterests: ids,
  vendorsAs: fc.constantFrom('bits' as const, 'ranges' as const),
});

test('for any choices: what was written is what is read', () => {
  fc.assert(
    fc.property(anyChoices, fc.integer({ min: 1, max: 50 }), (choices, vendorId) => {
      const consent = read(consentString(choices));
      const consented = choices.vendors.includes(vendorId);
      const interested =
        choices.legitimateInterests.includes(2) &&
        choices.vendorLegitimateInterests.includes(vendorId);
      assert.equal(allowsPurpose(consent, 1, vendorId), choices.purposes.includes(1) && consented);
      assert.equal(
        allowsPurpose(consent, 2, vendorId),
        (choices.purposes.includes(2) && consented) || interested,
      );
      assert.equal(allowsPreciseLocation(consent), choices.specialFeatures.includes(1));
    }),
  );
});

const SINCE_MARCH = new Date('2026-03-01T00:00:00Z');
const BEFORE_MARCH = new Date('2026-02-28T23:59:59Z');
const AGREED = { purposes: [1, 2], vendors: [10, 755] };

test('since March 2026 a string that does not say which vendors were disclosed is unreadable', () => {
  assert.equal(readConsentString(consentString({ ...AGREED, created: SINCE_MARCH })), null);
  const older = readConsentString(consentString({ ...AGREED, created: BEFORE_MARCH }));
  assert.ok(older !== null && allowsPurpose(older, 2, 755));
  const whole = consentString({ ...AGREED, created: SINCE_MARCH, disclosed: [755] });
  assert.ok(readConsentString(whole) !== null);
  assert.equal(readConsentString(whole.slice(0, whole.indexOf('.') + 4)), null, 'cut off');
});

for (const vendorsAs of ['bits', 'ranges'] as const) {
  test(`a vendor that the user was not told of may do nothing (${vendorsAs})`, () => {
    const text = consentString({ ...AGREED, created: SINCE_MARCH, disclosed: [755], vendorsAs });
    const consent = readConsentString(text);
    assert.ok(consent !== null);
    assert.deepEqual([isDisclosed(consent, 755), isDisclosed(consent, 10)], [true, false]);
    assert.deepEqual(
      [allowsPurpose(consent, 2, 755), allowsPurpose(consent, 2, 10)],
      [true, false],
    );
    assert.equal(allowsPurpose(consent, 1, 10), false);
  });
}

test('disclosed vendors are found among other segments, and in older strings as well', () => {
  const [core, disclosed] = consentString({ ...AGREED, disclosed: [755] }).split('.');
  // A segment of the publisher's own purposes, whose type is 3.
  const consent = readConsentString(`${core}.YAAAAAAAAAAA.${disclosed}`);
  assert.ok(consent !== null);
  assert.deepEqual([allowsPurpose(consent, 2, 755), allowsPurpose(consent, 2, 10)], [true, false]);
});

test('a segment of disclosed vendors that is damaged is no consent in an older string either', () => {
  const [core = '', disclosed = ''] = consentString({ ...AGREED, disclosed: [755] }).split('.');
  assert.ok(readConsentString(`${core}.`) !== null, 'an empty segment says nothing');
  assert.equal(readConsentString(`${core}.${disclosed.slice(0, 3)}`), null);
  assert.equal(readConsentString(`${core}.%%`), null);
  assert.equal(readConsentString(`${core}${'.YAAA'.repeat(8)}.${disclosed}`), null, 'too many');
});
