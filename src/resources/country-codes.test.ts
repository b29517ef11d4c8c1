import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { ALPHA_3_COUNTRIES } from '../openrtb/iso-codes.ts';
import { alpha2FromAlpha3, alpha3FromAlpha2 } from './country-codes.ts';

test('codes convert both ways', () => {
  assert.equal(alpha3FromAlpha2('US'), 'USA');
  assert.equal(alpha3FromAlpha2('GB'), 'GBR');
  assert.equal(alpha2FromAlpha3('DEU'), 'DE');
});

test('every country of the table converts there and back', () => {
  assert.ok(codes.length >= 249);
  for (const [alpha2 = '', alpha3] of codes) {
    const converted = alpha3FromAlpha2(alpha2) ?? '';
    assert.match(alpha2, /^[A-Z]{2}$/);
    assert.match(converted, /^[A-Z]{3}$/);
    assert.equal(converted, alpha3);
    assert.equal(alpha2FromAlpha3(converted), alpha2);
  }
});

test('the countries are those that OpenRTB fields may carry', () => {
  assert.deepEqual(new Set(codes.map(([, alpha3]) => alpha3)), ALPHA_3_COUNTRIES);
});

test('what is no code, in capitals, is nothing', () => {
  for (const text of ['', 'us', 'ZZ', 'USA', 'toString', '__proto__']) {
    assert.equal(alpha3FromAlpha2(text), null);
  }
  fc.assert(fc.property(fc.string(), (text) => alpha2FromAlpha3(`${text}0`) === null));
});
