import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPageAddress } from './addresses.ts';

test('what belongs to no other part of control may be a page of the console', () => {
  for (const path of [
    '/',
    '/sign-in',
    '/v2/auth/applications',
    '/v2/auth/applications/',
    '/demand-partners/1001/line-items/501',
    '/publishers/',
    '/operator/status',
    '/reports',
    '/apiary',
    '/v2/auth/tokens',
  ]) {
    assert.equal(isPageAddress(path), true, path);
  }
});

test('other parts of control keep their addresses, in every spelling', () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/users/',
    '/API/users/',
    '//api/users/',
    '/%61pi/users/',
    '/x/../api/users/',
    '/x/%2e%2e/api/users/',
    '/x%2f..%2fapi/users/',
    '\\api\\users',
    '/reporting/brand/demand',
    '/v2/auth/token/x',
    '/v2/auth/link/',
    '/v2/auth/session',
    '/livez/x',
    '/reference/x',
    '/assets/x.js',
    '/openapi.json',
    '/%zz',
  ]) {
    assert.equal(isPageAddress(path), false, path);
  }
});
