import assert from 'node:assert/strict';
import test from 'node:test';
import { needsOf } from './needs.ts';

const FAILING = {
  demand_partner_id: 1001,
  state: 'failing' as const,
  sentence: 'The bidder of Acme DSP fails.',
  action: 'Send it a test request.',
};

test('nothing needs anybody where all is well', () => {
  const health = [
    { ...FAILING, state: 'healthy' as const },
    { ...FAILING, state: 'idle' as const },
  ];
  assert.deepEqual(needsOf({ attention: [], health, pendingCreatives: 0 }), []);
});

test('a partner that the attention of the system names is not named twice', () => {
  const attention = [
    { code: 'no_nodes', node: null, message: 'm', action: 'a', demand_partner_id: 1001 },
  ] as const;
  const needs = needsOf({ attention, health: [FAILING], pendingCreatives: 0 });
  assert.deepEqual(
    needs.map(({ href }) => href),
    ['/operator/demand-partners/1001'],
  );
});

test('the system comes first, then demand partners, then creatives', () => {
  const attention = [{ code: 'node_silent', node: 'n', message: 'm', action: 'a' }] as const;
  const needs = needsOf({ attention, health: [FAILING], pendingCreatives: 3 });
  assert.deepEqual(
    needs.map(({ key }) => key),
    ['node_silent n ', 'health 1001', 'creatives'],
  );
});
