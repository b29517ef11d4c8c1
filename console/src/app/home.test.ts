import assert from 'node:assert/strict';
import test from 'node:test';
import type { Session } from '../api/types.ts';
import { isOwnPage } from './home.ts';

test('operators have every page', () => {
  const operator = sessionOf('operator', null);
  assert.ok(isOwnPage(operator, '/operator/users'));
  assert.ok(isOwnPage(operator, '/publishers/2001/ad-spaces'));
});

test('others have the pages of their own demand partner or publisher alone', () => {
  const engineer = sessionOf('demand-partner', { type: 'DEMAND_PARTNER', entity_id: 100 });
  assert.ok(isOwnPage(engineer, '/demand-partners/100'));
  assert.ok(isOwnPage(engineer, '/demand-partners/100/line-items/7'));
  assert.ok(!isOwnPage(engineer, '/demand-partners/1001'));
  assert.ok(!isOwnPage(engineer, '/publishers/100'));
  assert.ok(!isOwnPage(engineer, '/operator'));
});

test('the pages of the account are everybody’s, and so are addresses of nothing', () => {
  const publisher = sessionOf('publisher', { type: 'PUBLISHER', entity_id: 2001 });
  assert.ok(isOwnPage(publisher, '/account'));
  assert.ok(isOwnPage(publisher, '/v2/auth/applications/app-1'));
  assert.ok(isOwnPage(publisher, '/operators'));
});

function sessionOf(
  group: Session['user']['groups'][number],
  association: Session['user']['association'],
): Session {
  return {
    csrf_token: 'token',
    expires_at: '2026-11-22T17:41:33.312Z',
    user: { id: 1, email: 'someone@example.com', groups: [group], status: 'ACTIVE', association },
    second_factor: { is_set_up: false, is_required: false },
    addresses: {
      auth_url: 'http://localhost:8080',
      base_url: 'http://localhost:8080/api',
      reporting_url: 'http://localhost:8080/reporting',
      exchange_url: 'http://localhost:8081',
      tracker_url: 'http://localhost:8082',
    },
  };
}
