import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Type from 'typebox';
import { fastify } from 'fastify';
import { openApiDocument } from '../../openapi/document.ts';
import type { Operation } from '../../openapi/operation.ts';
import { registerReference } from './routes.ts';

const HOSTILE = '<script>alert("1")</script>';

const OPERATION: Operation = {
  id: 'updateThing',
  method: 'patch',
  path: '/api/things/{thing_id}/',
  tag: 'Things',
  summary: `Change ${HOSTILE}`,
  description: 'It is `so`.\n\nAnd so.',
  roles: ['operator'],
  access: { scheme: 'accessToken', scope: 'write' },
  parameters: [
    {
      name: 'thing_id',
      in: 'path',
      required: true,
      description: 'the thing',
      schema: Type.String(),
      example: "a'b/c",
    },
  ],
  body: [
    {
      type: 'application/json',
      schema: Type.Object({ name: Type.Optional(Type.String({ description: HOSTILE })) }),
      example: { name: "it's" },
    },
  ],
  answers: [{ status: 204, meaning: 'done', contents: [] }],
  problems: ['not_found'],
};

function serverOf(t: TestContext, address: string | null = null) {
  const app = fastify();
  t.after(() => app.close());
  const info = { title: 'Rialto', version: '1', description: 'All.', address: 'http://localhost' };
  registerReference(app, { document: () => openApiDocument([OPERATION], info), address });
  return app;
}

test('the page has no script and loads its style from here alone; what it shows is escaped', async (t) => {
  const app = serverOf(t);
  const { headers, body } = await app.inject('/reference/');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'self';/,
  );
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.doesNotMatch(body, /<script|style=|\son\w+=/);
  assert.match(body, /Change &lt;script&gt;/);
  const style = await app.inject('/reference/style.css');
  assert.equal(style.headers['content-type'], 'text/css; charset=utf-8');
  assert.doesNotMatch(style.body, /url\(|@import/);
  const redirect = await app.inject('/reference');
  assert.equal(redirect.statusCode, 308);
  assert.equal(redirect.headers.location, 'reference/');
});

test('an operation says who may call it, with what, and how, in a command that a shell takes as it is', async (t) => {
  const { body } = await serverOf(t, 'https://rialto.example').inject('/reference/');
  assert.match(body, /operators/);
  assert.match(body, /an access token with scope\s+<code>write<\/code>/);
  const [, command = ''] = /<pre[^>]*><code>(curl[^<]*)</.exec(body) ?? [];
  const text = command
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  assert.equal(
    text,
    [
      `curl -X PATCH 'https://rialto.example/api/things/a'\\''b%2Fc/'`,
      `-H "Authorization: Bearer $TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `-d '{"name":"it'\\''s"}'`,
    ].join(' \\\n  '),
  );
});

test('addresses are those that were asked, unless the operator has named one; a host with markup is not repeated', async (t) => {
  const app = serverOf(t);
  const serversOf = async (host: string) => {
    const answer = await app.inject({ url: '/openapi.json', headers: { host } });
    return answer.json().servers;
  };
  assert.deepEqual(await serversOf('10.0.0.1:8080'), [{ url: 'http://10.0.0.1:8080' }]);
  assert.deepEqual(await serversOf('[::1]:8080'), [{ url: 'http://[::1]:8080' }]);
  assert.deepEqual(await serversOf('"><b>'), [{ url: 'http://localhost:8080' }]);
  const named = await serverOf(t, 'https://rialto.example').inject('/openapi.json');
  assert.deepEqual(named.json().servers, [{ url: 'https://rialto.example' }]);
  assert.equal(named.headers['access-control-allow-origin'], '*');
});
