import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consentString } from './consent-string-fixture.ts';
import { EFFECTS_KEYS, privacyFor } from './effects.ts';
import { readSignals } from './signals.ts';

// What each single signal does is tested by privacy-table.test.ts, a test per cell of the table.

const VENDOR = 755;

/** Every mixture of signals. */
const anyRequest = fc.record({
  regs: fc.record({
    coppa: fc.constantFrom(0, 1),
    ext: fc.record({
      gdpr: fc.constantFrom(0, 1, null),
      us_privacy: fc.constantFrom('1YYN', '1YNN', ''),
    }),
  }),
  device: fc.record({ lmt: fc.constantFrom(0, 1), dnt: fc.constantFrom(0, 1) }),
  user: fc.record({
    ext: fc.record({
      consent: fc.oneof(
        fc.constantFrom('', 'unreadable'),
        fc
          .record({ purposes: fc.subarray([1, 2]), specialFeatures: fc.subarray([1]) })
          .map((choices) => consentString({ ...choices, vendors: [VENDOR] })),
      ),
    }),
  }),
});

test('for any signals: the same are answered with the same frozen object', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const effects = privacyFor(readSignals(request), VENDOR);
      assert.equal(privacyFor(readSignals(request), VENDOR), effects);
      assert.ok(Object.isFrozen(effects));
      assert.ok(Number.isInteger(effects.key) && effects.key >= 0 && effects.key < EFFECTS_KEYS);
    }),
  );
});

test('for any signals: one more never gives anything back', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const before = privacyFor(readSignals(request), VENDOR);
      const { regs, device, user } = request;
      const stricter = [
        { regs: { ...regs, coppa: 1 }, device, user },
        { regs, device: { ...device, lmt: 1 }, user },
        { regs: { ...regs, ext: { ...regs.ext, us_privacy: '1YYN' } }, device, user },
        { regs: { ...regs, ext: { ...regs.ext, gdpr: 1 } }, device, user },
      ];
      for (const after of stricter.map((each) => privacyFor(readSignals(each), VENDOR))) {
        assert.equal(after.key & ~before.key, 0);
        assert.ok(before.callable || !after.callable);
      }
    }),
  );
});

test('for any signals: what is not asked for a reason gets nothing, and the others have none', () => {
  fc.assert(
    fc.property(anyRequest, fc.constantFrom(VENDOR, VENDOR + 1, null), (request, gvlId) => {
      const effects = privacyFor(readSignals(request), gvlId);
      assert.equal(effects.callable, effects.reason === null);
      if (!effects.callable) assert.equal(effects.key, 0);
      if (effects.buyeruid) assert.ok(effects.identifiers);
      if (effects.preciseLocation) assert.ok(effects.coordinates);
    }),
  );
});
