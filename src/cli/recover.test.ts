import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openCli } from '../../test/support/cli.ts';
import { openManagement } from '../../test/support/management.ts';
import { createTotpSecret } from '../identity/totp.ts';

const OPERATOR = 'operator@example.com';

test('the last operator gets in again by a link that is made on the machine', async (t) => {
  const { app, db, path } = await openManagement(t);
  symlinkSync(path, join(dirname(path), 'configuration.sqlite'));
  const { cli } = openCli(t);
  const recover = (...args: readonly string[]) =>
    cli(['recover', ...args, '--data', dirname(path), '--control-url', 'https://rialto.example']);
  const none = await recover(OPERATOR);
  assert.deepEqual(
    [none.code, none.stderr],
    [1, `No link was made for ${OPERATOR}: the user has no second factor.\n`],
  );
  assert.equal((await recover('nobody@example.com')).code, 4);
  assert.equal((await recover(OPERATOR, '--lost', 'hope')).code, 2);
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', OPERATOR)
    .executeTakeFirstOrThrow();
  const secret = createTotpSecret();
  const times = { created_at: 1, confirmed_at: 1, last_step: 0 };
  await db
    .insertInto('second_factors')
    .values({ user_id: id, secret, ...times })
    .execute();

  for (const lost of ['password', 'second-factor']) {
    const { code, stdout, stderr } = await recover('Operator@Example.com', '--lost', lost);
    assert.equal(code, 0, stderr);
    const [url = ''] = /https:\/\/rialto\.example\/\S+/.exec(stdout) ?? [];
    const { pathname, searchParams } = new URL(url);
    const password = 'another password';
    const form = { token: searchParams.get('token') ?? '', password, again: password };
    const used = await app.inject({
      method: 'POST',
      url: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(lost === 'password' ? form : { token: form.token }).toString(),
    });
    assert.equal(used.statusCode, 200, lost);
  }
  const { body } = await app.inject({
    method: 'POST',
    url: '/v2/auth/session/',
    body: { email: OPERATOR, password: 'another password' },
  });
  assert.match(body, /"is_set_up":false/);
  const log = await db
    .selectFrom('audit_log')
    .select('actor')
    .where('action', '=', 'invited')
    .execute();
  assert.equal(log.length, 2);
  assert.match(log[0]?.actor ?? '', /^rialto recover by /);
});
