import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTotpSecret, totpStepOf, totpUri } from './totp.ts';

/** "12345678901234567890" in base32, of RFC 6238, appendix B; its codes are cut to six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes are those of RFC 6238, one step before and after too', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30);
    for (const [away, found] of [
      [0, step],
      [-30, step],
      [30, step],
      [-90, null],
      [90, null],
    ] as const) {
      assert.equal(totpStepOf(code, SECRET, (seconds + away) * 1_000), found, `${code} ${away}`);
    }
  }
  for (const code of ['', '28708', '2870820', '287083', 'abcdef', '２８７０８２']) {
    assert.equal(totpStepOf(code, SECRET, 59_000), null, code);
  }
});

test('a secret has 160 random bits and goes into an address that apps read', () => {
  const secret = createTotpSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.notEqual(secret, createTotpSecret());
  const url = new URL(totpUri(secret, { issuer: 'My: Exchange', label: 'a b@example.com' }));
  assert.deepEqual([url.protocol, url.host], ['otpauth:', 'totp']);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'My: Exchange',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
