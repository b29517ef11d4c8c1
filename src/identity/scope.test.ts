import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScope, showScope } from './scope.ts';

test('a scope that nobody asks for is read; write is had by asking, and brings read', () => {
  assert.deepEqual(parseScope(undefined), ['read']);
  assert.deepEqual(parseScope('read'), ['read']);
  for (const text of ['write', 'read write', 'write read', 'write write']) {
    assert.deepEqual(parseScope(text), ['read', 'write'], text);
  }
  assert.equal(showScope(['read', 'write']), 'read write');
});

test('what is none of the words, or not written as RFC 6749 says, is no scope', () => {
  for (const text of [
    '',
    ' ',
    'Read',
    'admin',
    'read admin',
    'read  write',
    ' read',
    'read,write',
  ]) {
    assert.equal(parseScope(text), null, text);
  }
});
