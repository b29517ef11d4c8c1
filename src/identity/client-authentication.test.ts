import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientAuthentication } from './client-authentication.ts';
import type { Application } from './identity-store.ts';
import { cpuMsOf } from '../../test/support/cpu.ts';
import { hashSecret, hashSecretLike, verifyAnySecret } from './passwords.ts';
import { SecretVerifier, type SecretVerifierParts } from './secret-verifier.ts';

const ACME: Application = {
  id: 1,
  clientId: 'acme',
  secretHash: 'hash of right',
  previousSecretHash: null,
};
const HOME = '198.51.100.1';
const ELSEWHERE = '192.0.2.1';

/** A verifier, and the clock that it shares with its user. */
function verifying(verify: SecretVerifierParts['verify'], now: () => number) {
  return { verifier: new SecretVerifier({ verify, now }), now };
}

/** Verifies by comparing, and counts how often; the clock stands until the test moves it. */
function createClients(applications: readonly Application[] = [ACME]) {
  const counts = { looked: 0, verified: 0, throttled: 0 };
  let stored = applications;
  let nowMs = 0;
  const clients = new ClientAuthentication({
    store: {
      findApplication: async (clientId) => {
        counts.looked += 1;
        return stored.find((each) => each.clientId === clientId) ?? null;
      },
    },
    ...verifying(
      async (secret, hashes) => {
        counts.verified += 1;
        return hashes.includes(`hash of ${secret}`);
      },
      () => nowMs,
    ),
    onThrottled: () => (counts.throttled += 1),
  });
  const outcome = async (clientSecret: string, address = HOME, clientId = 'acme') =>
    (await clients.authenticate({ clientId, clientSecret }, address)).outcome;
  return {
    clients,
    outcome,
    counts,
    store: (next: readonly Application[]) => (stored = next),
    pass: (ms: number) => (nowMs += ms),
  };
}

test('the right secret is accepted, a wrong one and an unknown client are refused alike', async () => {
  const { clients, outcome } = createClients();
  const credentials = { clientId: 'acme', clientSecret: 'right' };
  assert.deepEqual(await clients.authenticate(credentials, HOME), {
    outcome: 'accepted',
    found: ACME,
  });
  for (const [secret, clientId] of [
    ['wrong', 'acme'],
    ['', 'acme'],
    ['right', 'nobody'],
    ['right', ''],
  ] as const) {
    assert.equal(await outcome(secret, HOME, clientId), 'refused');
  }
});

test('an unknown client costs as much as a wrong secret', async () => {
  const secretHash = await hashSecret('right');
  const clients = new ClientAuthentication({
    store: {
      findApplication: async (clientId) => (clientId === 'acme' ? { ...ACME, secretHash } : null),
    },
    ...verifying(verifyAnySecret, Date.now),
    onThrottled: () => {},
  });
  const [known, unknown] = [
    await refusalMsOf(clients, 'acme'),
    await refusalMsOf(clients, 'nobody'),
  ];
  assert.ok(unknown > known / 2 && known > unknown / 2, `${known} ms, unknown ${unknown} ms`);
});

/** The least CPU that one of several refusals cost. */
async function refusalMsOf(clients: ClientAuthentication, clientId: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const credentials = { clientId, clientSecret: `wrong ${round}` };
    times.push(await cpuMsOf(() => clients.authenticate(credentials, HOME)));
  }
  return Math.min(...times);
}

test('a secret that was rolled is good beside the new one, and costs nobody more', async () => {
  const rolled = { ...ACME, secretHash: 'hash of new', previousSecretHash: 'hash of right' };
  const { outcome, counts, store } = createClients([rolled]);
  assert.equal(await outcome('right'), 'accepted');
  assert.equal(await outcome('new'), 'accepted');
  assert.equal(await outcome('wrong'), 'refused');
  assert.equal(counts.verified, 3);
  store([{ ...rolled, previousSecretHash: null }]);
  assert.equal(await outcome('right'), 'refused');
  assert.equal(await outcome('new'), 'accepted');
});

test('a client whose secret was rolled costs no more to be refused than one that is unknown', async () => {
  const before = await hashSecret('right');
  const secretHash = await hashSecretLike('new', before);
  const rolled = { ...ACME, secretHash, previousSecretHash: before };
  const clients = new ClientAuthentication({
    store: { findApplication: async (clientId) => (clientId === 'acme' ? rolled : null) },
    ...verifying(verifyAnySecret, Date.now),
    onThrottled: () => {},
  });
  const [known, unknown] = [
    await refusalMsOf(clients, 'acme'),
    await refusalMsOf(clients, 'nobody'),
  ];
  assert.ok(known < unknown * 1.6, `${known} ms, unknown ${unknown} ms`);
});

test('a client that has signed in costs no verification, however often it comes', async () => {
  const { outcome, counts } = createClients();
  for (let round = 0; round < 1_000; round += 1) assert.equal(await outcome('right'), 'accepted');
  assert.equal(counts.verified, 1);
});

test('a fleet that starts at once is let in with one verification', async () => {
  const { outcome, counts } = createClients();
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcome('right')));
  assert.deepEqual(new Set(outcomes), new Set(['accepted']));
  assert.equal(counts.verified, 1);
});

test('a client that is removed, or whose secret is rolled, is refused from then on', async () => {
  const { outcome, store } = createClients();
  assert.equal(await outcome('right'), 'accepted');
  store([{ ...ACME, secretHash: 'hash of another' }]);
  assert.equal(await outcome('right'), 'refused');
  assert.equal(await outcome('another'), 'accepted');
  store([]);
  assert.equal(await outcome('another'), 'refused');
});

test('after ten wrong secrets an address is kept waiting without a look at secret or store', async () => {
  const { clients, outcome, counts, pass } = createClients();
  for (let round = 0; round < 10; round += 1) {
    assert.equal(await outcome(`wrong ${round}`), 'refused');
  }
  const { looked, verified } = counts;
  const credentials = { clientId: 'acme', clientSecret: 'right' };
  assert.deepEqual(await clients.authenticate(credentials, HOME), {
    outcome: 'throttled',
    waitMs: 10_000,
  });
  assert.deepEqual(counts, { looked, verified, throttled: 1 });
  pass(10_000);
  assert.equal(await outcome('right'), 'accepted');
});

test('a guesser is not told by way of the known secrets that a guess is right', async () => {
  const { outcome } = createClients();
  assert.equal(await outcome('right', HOME), 'accepted');
  for (let round = 0; round < 10; round += 1) await outcome(`wrong ${round}`, ELSEWHERE);
  assert.equal(await outcome('right', ELSEWHERE), 'throttled');
  assert.equal(await outcome('right', HOME), 'accepted');
});

test('a thousand wrong secrets at the same time count like one after the other', async () => {
  const { outcome, counts } = createClients();
  const outcomes = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => outcome(`wrong ${index}`)),
  );
  assert.equal(counts.verified, 10);
  assert.equal(outcomes.filter((each) => each === 'refused').length, 10);
  assert.equal(outcomes.filter((each) => each === 'throttled').length, 990);
});

test('wrong secrets from ever new addresses do not lock out whoever has signed in', async () => {
  const { outcome } = createClients();
  assert.equal(await outcome('right'), 'accepted');
  for (let address = 0; address < 200; address += 1) {
    await outcome(`wrong ${address}`, `203.0.113.${address}`);
  }
  assert.equal(await outcome('right'), 'accepted');
});

test('what the process was too busy for, and what failed, counts as no wrong secret', async () => {
  let fails = true;
  const clients = new ClientAuthentication({
    store: { findApplication: async () => ACME },
    ...verifying(
      async () => {
        if (fails) throw new Error('the stored hash is none');
        return true;
      },
      () => 0,
    ),
    onThrottled: () => {},
  });
  for (let round = 0; round < 50; round += 1) {
    const credentials = { clientId: 'acme', clientSecret: `secret ${round}` };
    await assert.rejects(clients.authenticate(credentials, HOME), /is none/);
  }
  fails = false;
  const credentials = { clientId: 'acme', clientSecret: 'right' };
  assert.equal((await clients.authenticate(credentials, HOME)).outcome, 'accepted');
});

test('an application gets a hundred tokens at once and then one a second', () => {
  const { clients, pass } = createClients();
  for (let round = 0; round < 100; round += 1) assert.equal(clients.takeIssue(ACME), 0);
  assert.equal(clients.takeIssue(ACME), 1_000);
  assert.equal(clients.takeIssue({ ...ACME, id: 2, clientId: 'bolt' }), 0);
  pass(1_000);
  assert.equal(clients.takeIssue(ACME), 0);
  assert.equal(clients.takeIssue(ACME), 1_000);
});
