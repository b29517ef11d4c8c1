import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCredentials } from './credentials.ts';
import { OAuthError } from './oauth-error.ts';

/** As RFC 6749 section 2.3.1 asks of clients. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) =>
    new URLSearchParams([['', text]]).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

test('credentials come in the form or by HTTP Basic, in any case of its name', () => {
  const expected = { clientId: 'acme', clientSecret: 's' };
  assert.deepEqual(readCredentials(undefined, { client_id: 'acme', client_secret: 's' }), expected);
  assert.deepEqual(readCredentials('Basic YWNtZTpz', {}), expected);
  assert.deepEqual(readCredentials('bASIC YWNtZTpz', {}), expected);
  assert.deepEqual(readCredentials('Basic YWNtZTpz', { client_id: 'acme' }), expected);
});

test('whatever id and secret are made of comes through Basic unchanged', () => {
  const text = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme-composite' });
  const wellFormed = text.filter((each) => each.length <= 100);
  fc.assert(
    fc.property(wellFormed, wellFormed, (clientId, clientSecret) => {
      const read = readCredentials(basic(clientId, clientSecret), {});
      assert.deepEqual(read, { clientId, clientSecret });
    }),
  );
});

test('two ways at once are one too many', () => {
  for (const form of [
    { client_id: 'acme', client_secret: 's' },
    { client_secret: 's' },
    { client_id: 'bolt' },
  ]) {
    assert.throws(() => readCredentials('Basic YWNtZTpz', form), { code: 'invalid_request' });
  }
});

test('what is missing or could not be credentials is an unknown client, with a challenge for Basic', () => {
  for (const form of [{}, { client_id: 'acme' }, { client_secret: 's' }]) {
    assert.throws(() => readCredentials(undefined, form), {
      code: 'invalid_client',
      status: 401,
      headers: {},
    });
  }
  for (const authorization of [
    '',
    'Basic',
    'Basic ',
    'Basic  YWNtZTpz',
    'Basic YWNtZTpz x',
    'Basic !!!!',
    'Bearer YWNtZTpz',
    `Basic ${btoa('acme')}`,
    `Basic ${btoa(':s')}`,
    `Basic ${btoa('acme:%zz')}`,
    `Basic ${btoa('acme:%ff')}`,
  ]) {
    assert.throws(
      () => readCredentials(authorization, {}),
      (error) => {
        assert.ok(error instanceof OAuthError, authorization);
        assert.deepEqual([error.code, error.status], ['invalid_client', 401]);
        assert.match(error.headers['www-authenticate'] ?? '', /^Basic realm="rialto"/);
        return true;
      },
    );
  }
});

test('credentials in a header may be no longer than in a form', () => {
  assert.throws(() => readCredentials(basic('a'.repeat(129), 's'), {}), {
    code: 'invalid_request',
  });
  assert.throws(() => readCredentials(basic('a', 's'.repeat(257)), {}), {
    code: 'invalid_request',
  });
});
