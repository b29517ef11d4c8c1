import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { createPublicServer } from '../public.ts';
import type { Asset, ConsoleFiles } from './files.ts';
import type { BuildState } from './pending-page.ts';
import type { ConsoleParts } from './routes.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const INDEX = `<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/a.js"></script>`;

function asset(type: string, plain: string, compressed = false): Asset {
  const encoded = compressed
    ? ([
        ['br', Buffer.from(`br ${plain}`)],
        ['gzip', Buffer.from(`gzip ${plain}`)],
      ] as const)
    : [];
  return { type, plain: Buffer.from(plain), encoded: new Map(encoded) };
}

const FILES: ConsoleFiles = {
  index: INDEX,
  assets: new Map([
    ['a.js', asset('text/javascript; charset=utf-8', 'script', true)],
    ['fonts/b.woff2', asset('font/woff2', 'font')],
  ]),
};

interface Wanted extends Partial<Omit<ConsoleParts, 'source' | 'buildState'>> {
  readonly files?: ConsoleFiles | null;
  readonly build?: BuildState;
}

function serverOf(t: TestContext, wanted: Wanted = {}) {
  const { files = FILES, build = { state: 'idle' }, ...others } = wanted;
  const app = createPublicServer({
    logger: pino({ level: 'silent' }),
    isReady: () => true,
    console: {
      source: { current: async () => files },
      buildState: () => build,
      authUrl: 'http://localhost:8080',
      exchangeUrl: 'https://ads.example/base',
      ...others,
    },
  });
  t.after(() => app.close());
  return app;
}

test('every address of the console gives its page, with a nonce of this answer alone', async (t) => {
  const app = serverOf(t);
  const seen = new Set<string>();
  for (const url of ['/', '/sign-in?next=/', '/v2/auth/applications', '/v2/auth/applications/']) {
    const { statusCode, headers, body } = await app.inject({ url, headers: BROWSER });
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'private, no-cache');
    const [, nonce = ''] = /content="([\w-]{22})"/.exec(body) ?? [];
    seen.add(nonce);
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src https://ads.example; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'`,
    );
  }
  assert.equal(seen.size, 4);
});

test('a page without a place for a nonce has none in its policy; without an exchange there are no frames', async (t) => {
  const files = { ...FILES, index: '<!doctype html>' };
  const app = serverOf(t, { files, exchangeUrl: null });
  const { headers, body } = await app.inject({ url: '/', headers: BROWSER });
  assert.equal(body, '<!doctype html>');
  assert.doesNotMatch(String(headers['content-security-policy']), /nonce|frame-src/);
});

test('pages and assets are protected; over TLS browsers are told to stay there', async (t) => {
  for (const url of ['/', '/assets/a.js']) {
    const plain = await serverOf(t).inject({ url, headers: BROWSER });
    assert.equal(plain.headers['referrer-policy'], 'no-referrer');
    assert.equal(plain.headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(plain.headers['cross-origin-resource-policy'], 'same-origin');
    assert.match(String(plain.headers['permissions-policy']), /camera=\(\)/);
    assert.equal(plain.headers['strict-transport-security'], undefined);
    const secure = await serverOf(t, { authUrl: 'https://c.example' }).inject({ url });
    assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000');
  }
});

test('a copy that is still good is not sent again, and keeps the policy that it came with', async (t) => {
  const app = serverOf(t);
  const { etag } = (await app.inject({ url: '/', headers: BROWSER })).headers;
  const headers = { ...BROWSER, 'if-none-match': `"x", ${String(etag)}` };
  const again = await app.inject({ url: '/', headers });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
  assert.equal(again.headers['content-security-policy'], undefined);
  const changed = serverOf(t, { exchangeUrl: null });
  assert.equal((await changed.inject({ url: '/', headers })).statusCode, 200);
});

test('an address is a page for everybody who takes one', async (t) => {
  const app = serverOf(t);
  const statusOf = async (url: string, accept?: string) => {
    const headers = accept === undefined ? {} : { accept };
    return (await app.inject({ url, headers })).statusCode;
  };
  assert.deepEqual(
    [await statusOf('/'), await statusOf('/', '*/*'), await statusOf('/', 'application/json')],
    [200, 200, 404],
  );
  assert.deepEqual(
    [await statusOf('/reports'), await statusOf('/reports', '*/*'), await statusOf('/a', '\u0001')],
    [200, 200, 404],
  );
  assert.equal(await statusOf('/reports', 'application/json'), 404);
});

test('an address of another part of control is never answered with a page', async (t) => {
  const app = serverOf(t);
  for (const url of [
    '/api',
    '/api/nothing/',
    '/API/nothing/',
    '/reporting/nothing',
    '/v2/auth/token/nothing',
    '/livez/nothing',
    '/reference/nothing',
    '/assets/nothing.js',
    '/assets/',
    '/assets',
  ]) {
    const { statusCode, headers } = await app.inject({ url, headers: BROWSER });
    assert.equal(statusCode, 404, url);
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8', url);
  }
  assert.equal((await app.inject({ url: '/livez', headers: BROWSER })).body, 'ok\n');
});

test('HEAD is GET without the body, OPTIONS tells the methods, any other is refused', async (t) => {
  const app = serverOf(t);
  for (const url of ['/', '/sign-in', '/assets/a.js']) {
    const head = await app.inject({ method: 'HEAD', url, headers: BROWSER });
    const get = await app.inject({ url, headers: BROWSER });
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, '');
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const { statusCode, headers } = await app.inject({ method, url, headers: BROWSER });
      assert.equal(statusCode, method === 'OPTIONS' ? 204 : 405, `${method} ${url}`);
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
    }
  }
  const headers = { accept: 'application/json' };
  const posted = await app.inject({ method: 'POST', url: '/nowhere', headers });
  assert.equal(posted.statusCode, 404);
});

test('assets come in the best coding that the client understands, and stay for a year', async (t) => {
  const app = serverOf(t);
  const fetched = async (url: string, coding?: string) => {
    const headers = coding === undefined ? {} : { 'accept-encoding': coding };
    const { body, headers: answered } = await app.inject({ url, headers });
    assert.equal(answered['cache-control'], 'public, max-age=31536000, immutable');
    return [body, answered['content-encoding'], answered['vary'], answered['content-type']];
  };
  const type = 'text/javascript; charset=utf-8';
  const vary = 'accept-encoding';
  assert.deepEqual(await fetched('/assets/a.js'), ['script', undefined, vary, type]);
  assert.deepEqual(await fetched('/assets/a.js', 'gzip, br'), ['br script', 'br', vary, type]);
  assert.deepEqual(await fetched('/assets/a.js', 'gzip'), ['gzip script', 'gzip', vary, type]);
  assert.deepEqual(await fetched('/assets/fonts/b.woff2', 'br'), [
    'font',
    undefined,
    undefined,
    'font/woff2',
  ]);
});

test('a path that leads out of the assets leads nowhere', async (t) => {
  const app = serverOf(t);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  for (const path of [
    '/assets/../../package.json',
    '/assets/../sign-in',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets//etc/passwd',
    '/assets/a.js%00',
    '/assets/a.js/',
    '/assets/__proto__',
    '/assets/constructor',
    '/assets/a.js.br',
  ]) {
    // As it stands: clients that know better would tidy it.
    const call = request(origin, { path, headers: BROWSER, agent: false }).end();
    const [answer]: IncomingMessage[] = await once(call, 'response');
    assert.equal(answer?.statusCode, 404, path);
    assert.equal(answer?.headers['content-type'], 'application/problem+json; charset=utf-8', path);
    answer?.resume();
  }
});

test('what a build has said is shown on its own machine alone', async (t) => {
  const build: BuildState = { state: 'failed', lines: ['/home/ops/.npm is full'] };
  for (const [authUrl, isShown] of [
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080', true],
    ['https://control.example', false],
    ['http://localhost.example', false],
    ['http://10.0.0.7:8080', false],
  ] as const) {
    const app = serverOf(t, { files: null, build, authUrl });
    const { body } = await app.inject({ url: '/', headers: BROWSER });
    assert.equal(body.includes('/home/ops'), isShown, authUrl);
    assert.match(body, isShown ? /The build said:/ : /The log of control has what the build said/);
  }
});

test('until the console is built a page says so, asks again by itself and has no script', async (t) => {
  const hostile = '<script>alert(1)</script>';
  const builds: readonly [BuildState, RegExp, string][] = [
    [{ state: 'building' }, /is being built/, '3'],
    [{ state: 'failed', lines: ['first', hostile] }, /npm run build[^]*first\n&lt;script/, '10'],
    [{ state: 'idle' }, /is not built[^]*npm run build/, '10'],
  ];
  for (const [build, words, seconds] of builds) {
    const app = serverOf(t, { files: null, build });
    const { statusCode, headers, body } = await app.inject({ url: '/reports', headers: BROWSER });
    assert.equal(statusCode, 503);
    assert.equal(headers['retry-after'], seconds);
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'self';/,
    );
    assert.match(body, words);
    assert.match(body, new RegExp(`<meta http-equiv="refresh" content="${seconds}"`));
    assert.doesNotMatch(body, /<script|style=/);
    assert.equal((await app.inject({ url: '/assets/a.js' })).statusCode, 404);
    assert.equal((await app.inject({ url: '/api/', headers: BROWSER })).statusCode, 404);
  }
});
