import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SecretVerifier, type SecretClaim } from './secret-verifier.ts';

const CLAIM: SecretClaim = { clientId: 'acme', secret: 'right', storedHashes: ['hash'] };

/** A verifier whose slow hash takes as long as the test says. */
function createVerifier() {
  const calls: { readonly secret: string; readonly end: (right: boolean) => void }[] = [];
  let nowMs = 0;
  let running = 0;
  let runningMax = 0;
  const verifier = new SecretVerifier({
    now: () => nowMs,
    verify: async (secret) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      const right = await new Promise<boolean>((end) => calls.push({ secret, end }));
      running -= 1;
      return right;
    },
  });
  const settle = async (): Promise<void> => {
    for (let index = 0; index < 100; index += 1) {
      for (const { secret, end } of calls) end(secret === 'right');
      await turn();
    }
  };
  return {
    verifier,
    calls,
    settle,
    runningMax: () => runningMax,
    pass: (ms: number) => (nowMs += ms),
  };
}

test('a secret that was right is known again, for a day', async () => {
  const { verifier, calls, settle, pass } = createVerifier();
  const first = verifier.verify(CLAIM);
  await settle();
  assert.equal(await first, 'right');
  pass(86_399_999);
  assert.equal(await verifier.known(CLAIM), 'right');
  assert.equal(await verifier.verify(CLAIM), 'right');
  assert.equal(calls.length, 1);
  pass(1);
  assert.equal(verifier.known(CLAIM), undefined);
});

test('a wrong secret is known to nobody, and neither is a right one of another client or hash', async () => {
  const { verifier, settle } = createVerifier();
  const wrong = verifier.verify({ ...CLAIM, secret: 'wrong' });
  const right = verifier.verify(CLAIM);
  await settle();
  assert.deepEqual([await wrong, await right], ['wrong', 'right']);
  const others = [
    { secret: 'wrong' },
    { clientId: 'bolt' },
    { storedHashes: ['rolled'] },
    { storedHashes: ['rolled', 'hash'] },
    { storedHashes: [] },
    { clientId: 'acme","hash', storedHashes: [] },
  ];
  for (const other of others) assert.equal(verifier.known({ ...CLAIM, ...other }), undefined);
});

test('the same claim is verified once however often it comes at the same time', async () => {
  const { verifier, calls, settle } = createVerifier();
  const verdicts = Array.from({ length: 500 }, () => verifier.verify(CLAIM));
  await settle();
  assert.deepEqual(new Set(await Promise.all(verdicts)), new Set(['right']));
  assert.equal(calls.length, 1);
});

test('two are verified at a time, sixteen wait, and more are told to come again', async () => {
  const { verifier, calls, settle, runningMax } = createVerifier();
  const verdicts = Array.from({ length: 100 }, (_, index) =>
    verifier.verify({ ...CLAIM, secret: `wrong ${index}` }),
  );
  await turn();
  assert.equal(calls.length, 2);
  await settle();
  const outcomes = await Promise.all(verdicts);
  assert.equal(outcomes.filter((each) => each === 'wrong').length, 18);
  assert.equal(outcomes.filter((each) => each === 'busy').length, 82);
  assert.equal(runningMax(), 2);
  const after = verifier.verify(CLAIM);
  await settle();
  assert.equal(await after, 'right', 'places are free again');
});

test('a verification that fails is an error for whoever waits for it, and leaves its place free', async () => {
  const failing = new SecretVerifier({
    now: () => 0,
    verify: () => Promise.reject(new Error('no hash')),
  });
  for (let round = 0; round < 5; round += 1) {
    const both = [failing.verify(CLAIM), failing.verify(CLAIM)];
    for (const verdict of both) await assert.rejects(verdict, /no hash/);
  }
});
