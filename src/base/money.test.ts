import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { microsFromPrice } from './money.ts';

test('a price is cut after six decimals and never rounded up', () => {
  const cases: readonly (readonly [number, number])[] = [
    [0.0499999, 49_999],
    [0.04999999, 49_999],
    [2.5000006, 2_500_000],
    [2.5000019, 2_500_001],
    [0.000001, 1],
    [0.0000009, 0],
    [1.5e-6, 1],
    [1e-7, 0],
    [5e-324, 0],
    [9_999.9999999, 9_999_999_999],
    [10_000, 10_000_000_000],
  ];
  for (const [price, micros] of cases) assert.equal(microsFromPrice(price), micros, `${price}`);
});

test('a price keeps its value where a product of it would fall short', () => {
  // 1.001 × 10⁶ is 1,000,999.9999999999.
  for (const [price, micros] of [
    [1.001, 1_001_000],
    [0.000_029, 29],
    [8.2, 8_200_000],
    [1_234.567_891, 1_234_567_891],
  ] as const) {
    assert.equal(microsFromPrice(price), micros, `${price}`);
  }
});

test('every price of at most six decimals is worth exactly that', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (micros) => {
      const digits = String(micros).padStart(7, '0');
      const written = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
      assert.equal(microsFromPrice(Number(written)), micros, written);
    }),
    { numRuns: 20_000 },
  );
});

test('no price comes to more than it says, nor to a micro less', () => {
  const price = fc.double({ min: 0, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(price, (dollars) => {
      const micros = BigInt(microsFromPrice(dollars));
      const [decimal = '', exponent = '0'] = String(dollars).split('e');
      const [whole = '', fraction = ''] = decimal.split('.');
      // Both sides as whole numbers: dollars = digits × 10^scale.
      const scale = Number(exponent) - fraction.length + 6;
      const digits = BigInt(whole + fraction);
      const [told, unit] =
        scale >= 0 ? [digits * 10n ** BigInt(scale), 1n] : [digits, 10n ** BigInt(-scale)];
      assert.ok(micros * unit <= told && told < (micros + 1n) * unit, String(dollars));
    }),
    { numRuns: 20_000 },
  );
});
