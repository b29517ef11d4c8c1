import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccessTokens } from './access-tokens.ts';
import type { Application, IdentityStore, LiveToken, NewToken } from './identity-store.ts';

const ACME: Application = { id: 1, clientId: 'acme', secretHash: 'hash', previousSecretHash: null };
const BOLT: Application = { id: 2, clientId: 'bolt', secretHash: 'hash', previousSecretHash: null };

/** Keeps tokens in memory; a write takes as long as the test says. */
function createTokens(writeMs = 0) {
  const stored = new Map<string, LiveToken & NewToken>();
  const failures: unknown[] = [];
  const state = { nowMs: 1_700_000_000_250, uses: 0, usesFail: false, applicationIsGone: false };
  const store: IdentityStore = {
    findApplication: () => Promise.resolve(null),
    addToken: async ({ id, clientId }, token) => {
      state.nowMs += writeMs;
      if (state.applicationIsGone) return false;
      const caller = {
        userId: 7,
        email: 'a@b.example',
        role: 'operator',
        entityId: null,
        clientId: 'a-client',
        status: 'ACTIVE',
        scope: token.scope,
      } as const;
      stored.set(token.hash, { ...token, caller, applicationId: id, clientId, lastUsedMs: null });
      return true;
    },
    findToken: async (hash, nowMs) => {
      const token = stored.get(hash);
      return token !== undefined && token.expiresMs > nowMs ? token : null;
    },
    noteUse: async (hash, nowMs) => {
      state.uses += 1;
      if (state.usesFail) throw new Error('the disk is full');
      const token = stored.get(hash);
      if (token !== undefined) stored.set(hash, { ...token, lastUsedMs: nowMs });
    },
    removeToken: async (hash, applicationId) => {
      if (stored.get(hash)?.applicationId === applicationId) stored.delete(hash);
    },
  };
  const onUnnoted = (error: unknown): unknown => failures.push(error);
  const tokens = createAccessTokens({ store, now: () => state.nowMs, onUnnoted });
  const issue = async (application = ACME): Promise<string> => {
    const issued = await tokens.issue(application, ['read']);
    assert.ok(issued !== null);
    return issued.accessToken;
  };
  return { tokens, issue, stored, state, failures };
}

test('a token is good for an hour to the millisecond', async () => {
  const { tokens, issue, state } = createTokens();
  const accessToken = await issue();
  state.nowMs += 3_599_999;
  assert.equal((await tokens.findCaller(accessToken))?.userId, 7);
  state.nowMs += 1;
  assert.equal(await tokens.findCaller(accessToken), null);
  assert.equal(await tokens.introspect(accessToken, ACME), null);
});

test('what is left of its life is told as of the answer, also when the store was slow', async () => {
  for (const [writeMs, seconds] of [
    [0, 3_600],
    [400, 3_600],
    [600, 3_599],
    [15_000, 3_585],
  ] as const) {
    const issued = await createTokens(writeMs).tokens.issue(ACME, ['read']);
    assert.equal(issued?.expiresInSeconds, seconds, `after ${writeMs} ms`);
  }
});

test('each request gets a token of its own, of which the store gets hash and prefix', async () => {
  const { issue, stored } = createTokens();
  const issued = [await issue(), await issue()];
  assert.notEqual(issued[0], issued[1]);
  assert.equal(stored.size, 2);
  for (const accessToken of issued) {
    assert.ok(!JSON.stringify([...stored.values()]).includes(accessToken.slice(-30)));
  }
});

test('no token is made for an application that is gone by then', async () => {
  const { tokens, state } = createTokens();
  state.applicationIsGone = true;
  assert.equal(await tokens.issue(ACME, ['read']), null);
});

test('a use is noted once a minute', async () => {
  const { tokens, issue, state } = createTokens();
  const accessToken = await issue();
  for (let second = 0; second < 180; second += 1) {
    await tokens.findCaller(accessToken);
    state.nowMs += 1_000;
  }
  assert.equal(state.uses, 3);
  await tokens.introspect(accessToken, ACME);
  assert.equal(state.uses, 3, 'to ask about a token is not to use it');
});

test('a use that cannot be noted keeps nobody out', async () => {
  const { tokens, issue, state, failures } = createTokens();
  const accessToken = await issue();
  state.usesFail = true;
  assert.equal((await tokens.findCaller(accessToken))?.userId, 7);
  assert.equal(failures.length, 1);
});

test('an application sees and revokes its own tokens alone', async () => {
  const { tokens, issue } = createTokens();
  const accessToken = await issue();
  assert.equal(await tokens.introspect(accessToken, BOLT), null);
  assert.equal((await tokens.introspect(accessToken, ACME))?.clientId, 'acme');
  await tokens.revoke(accessToken, BOLT);
  assert.equal((await tokens.findCaller(accessToken))?.userId, 7);
  await tokens.revoke(accessToken, ACME);
  await tokens.revoke(accessToken, ACME);
  assert.equal(await tokens.findCaller(accessToken), null);
});

test('texts that are no tokens open nothing', async () => {
  const { tokens, issue } = createTokens();
  const accessToken = await issue();
  for (const text of ['', 'x', accessToken.toUpperCase(), `${accessToken} `, '__proto__']) {
    assert.equal(await tokens.findCaller(text), null);
    assert.equal(await tokens.introspect(text, ACME), null);
    await tokens.revoke(text, ACME);
  }
  assert.equal((await tokens.findCaller(accessToken))?.userId, 7);
});
