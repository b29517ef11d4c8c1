import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import type { Caller } from '../identity/caller.ts';
import { apiOf, openManagement } from '../../test/support/management.ts';
import { requireCaller } from './authenticate.ts';
import { serve } from './serve.ts';
import { limitRequests, READS_PER_MINUTE, WRITES_PER_MINUTE } from './request-rate.ts';

const CALLER: Caller = {
  userId: 1,
  email: 'a@b.example',
  role: 'operator',
  entityId: null,
  clientId: null,
  status: 'ACTIVE',
  scope: ['read', 'write'],
};

async function apiWith(now: () => number) {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof RialtoError);
    return reply.code(error.status).send({ code: error.code });
  });
  requireCaller(app, async ({ headers }) => ({ ...CALLER, userId: Number(headers['x-user']) }));
  limitRequests(app, {}, now);
  serve(app, { method: 'GET', path: '/things' }, async () => ({}));
  serve(app, { method: 'POST', path: '/things' }, async () => ({}));
  serve(app, { method: 'POST', path: '/asks', scope: 'read' }, async () => ({}));
  return (method: 'GET' | 'POST', url: string, user = 1) =>
    app.inject({ method, url, headers: { 'x-user': String(user) } });
}

test('a user makes six hundred writes a minute, and is told what is left and when to come back', async () => {
  let nowMs = 1_700_000_000_000;
  const ask = await apiWith(() => nowMs);
  const first = await ask('POST', '/things');
  assert.equal(first.headers['ratelimit-policy'], '"writes";q=600;w=60');
  assert.equal(first.headers['ratelimit'], '"writes";r=599;t=1');
  for (let each = 1; each < WRITES_PER_MINUTE; each += 1) {
    assert.equal((await ask('POST', '/things')).statusCode, 200);
  }
  const refused = await ask('POST', '/things');
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.json().code, 'too_many_writes');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.headers['ratelimit'], '"writes";r=0;t=1');
  // Reading, asking by POST, and others go on.
  for (const answer of [
    await ask('GET', '/things'),
    await ask('POST', '/asks'),
    await ask('POST', '/things', 2),
  ]) {
    assert.equal(answer.statusCode, 200);
  }
  nowMs += 1_000;
  for (let each = 0; each < 10; each += 1) {
    assert.equal((await ask('POST', '/things')).statusCode, 200, 'ten have come back in a second');
  }
  assert.equal((await ask('POST', '/things')).statusCode, 429);
});

test('reads have an allowance of their own, to which questions by POST belong', async () => {
  let nowMs = 1_700_000_000_000;
  const ask = await apiWith(() => nowMs);
  const first = await ask('GET', '/things');
  assert.equal(first.headers['ratelimit-policy'], '"reads";q=6000;w=60');
  assert.equal(first.headers['ratelimit'], '"reads";r=5999;t=1');
  assert.equal((await ask('POST', '/asks')).headers['ratelimit'], '"reads";r=5998;t=1');
  for (let each = 2; each < READS_PER_MINUTE; each += 1) await ask('GET', '/things');
  const refused = await ask('GET', '/things');
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.json().code, 'too_many_reads');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await ask('POST', '/asks')).statusCode, 429);
  assert.equal((await ask('POST', '/things')).statusCode, 200, 'writes go on');
  assert.equal((await ask('GET', '/things', 2)).statusCode, 200, 'and others');
  nowMs += 10;
  assert.equal((await ask('GET', '/things')).statusCode, 200, 'a hundred come back in a second');
});

test('the management API counts the writes of each user, and changes nothing beyond them', async (t) => {
  // No time passes, so that none come back.
  t.mock.method(performance, 'now', () => 1_000);
  const server = await openManagement(t, undefined, { writesPerMinute: 2 });
  const operator = await apiOf(server, 'operator@example.com');
  const path = '/demand-partners/1001/';
  assert.equal((await operator('PATCH', path, { name: 'First' })).status, 200);
  assert.equal((await operator('PATCH', path, { zz: 1 })).status, 400, 'counts as well');
  const refused = await operator('PATCH', path, { name: 'Second' });
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_writes']);
  assert.equal(refused.headers['ratelimit-policy'], '"writes";q=2;w=60');
  assert.equal(refused.headers['retry-after'], '30');
  const seen = await operator('GET', path);
  assert.deepEqual([seen.status, seen.body.name], [200, 'First']);
  const elsewhere = await apiOf(server, 'operator@example.com');
  assert.equal((await elsewhere('PATCH', path, {})).status, 429, 'another token of the same user');
});
