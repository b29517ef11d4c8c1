import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { signatureOf } from './signature.ts';

const BODY = '{"id":"evt_1","name":"Zoë"}';
const NOW_S = 1_795_183_330;

type Verify = (header: string, body: string | Buffer, secret: string, nowS: number) => boolean;

/** The program that the documentation shows. */
function documented(): Verify {
  const page = readFileSync(new URL('../../docs/reference/webhooks.md', import.meta.url), 'utf8');
  const [, program = ''] = /```js\nimport [^;]*;\n([^]*?)```/.exec(page) ?? [];
  const text = `${program.replace('export ', '')}\nisFromRialto`;
  return runInNewContext(text, { createHmac, timingSafeEqual, Buffer });
}

test('a signature is the HMAC of the time, a dot and the body', () => {
  assert.equal(
    signatureOf(['secret'], 1, 'body'),
    't=1,v1=842b24d9575dee4b6ec460b7e3af7d683501d84fe6279102340787c79d2e2bab',
  );
});

test('the program of the documentation takes what the exchange signs, and nothing else', () => {
  const isFromRialto = documented();
  const header = signatureOf(['new', 'old'], NOW_S, BODY);
  for (const secret of ['new', 'old']) {
    assert.equal(isFromRialto(header, Buffer.from(BODY), secret, NOW_S + 299), true);
  }
  assert.equal(isFromRialto(header, BODY, 'another', NOW_S), false);
  assert.equal(isFromRialto(header, `${BODY} `, 'new', NOW_S), false);
  assert.equal(isFromRialto(header, BODY, 'new', NOW_S + 301), false, 'sent again later');
  assert.equal(isFromRialto(header.replace(/^t=\d+/, `t=${NOW_S + 1}`), BODY, 'new', NOW_S), false);
  assert.equal(isFromRialto('v1=00', BODY, 'new', NOW_S), false);
});
