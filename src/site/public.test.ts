import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { createPublicServer } from './public.ts';

function serverOf(t: TestContext, isReady: () => boolean) {
  const app = createPublicServer({ logger: pino({ level: 'silent' }), isReady });
  t.after(() => app.close());
  return app;
}

test('control lives at once and is ready when it says so', async (t) => {
  let ready = false;
  const app = serverOf(t, () => ready);
  assert.equal((await app.inject('/livez')).statusCode, 200);
  const early = await app.inject('/readyz');
  assert.equal(early.statusCode, 503);
  assert.equal(early.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.equal(early.json().code, 'not_ready');
  ready = true;
  const later = await app.inject('/readyz');
  assert.equal(later.statusCode, 200);
  assert.equal(later.body, 'ok\n');
});

test('an address where nothing is answers with problem details', async (t) => {
  const app = serverOf(t, () => true);
  for (const url of ['/', '/nowhere/', '/metrics', '/metrics/x']) {
    const response = await app.inject(url);
    assert.equal(response.statusCode, 404);
    assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.deepEqual(response.json(), {
      title: 'There is nothing at this address.',
      status: 404,
      code: 'not_found',
      errors: [],
    });
  }
});

test('a failure inside is answered without its cause', async (t) => {
  const app = serverOf(t, () => true);
  app.get('/failing', () => Promise.reject(new Error('secret detail')));
  const response = await app.inject('/failing');
  assert.equal(response.statusCode, 500);
  assert.equal(response.json().code, 'internal');
  assert.doesNotMatch(response.body, /secret detail/);
});

test('a broken address or body is the caller’s mistake', async (t) => {
  const app = serverOf(t, () => true);
  const response = await app.inject('/%zz?account_auth_token=secret');
  assert.equal(response.statusCode, 400);
  assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.equal(response.json().code, 'invalid_request');
  assert.doesNotMatch(response.body, /zz|secret/);
});

test('a request that cannot be read is told what would be right, and nothing of it is repeated', async (t) => {
  const app = serverOf(t, () => true);
  app.post('/:id', async () => 'ok');
  const address = await app.inject({ method: 'POST', url: `/${'secret'.repeat(1_000)}` });
  const headers = { 'content-type': 'application/json' };
  const body = await app.inject({ method: 'POST', url: '/a', headers, body: '{"secret":' });
  const nested = `{"secret":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
  const deep = await app.inject({ method: 'POST', url: '/a', headers, body: nested });
  for (const [answer, code, words] of [
    [address, 'invalid_request', /well-formed address/],
    [body, 'invalid_json', /one JSON document/],
    [deep, 'invalid_json', /nested 64 levels deep/],
  ] as const) {
    assert.equal(answer.statusCode, 400);
    const { code: told, errors } = answer.json();
    assert.equal(told, code);
    assert.deepEqual(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      [''],
    );
    assert.match(answer.body, words);
    assert.doesNotMatch(answer.body, /secret/);
  }
});

test('an address that is not well-formed is told so, without being quoted', async (t) => {
  const app = serverOf(t, () => true);
  const response = await app.inject('/deals/secret%ff/');
  assert.equal(response.statusCode, 400);
  const { code, errors } = response.json();
  assert.equal(code, 'invalid_request');
  assert.match(errors[0].message, /percent-encodings/);
  assert.ok(!response.body.includes('secret'));
});
