import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incomingRequest } from './fixtures.ts';
import { validateIncomingRequest } from './validate-incoming.ts';

function pointersOf(changes: Record<string, unknown>): string[] {
  const checked = validateIncomingRequest(incomingRequest(changes));
  return checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
}

test('a privacy signal that cannot be read is told, in the place of 2.5 and in that of 2.6', () => {
  for (const [signal, wrong] of [
    ['gdpr', [2, -1, 0.5, 'yes', '', [], {}]],
    ['us_privacy', [1, true, {}, ['1YNN'], '1YY', '1YYX9', '1YYNN', '2YYN', 'YYYY', ' ', '1YNN\n']],
    ['gpp', [1, {}, ['DBAA']]],
    ['gpp_sid', [7, '7', ['7'], [7.5], {}]],
  ] as const) {
    for (const value of wrong) {
      assert.deepEqual(pointersOf({ regs: { [signal]: value } }), [`/regs/${signal}`]);
      const inExt = pointersOf({ regs: { ext: { [signal]: value } } });
      assert.deepEqual(inExt, [`/regs/ext/${signal}`], `${signal} ${JSON.stringify(value)}`);
    }
  }
  for (const value of [1, true, {}, ['CP']]) {
    assert.deepEqual(pointersOf({ user: { consent: value } }), ['/user/consent']);
    assert.deepEqual(pointersOf({ user: { ext: { consent: value } } }), ['/user/ext/consent']);
  }
});

test('an extension that may hold privacy signals and is no object is told', () => {
  for (const ext of ['gdpr=1', 1, true, [], [{ gdpr: 1 }]]) {
    assert.deepEqual(pointersOf({ regs: { ext } }), ['/regs/ext']);
    assert.deepEqual(pointersOf({ user: { ext } }), ['/user/ext']);
  }
});

test('a US privacy string is read in either case', () => {
  for (const us_privacy of ['1YNN', '1yyn', '1---', '1N-y']) {
    assert.deepEqual(pointersOf({ regs: { us_privacy, ext: { us_privacy } } }), []);
  }
});

test('flags as wrappers and tags send them, nulls and empty strings are read', () => {
  for (const gdpr of [0, 1, '0', '1', true, false, null]) {
    assert.deepEqual(pointersOf({ regs: { gdpr, ext: { gdpr } } }), []);
  }
  assert.deepEqual(
    pointersOf({
      regs: { us_privacy: '', ext: { us_privacy: null, gpp: '', gpp_sid: [] }, gpp_sid: [7, -1] },
      user: { ext: { consent: '' }, consent: null },
    }),
    [],
  );
  assert.deepEqual(pointersOf({ regs: { ext: null }, user: { ext: null } }), []);
});
