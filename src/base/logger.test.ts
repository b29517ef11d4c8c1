import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'pino';
import { createLogger, redactUrl } from './logger.ts';

function capture(): { logger: Logger; lines: () => Record<string, unknown>[]; text: () => string } {
  const written: string[] = [];
  const logger = createLogger(
    { level: 'debug', role: 'exchange', worker: 2 },
    { write: (line) => void written.push(line) },
  );
  const lines = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line));
  return { logger, lines, text: () => written.join('') };
}

test('a line is JSON that says when, how grave, which process and what', () => {
  const { logger, lines } = capture();
  logger.info({ workers: 3 }, 'ready');
  const [line] = lines();
  assert.ok(line !== undefined);
  assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(
    { ...line, time: '' },
    {
      level: 'info',
      time: '',
      pid: process.pid,
      role: 'exchange',
      worker: 2,
      workers: 3,
      msg: 'ready',
    },
  );
});

test('lines below the level are not written', () => {
  const { logger, lines } = capture();
  logger.trace('too fine');
  logger.debug('fine');
  assert.deepEqual(
    lines().map((line) => line['msg']),
    ['fine'],
  );
});

test('secrets are taken out by name at any depth, and what stands beside them stays', () => {
  const { logger, text } = capture();
  logger.info({
    headers: { Authorization: 'Bearer s3cret-1', accept: 'text/plain' },
    users: [{ email: 'a@example.com', password: 's3cret-2' }],
    body: { client_secret: 's3cret-3', access_token: 's3cret-4', grant_type: 'password' },
    deep: { a: { b: { account_auth_token: 's3cret-5' } } },
  });
  assert.doesNotMatch(text(), /s3cret/);
  assert.match(text(), /text\/plain.*a@example\.com.*"grant_type":"password"/);
});

test('secrets are taken out of query strings in fields, messages, errors and their causes', () => {
  const { logger, text } = capture();
  const url = '/reporting/demand?account_auth_token=s3cret&dimensions=date&access_token=s3cret';
  const cause = new Error(`GET http://127.0.0.1${url} failed`);
  logger.info({ url }, `answered ${url}`);
  logger.error({ err: new Error('request failed', { cause }) }, 'no');
  logger.error(cause);
  logger.error({
    err: Object.assign(new Error('x'), { options: { headers: { cookie: 's3cret' } } }),
  });
  assert.doesNotMatch(text(), /s3cret/);
  assert.match(text(), /dimensions=date/);
  assert.match(text(), /request failed/);
});

test('an error keeps its type, message, stack and code', () => {
  const { logger, lines } = capture();
  logger.error({ err: Object.assign(new TypeError('bad'), { code: 'E_BAD' }) }, 'failed');
  const { err } = lines()[0] ?? {};
  assert.ok(typeof err === 'object' && err !== null && 'stack' in err);
  assert.match(String(err.stack), /TypeError: bad\n\s+at /);
  assert.deepEqual(
    { ...err, stack: '' },
    { type: 'TypeError', message: 'bad', stack: '', code: 'E_BAD' },
  );
});

test('a finished line is still JSON after redaction', () => {
  const { logger, lines } = capture();
  logger.info(
    { quoted: '{"a":"?password=x"}', header: 'Authorization: Basic dXNlcjpwYXNz' },
    '?secret=',
  );
  assert.equal(lines()[0]?.['quoted'], '{"a":"?password=[redacted]"}');
  assert.equal(lines()[0]?.['header'], 'Authorization: Basic [redacted]');
});

test('an object that contains itself is cut, not followed', () => {
  const { logger, lines } = capture();
  const loop: Record<string, unknown> = { name: 'loop' };
  loop['self'] = loop;
  logger.info({ loop });
  assert.match(JSON.stringify(lines()[0]), /\[too deep\]/);
});

test('a URL loses its secrets and keeps the rest', () => {
  const cases = [
    ['/r?account_auth_token=abc', '/r?account_auth_token=[redacted]'],
    ['/v2/auth/link/?token=abc', '/v2/auth/link/?token=[redacted]'],
    ['/r?a=1&Account_Auth_Token=abc&b=2', '/r?a=1&Account_Auth_Token=[redacted]&b=2'],
    ['http://h/t?client_secret=a%20b#top', 'http://h/t?client_secret=[redacted]#top'],
    ['https://user:pass@h.example/x', 'https://[redacted]@h.example/x'],
    ['/r?token_type=bearer&passwords=2', '/r?token_type=bearer&passwords=2'],
  ] as const;
  for (const [url, expected] of cases) assert.equal(redactUrl(url), expected);
});
