import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consentString } from './consent-string-fixture.ts';
import { gppString } from './gpp-fixture.ts';
import { readSignals } from './signals.ts';

const CONSENT = consentString({ purposes: [1, 2], vendors: [7] });

test('a request that says nothing has no signals', () => {
  assert.deepEqual(readSignals({}), {
    coppa: null,
    lmt: null,
    dnt: null,
    gdpr: null,
    gdprApplies: false,
    consent: null,
    consentsRead: [],
    usPrivacy: null,
    usOptOut: false,
    sensitiveDataRefused: false,
    isKnownChild: false,
    optedOut: false,
    gpp: null,
    gppSid: null,
  });
});

test('a flag that is set in one place counts over one that is not in the other', () => {
  assert.equal(readSignals({ regs: { gdpr: 0, ext: { gdpr: 1 } } }).gdpr, 1);
  assert.equal(readSignals({ regs: { gdpr: 1, ext: { gdpr: 0 } } }).gdpr, 1);
  assert.equal(readSignals({ regs: { gdpr: 0 } }).gdpr, 0);
});

test('flags may be texts or booleans; anything else is not said', () => {
  for (const value of [1, '1', true])
    assert.equal(readSignals({ regs: { coppa: value } }).coppa, 1);
  for (const value of [0, '0', false])
    assert.equal(readSignals({ regs: { coppa: value } }).coppa, 0);
  for (const value of [2, 'yes', null, {}, []]) {
    assert.equal(readSignals({ regs: { coppa: value } }).coppa, null);
  }
});

test('GDPR applies when it is said, or when a consent string came without a word on it', () => {
  const user = { ext: { consent: CONSENT } };
  assert.equal(readSignals({ regs: { ext: { gdpr: 1 } } }).gdprApplies, true);
  assert.equal(readSignals({ user }).gdprApplies, true);
  assert.equal(readSignals({ user, regs: { ext: { gdpr: 0 } } }).gdprApplies, false);
  assert.equal(readSignals({ user: { ext: { consent: '' } } }).gdprApplies, false);
});

test('a consent string is read only where it decides, and passed on as it came', () => {
  const user = { ext: { consent: CONSENT } };
  assert.equal(readSignals({ user }).consentsRead?.length, 1);
  const elsewhere = readSignals({ user, regs: { ext: { gdpr: 0 } } });
  assert.deepEqual(elsewhere.consentsRead, []);
  assert.equal(elsewhere.consent, CONSENT);
});

test('of two consent strings the one in ext counts, unless it is empty', () => {
  assert.equal(readSignals({ user: { consent: 'Cb', ext: { consent: 'Ca' } } }).consent, 'Ca');
  assert.equal(readSignals({ user: { consent: 'Cb', ext: { consent: '' } } }).consent, 'Cb');
});

test('US opt-out is 1?Y? in either place and in either case', () => {
  const optOut = (usPrivacy: string) => readSignals({ regs: { us_privacy: usPrivacy } }).usOptOut;
  for (const text of ['1YYY', '1YYN', '1NY-', '1-Y-', '1yyn'])
    assert.equal(optOut(text), true, text);
  for (const text of ['1---', '1YNN', '1ynn', '']) assert.equal(optOut(text), false, text);
  const regs = { us_privacy: '1YYN', ext: { us_privacy: '1YNN' } };
  assert.deepEqual(
    [readSignals({ regs }).usOptOut, readSignals({ regs }).usPrivacy],
    [true, '1YYN'],
  );
});

test('a US privacy string that cannot be read is an opt-out, and goes no further', () => {
  for (const unreadable of ['1YY', '1YYX9', '2YYN', 'YYYY', '1YNNN', 1, true, {}, ['1YNN']]) {
    for (const regs of [
      { us_privacy: unreadable },
      { ext: { us_privacy: unreadable } },
      { us_privacy: '1YNN', ext: { us_privacy: unreadable } },
      { us_privacy: unreadable, ext: { us_privacy: '1YNN' } },
    ]) {
      const { usPrivacy, usOptOut } = readSignals({ regs });
      assert.deepEqual([usPrivacy, usOptOut], [null, true], JSON.stringify(regs));
    }
  }
});

test('GPP is taken as it came, and dropped when it is not what it should be', () => {
  const regs = { ext: { gpp: 'DBABMA~CPX', gpp_sid: [2] } };
  assert.deepEqual(readSignals({ regs }).gppSid, [2]);
  assert.equal(readSignals({ regs: { gpp: 'x'.repeat(10_000) } }).gpp, null);
  for (const value of ['2', [], ['2'], [1.5], Array.from({ length: 100 }, () => 7)]) {
    assert.equal(readSignals({ regs: { gpp_sid: value } }).gppSid, null);
  }
});

test('inherited fields are no signals', () => {
  const inherited: object = Object.create({ coppa: 1 });
  assert.equal(readSignals({ regs: inherited }).coppa, null);
});

test('for any request: reading it never throws', () => {
  const anyValue = fc.anything();
  const anyObject = fc.dictionary(
    fc.constantFrom(
      'ext',
      'gdpr',
      'coppa',
      'us_privacy',
      'gpp',
      'gpp_sid',
      'consent',
      'lmt',
      'dnt',
    ),
    fc.oneof(anyValue, fc.dictionary(fc.constantFrom('gdpr', 'consent', 'gpp_sid'), anyValue)),
  );
  fc.assert(
    fc.property(anyObject, anyObject, anyObject, (regs, user, device) => {
      const signals = readSignals({ regs, user, device });
      assert.equal(typeof signals.gdprApplies, 'boolean');
    }),
  );
});

const OPTED_OUT = gppString({ usnat: { SaleOptOut: 1 } });
const SILENT = gppString({ usnat: { SaleOptOut: 2 } });

test('of a GPP string the sections count that apply, or all where that is not said', () => {
  const usOptOut = (gpp: string, gppSid?: readonly number[]) =>
    readSignals({ regs: { gpp, gpp_sid: gppSid } }).usOptOut;
  assert.equal(usOptOut(OPTED_OUT), true);
  assert.equal(usOptOut(OPTED_OUT, [7]), true);
  assert.equal(usOptOut(OPTED_OUT, [-1]), false, 'no section applies');
  assert.equal(usOptOut(OPTED_OUT, [2]), false, 'the section of the EU alone applies');
  assert.equal(usOptOut(SILENT, [7]), false);
  assert.equal(usOptOut(OPTED_OUT, [0]), true, 'not known yet which');
  assert.equal(usOptOut(OPTED_OUT, []), true);
});

test('a list of sections that cannot be read is an opt-out, with a string and without', () => {
  const usOptOut = (regs: object) => readSignals({ regs }).usOptOut;
  const many = Array.from({ length: 65 }, () => 7);
  for (const gpp_sid of ['7', [Number.NaN], [7.5], ['7'], many, 7]) {
    assert.equal(usOptOut({ gpp_sid }), true, JSON.stringify(gpp_sid));
    assert.equal(usOptOut({ gpp: SILENT, gpp_sid }), true, JSON.stringify(gpp_sid));
  }
  for (const gpp_sid of [null, [], [0], [-1]]) assert.equal(usOptOut({ gpp_sid }), false);
});

test('a section that applies and is missing, unreadable or of an unknown law is an opt-out', () => {
  const usOptOut = (regs: object) => readSignals({ regs }).usOptOut;
  assert.equal(usOptOut({ gpp_sid: [7] }), true, 'no string');
  assert.equal(usOptOut({ gpp: SILENT, gpp_sid: [8] }), true, 'another section');
  assert.equal(usOptOut({ gpp: SILENT.slice(0, -8), gpp_sid: [7] }), true, 'cut off');
  assert.equal(usOptOut({ gpp: 'garbage' }), true, 'no sections are known');
  assert.equal(usOptOut({ gpp: SILENT, gpp_sid: [7, 5] }), true, 'Canada is not read');
  assert.equal(usOptOut({ gpp: SILENT, gpp_sid: [60] }), true, 'a law of the future');
  assert.equal(usOptOut({ gpp: 'x'.repeat(9_000) }), true, 'too long');
  assert.equal(usOptOut({ ext: { gpp: SILENT, gpp_sid: [7] } }), false);
});

test('an opt-out in either counts, the US privacy string or a section', () => {
  const usOptOut = (us_privacy: string, gpp: string) =>
    readSignals({ regs: { us_privacy, gpp } }).usOptOut;
  assert.equal(usOptOut('1YNN', OPTED_OUT), true);
  assert.equal(usOptOut('1YYN', SILENT), true);
  assert.equal(usOptOut('1YNN', SILENT), false);
  assert.equal(usOptOut('1YNN', gppString({ uspv1: { Notice: 'Y', OptOutSale: 'Y' } })), true);
});

test("where the section of the EU applies, its consent string decides, beside the user's own", () => {
  const regs = { gpp: `DBABMA~${CONSENT}`, gpp_sid: [2] };
  assert.deepEqual(readSignals({ regs }).consentsRead?.length, 1);
  assert.equal(readSignals({ regs }).gdprApplies, true);
  const other = consentString({ purposes: [1] });
  assert.equal(readSignals({ regs, user: { consent: other } }).consentsRead?.length, 2);
  assert.equal(readSignals({ regs, user: { consent: CONSENT } }).consentsRead?.length, 1);
  assert.equal(readSignals({ regs, user: { consent: 'garbage' } }).consentsRead, null);
  assert.deepEqual(readSignals({ regs: { gpp_sid: [2] } }).consentsRead, [], 'none');
  const damaged = { gpp: `DBABMA~${CONSENT}~x`, gpp_sid: [2] };
  assert.equal(readSignals({ regs: damaged, user: { consent: CONSENT } }).consentsRead, null);
  const without = { gpp: SILENT, gpp_sid: [2, 7] };
  assert.equal(readSignals({ regs: without, user: { consent: CONSENT } }).consentsRead, null);
  const former = readSignals({ regs: { gpp_sid: [1] } });
  assert.deepEqual([former.gdprApplies, former.consentsRead], [true, []], 'TCF 1');
});
