import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import { answerOtherMethods } from '../base/other-methods.ts';
import type { Caller } from '../identity/caller.ts';
import { callerOf, createAuthenticate, requireCaller } from './authenticate.ts';
import { serve } from './serve.ts';

const READER: Caller = {
  userId: 7,
  email: 'a@b.example',
  role: 'publisher',
  entityId: 2001,
  clientId: 'reader',
  status: 'ACTIVE',
  scope: ['read'],
};
const WRITER: Caller = { ...READER, scope: ['read', 'write'] };

/** Routes of every kind below `/api`, and one beside it. */
function createServer(): FastifyInstance {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof RialtoError)) return reply.code(500).send({ code: String(error) });
    return reply.code(error.status).send({ code: error.code });
  });
  const answer = async (request: FastifyRequest) => callerOf(request);
  app.route({ method: 'GET', url: '/beside', handler: answer });
  app.register(
    async (api) => {
      const callers = new Map([
        ['reader', READER],
        ['writer', WRITER],
      ]);
      requireCaller(
        api,
        createAuthenticate(async (token) => callers.get(token) ?? null),
      );
      serve(api, { method: 'GET', path: '/thing' }, answer);
      serve(api, { method: 'POST', path: '/thing' }, answer);
      answerOtherMethods(api, '/thing', ['GET', 'POST'], { config: { scope: 'read' } });
      serve(api, { method: 'POST', path: '/question', scope: 'read' }, answer);
      serve(api, { method: 'GET', path: '/secret', scope: 'write' }, answer);
      api.route({ method: 'PATCH', url: '/plain', handler: answer });
    },
    { prefix: '/api' },
  );
  return app;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

async function ask(method: Method, url: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await createServer().inject({ method, url, headers });
  const { 'www-authenticate': challenge, 'cache-control': cache, allow } = answer.headers;
  const { code }: { code?: string } = method === 'HEAD' ? {} : answer.json();
  return { status: answer.statusCode, code, challenge, cache, allow, text: answer.body };
}

test('a request without a bearer token gets a challenge without an error', async () => {
  for (const authorization of [undefined, '', 'Basic YTpi', 'reader', 'Bearer\treader']) {
    const { status, code, challenge, cache } = await ask('GET', '/api/thing/', authorization);
    assert.deepEqual([status, code], [401, 'missing_token'], String(authorization));
    assert.equal(challenge, 'Bearer realm="rialto"');
    assert.equal(cache, 'no-store');
  }
});

test('a token that opens nothing, and what is no token, is told to be invalid', async () => {
  for (const token of ['nobody', '', ' reader', 'reader x', 'reader,', '"reader"', 'Reader']) {
    const { status, code, challenge } = await ask('GET', '/api/thing', `Bearer ${token}`);
    assert.deepEqual([status, code], [401, 'invalid_token'], token);
    assert.equal(challenge, 'Bearer realm="rialto", error="invalid_token"');
  }
});

test('the scheme is read in any case, and the route knows its caller', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    for (const url of ['/api/thing', '/api/thing/']) {
      const { status, text } = await ask('GET', url, `${scheme} reader`);
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(text), READER);
    }
  }
});

test('what changes something needs write, and what only asks needs read', async () => {
  for (const [method, url] of [
    ['POST', '/api/thing/'],
    ['PATCH', '/api/plain'],
    ['GET', '/api/secret'],
  ] as const) {
    const refused = await ask(method, url, 'Bearer reader');
    assert.deepEqual([refused.status, refused.code], [403, 'insufficient_scope'], url);
    assert.equal(
      refused.challenge,
      'Bearer realm="rialto", error="insufficient_scope", scope="write"',
    );
    assert.equal((await ask(method, url, 'Bearer writer')).status, 200);
  }
  for (const [method, url] of [
    ['GET', '/api/thing'],
    ['HEAD', '/api/thing/'],
    ['POST', '/api/question/'],
  ] as const) {
    assert.equal((await ask(method, url, 'Bearer reader')).status, 200);
  }
});

test('a method that a path does not answer to is 405 with those that it does', async () => {
  const { status, code, allow } = await ask('DELETE', '/api/thing/', 'Bearer reader');
  assert.deepEqual([status, code, allow], [405, 'method_not_allowed', 'GET, POST, HEAD, OPTIONS']);
  const headers = { authorization: 'Bearer reader' };
  const told = await createServer().inject({ method: 'OPTIONS', url: '/api/thing/', headers });
  assert.deepEqual([told.statusCode, told.headers.allow], [204, allow]);
  const stranger = await createServer().inject({ method: 'OPTIONS', url: '/api/thing/' });
  assert.equal(stranger.statusCode, 401);
  assert.equal((await ask('DELETE', '/api/thing/')).status, 401);
});

test('a route that is not below the API has no caller, which is a mistake of the program', async () => {
  const { status, code } = await ask('GET', '/beside', 'Bearer reader');
  assert.equal(status, 500);
  assert.match(code ?? '', /is not authenticated/);
});
