import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privacyFor } from '../privacy/effects.ts';
import { readSignals } from '../privacy/signals.ts';
import { describePerson, withHardwareVersion } from './describe-person.ts';
import { gatherFacts } from './facts.ts';
import { aCaller, aRequest, NO_ENRICHMENT } from './fixtures.ts';

function split(device: { model?: string; hwv?: string }): readonly (string | undefined)[] {
  const facts = gatherFacts(aRequest({ device }), aCaller(), NO_ENRICHMENT);
  const effects = privacyFor(readSignals({}), null);
  const { model, hwv } = withHardwareVersion(describePerson(facts, effects).device);
  return [model, hwv];
}

test('the hardware version of an Apple device is split out from its model', () => {
  assert.deepEqual(split({ model: 'iPhone14,5' }), ['iPhone', '14,5']);
  assert.deepEqual(split({ model: 'iPhone 5S' }), ['iPhone', '5S']);
  assert.deepEqual(split({ model: 'iPad13,1' }), ['iPad', '13,1']);
  assert.deepEqual(split({ model: 'iPod touch 7' }), ['iPod touch', '7']);
});

test('a model that is whole, another maker, or a version that was sent stays as it came', () => {
  assert.deepEqual(split({ model: 'iPhone' }), ['iPhone', undefined]);
  assert.deepEqual(split({ model: 'Pixel 8' }), ['Pixel 8', undefined]);
  assert.deepEqual(split({ model: 'SM-G991B' }), ['SM-G991B', undefined]);
  assert.deepEqual(split({ model: 'iPhone14,5', hwv: 'A2633' }), ['iPhone14,5', 'A2633']);
  assert.deepEqual(split({}), [undefined, undefined]);
});
