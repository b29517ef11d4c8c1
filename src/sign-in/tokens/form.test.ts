import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readForm, refuseQuery } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';

test('a form is decoded, and what nobody knows in it is ignored', () => {
  assert.deepEqual(readForm('client_id=a%2Bb&scope=read+write&x=1&x=2&__proto__=y&&=&%zz'), {
    client_id: 'a+b',
    scope: 'read write',
  });
  assert.deepEqual(readForm(''), {});
});

test('a parameter without a value is as if it was not given', () => {
  assert.deepEqual(readForm('scope=&token&client_id=a'), { client_id: 'a' });
});

test('a known parameter that is repeated, also without a value, is refused by its name', () => {
  for (const body of ['scope=read&scope=read', 'scope=&scope=read', 'client_id=a&client%5Fid=b']) {
    assert.throws(() => readForm(body), /given several times/);
  }
});

test('a parameter that is too long is refused, without being quoted', () => {
  assert.equal(readForm(`client_id=${'a'.repeat(128)}`).client_id?.length, 128);
  for (const [name, most] of [
    ['client_id', 128],
    ['client_secret', 256],
    ['grant_type', 64],
    ['scope', 256],
    ['token', 256],
    ['token_type_hint', 64],
  ] as const) {
    assert.throws(() => readForm(`${name}=${'a'.repeat(most + 1)}`), {
      code: 'invalid_request',
      message: `${name} is longer than ${most} characters`,
    });
  }
});

test('parameters in the address are refused, because addresses are logged', () => {
  refuseQuery({});
  refuseQuery(Object.assign(Object.create({ token: 'inherited' }), { page: '1' }));
  assert.throws(() => refuseQuery({ client_secret: 'x' }), /client_secret stands in the address/);
  assert.throws(() => refuseQuery({ token: ['x', 'y'] }), OAuthError);
});

test('any body is read or refused with a description that RFC 6749 allows', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (name, value) => {
      const body = new URLSearchParams([
        [name, value],
        ['scope', value],
        [value, name],
      ]).toString();
      try {
        assert.ok(Object.values(readForm(body)).every((each) => typeof each === 'string'));
      } catch (error) {
        assert.ok(error instanceof OAuthError);
        assert.match(error.message, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      }
    }),
  );
});
