import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { FRAME_DOCUMENT } from './html-document.ts';
import { answerTagFile } from './tag-files.ts';
import { TAG_SCRIPT } from './tag-script.ts';

/** What every page pays for the tag, in bytes as they go over the wire. */
const GZIPPED_MAX = 6 * 1024;

async function serveFiles(t: TestContext): Promise<string> {
  const server = createServer((incoming, response) => {
    if (!answerTagFile(incoming.url ?? '/', incoming, response)) response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

test('the tag is small, and a script that browsers of 2019 read', () => {
  assert.ok(gzipSync(TAG_SCRIPT).length <= GZIPPED_MAX, `${gzipSync(TAG_SCRIPT).length} bytes`);
  // Outside of texts, which hold no such signs: later syntax than ES2019.
  assert.doesNotMatch(
    TAG_SCRIPT,
    /[\w)\]]\?\.(?!\d)|\?\?|\|\|=|&&=|\*\*=|\d_\d|[\s.]#\w|\bstatic\b|\bawait\b/,
  );
  assert.match(TAG_SCRIPT, /^\(function \(\) \{\n'use strict';\n/);
  assert.doesNotMatch(TAG_SCRIPT, /^(?:import|export)\b|\/\*\*|^\s*\/\//m);
});

test('any page may load both files, keep them for minutes and ask whether they changed', async (t) => {
  const origin = await serveFiles(t);
  const contents = { '/tag.js': TAG_SCRIPT, '/frame.html': FRAME_DOCUMENT };
  for (const [path, text] of Object.entries(contents)) {
    const plain = await request(origin + path);
    assert.equal(plain.statusCode, 200);
    assert.equal(await plain.body.text(), text);
    assert.equal(plain.headers['access-control-allow-origin'], '*');
    assert.equal(plain.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(plain.headers['cache-control'], 'public, max-age=600');
    const etag = String(plain.headers['etag']);
    assert.match(etag, /^W\/"[\w-]{16}"$/);

    const packed = await request(origin + path, { headers: { 'accept-encoding': 'br, gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers['vary'], 'accept-encoding');
    assert.equal(gunzipSync(await packed.body.bytes()).toString(), text);

    const again = await request(origin + path, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.statusCode, await again.body.text()], [304, '']);
    const old = await request(origin + path, { headers: { 'if-none-match': 'W/"other"' } });
    assert.equal(old.statusCode, 200);
    await old.body.dump();
    const head = await request(origin + path, { method: 'HEAD' });
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)));
    await head.body.dump();
    const post = await request(origin + path, { method: 'POST' });
    assert.deepEqual([post.statusCode, post.headers['allow']], [405, 'GET, HEAD']);
    await post.body.dump();
  }
  assert.equal((await request(`${origin}/constructor`)).statusCode, 404);
});

test('the frame is sandboxed by its own policy, also when nobody framed it so', async (t) => {
  const { headers, body } = await request(`${await serveFiles(t)}/frame.html`);
  await body.dump();
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^sandbox allow-scripts /);
  assert.doesNotMatch(policy, /allow-same-origin/);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
});

test('the frame writes the markup of its name, in a page alone', () => {
  const [, code = ''] = /<body><script>(.*?)<\/script>/s.exec(FRAME_DOCUMENT) ?? [];
  const written: string[] = [];
  const run = (name: string, framed: boolean): Record<string, unknown> => {
    const window: Record<string, unknown> = { name };
    runInNewContext(code, {
      window,
      parent: framed ? {} : window,
      addEventListener: () => {},
      document: { addEventListener: () => {}, write: (text: string) => written.push(text) },
      JSON,
    });
    return window;
  };
  const { name } = run('"<b>\\"ad\\"</b>"', true);
  run('"phishing"', false);
  run('', true);
  assert.deepEqual([written, name], [['<b>"ad"</b>'], '']);
});
