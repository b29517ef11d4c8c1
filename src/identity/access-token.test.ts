import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accessTokenHash,
  accessTokenPrefix,
  createAccessToken,
  isAccessToken,
} from './access-token.ts';

test('a token has 256 random bits in characters that a bearer header allows', () => {
  const tokens = Array.from({ length: 200 }, createAccessToken);
  assert.equal(new Set(tokens).size, 200);
  for (const token of tokens) {
    assert.match(token, /^rialto_[A-Za-z0-9_-]{43}$/);
    assert.equal(Buffer.from(token.slice('rialto_'.length), 'base64url').length, 32);
    assert.ok(isAccessToken(token));
  }
});

test('what is kept of a token is its SHA-256, and too little of it to find the rest', () => {
  const token = createAccessToken();
  assert.match(accessTokenHash(token), /^[0-9a-f]{64}$/);
  // printf %s rialto_x | sha256sum
  assert.equal(
    accessTokenHash('rialto_x'),
    '2176a6187878c99575d54827aa4dfa21900fb07c56341b854940798c48f4c9e2',
  );
  assert.equal(accessTokenPrefix(token), token.slice(0, 13));
});

test('no other text is taken for a token', () => {
  const token = createAccessToken();
  for (const text of [
    '',
    'rialto_',
    token.slice(1),
    `${token}a`,
    `${token}\n`,
    token.slice(0, -1),
  ]) {
    assert.equal(isAccessToken(text), false, JSON.stringify(text));
  }
});
