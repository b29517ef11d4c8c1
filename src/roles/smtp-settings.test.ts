import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSmtpSettings } from './smtp-settings.ts';

const SERVER = {
  smtpHost: 'mail.example',
  smtpPort: 587,
  smtpTls: 'starttls',
  smtpFrom: 'rialto@exchange.example',
  smtpUser: 'rialto',
} as const;

test('the password is what its file holds, and a file without one ends the start', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-smtp-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'password');
  const read = () => readSmtpSettings({ ...SERVER, smtpPasswordFile: file });
  await assert.rejects(read, /the mail server's password cannot be read: .*password$/);
  writeFileSync(file, '\n');
  await assert.rejects(read, /the mail server's password is empty/);
  writeFileSync(file, ' hush hush \r\n');
  assert.deepEqual((await read())?.credentials, { user: 'rialto', password: ' hush hush ' });
});

test('without a host there is no mail server, and without a user nobody signs in', async () => {
  const nobody = { ...SERVER, smtpUser: null, smtpPasswordFile: null };
  assert.equal(await readSmtpSettings({ ...nobody, smtpHost: null }), null);
  assert.equal((await readSmtpSettings(nobody))?.credentials, null);
});
