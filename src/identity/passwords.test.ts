import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../test/support/cpu.ts';
import { hashSecret, hashSecretLike, verifyAnySecret, verifySecret } from './passwords.ts';

test('a secret is hashed with argon2id at the costs that OWASP asks for', async () => {
  const stored = await hashSecret('correct horse');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

/** For what is not about the costs. */
const CHEAP = new Map([
  ['ln', 1],
  ['r', 1],
  ['p', 1],
]);

test('a caller can have other costs, which are then those of the hash', async () => {
  const stored = await hashSecret('correct horse', 'scrypt', CHEAP);
  assert.match(stored, /^\$scrypt\$ln=1,r=1,p=1\$/);
  assert.equal(await verifySecret('correct horse', stored), true);
  for (const wrong of ['correct horsf', '']) assert.equal(await verifySecret(wrong, stored), false);
});

for (const algorithm of ['argon2id', 'scrypt'] as const) {
  test(`${algorithm}: the same secret is accepted, and another one is not`, async () => {
    const stored = await hashSecret('correct horse', algorithm);
    assert.ok(stored.startsWith(`$${algorithm}$`));
    assert.equal(await verifySecret('correct horse', stored), true);
    assert.equal(await verifySecret('correct horsf', stored), false);
  });
}

test('a hash that the reference implementation made is understood', async () => {
  // From the tests of the reference implementation (phc-winner-argon2, test.c).
  const stored =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await verifySecret('password', stored), true);
  assert.equal(await verifySecret('Password', stored), false);
});

test('two hashes of one secret differ, so that nobody sees who shares a password', async () => {
  assert.notEqual(await hashSecret('correct horse'), await hashSecret('correct horse'));
});

test('a letter typed as one character or as two is the same letter', async () => {
  const stored = await hashSecret('caf\u00e9-au-lait');
  assert.equal(await verifySecret('cafe\u0301-au-lait', stored), true);
});

test('no stored secret is answered with no, after as much work as any', async () => {
  const stored = await hashSecret('correct horse');
  const took = async (hash: string | null): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      times.push(
        await cpuMsOf(async () => {
          assert.equal(await verifySecret('wrong horse', hash), false);
        }),
      );
    }
    return Math.min(...times);
  };
  const [without, withHash] = [await took(null), await took(stored)];
  assert.ok(without > withHash / 3, `${without} ms without a hash, ${withHash} ms with one`);
});

test('hashing leaves the event loop free', async () => {
  const before = process.threadCpuUsage();
  const cpuMs = await cpuMsOf(() =>
    Promise.all(Array.from({ length: 8 }, () => hashSecret('correct horse'))),
  );
  const { user, system } = process.threadCpuUsage(before);
  const heldMs = (user + system) / 1_000;
  assert.ok(heldMs < cpuMs / 4, `the event loop's own thread did ${heldMs} of ${cpuMs} ms`);
});

for (const stored of [
  '',
  'correct horse',
  '$argon2id$v=19$m=19456,t=2$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$scrypt$ln=30,r=8,p=1$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
]) {
  test(`a stored secret that is no hash of ours is an error that does not quote it: ${stored.slice(0, 30)}`, async () => {
    await assert.rejects(verifySecret('correct horse', stored), (error: Error) => {
      assert.match(error.message, /is not a hash that this version of Rialto can read/);
      return stored === '' || !error.message.includes(stored);
    });
  });
}

test('a secret is found among several, also where they were hashed in different ways', async () => {
  const [argon2id, scrypt] = [await hashSecret('one'), await hashSecret('two', 'scrypt', CHEAP)];
  const like = await hashSecretLike('three', argon2id);
  for (const secret of ['one', 'two', 'three']) {
    assert.equal(await verifyAnySecret(secret, [argon2id, scrypt, like]), true, secret);
    assert.equal(await verifyAnySecret(secret, [like, argon2id, scrypt]), true, secret);
  }
  assert.equal(await verifyAnySecret('four', [argon2id, scrypt, like]), false);
  assert.equal(await verifyAnySecret('three', [argon2id]), false);
});

test('a secret and the one before it are verified by one derivation', async () => {
  const before = await hashSecret('one');
  const after = await hashSecretLike('two', before);
  assert.notEqual(before, after);
  const took = async (stored: readonly string[]): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      times.push(await cpuMsOf(() => verifyAnySecret(`wrong ${round}`, stored)));
    }
    return Math.min(...times);
  };
  const [one, both] = [await took([after]), await took([after, before])];
  assert.ok(both < one * 1.6, `${one} ms for one, ${both} ms for both`);
});

test('a salt is lent by a hash of the present costs alone', async () => {
  const saltOf = (stored: string): string | undefined => stored.split('$').at(-2);
  const today = await hashSecret('one');
  assert.equal(saltOf(await hashSecretLike('two', today)), saltOf(today));
  const scrypt = await hashSecret('one', 'scrypt', CHEAP);
  const like = await hashSecretLike('two', scrypt);
  assert.ok(like.startsWith('$argon2id$'));
  assert.notEqual(saltOf(like), saltOf(scrypt));
});
