import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding, takesHtml } from './accept.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a client takes HTML unless it names other types alone', () => {
  for (const accept of [undefined, '', '*/*', 'text/*', BROWSER, 'application/json, */*;q=0.1']) {
    assert.equal(takesHtml(accept), true, String(accept));
  }
  for (const accept of ['application/json', 'text/html;q=0', 'image/*, application/xml']) {
    assert.equal(takesHtml(accept), false, accept);
  }
});

test('brotli goes before gzip, what is refused is not sent, and silence means neither', () => {
  const chosen = (header: string | undefined) => chooseEncoding(header, ['br', 'gzip']);
  assert.equal(chosen('gzip, deflate, br, zstd'), 'br');
  assert.equal(chosen('gzip;q=1.0, br;q=0'), 'gzip');
  assert.equal(chosen('GZIP'), 'gzip');
  assert.equal(chosen('*'), 'br');
  assert.equal(chosen('br;q=0, *;q=0.5'), 'gzip');
  for (const header of [undefined, '', 'identity', 'deflate', 'gzip;q=0', 'brgzip', 'br;q=x']) {
    assert.equal(chosen(header), null, String(header));
  }
});

test('headers made to be slow or to confuse are read like any other', () => {
  const long = `${',;q=;'.repeat(4_000)},text/html`;
  assert.equal(takesHtml(long), true);
  for (const accept of [';;;', ',,,', 'text/html;q=NaN', 'text/html;q=-1', '\u0000', '__proto__']) {
    assert.equal(takesHtml(accept), accept.startsWith(';') || accept.startsWith(','), accept);
    assert.equal(chooseEncoding(accept, ['br', 'gzip']), null, accept);
  }
});
