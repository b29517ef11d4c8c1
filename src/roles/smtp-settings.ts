import { readFile } from 'node:fs/promises';
import type { SmtpSettings } from '../adapters/smtp-mailer.ts';
import { CommandError } from '../base/errors.ts';
import type { Settings } from '../settings/settings.ts';

type MailSettings = Pick<
  Settings,
  'smtpHost' | 'smtpPort' | 'smtpTls' | 'smtpFrom' | 'smtpUser' | 'smtpPasswordFile'
>;

/**
 * The mail server with its password; null where none is set.
 *
 * @throws CommandError where the file with the password cannot be read, or holds none.
 */
export async function readSmtpSettings(settings: MailSettings): Promise<SmtpSettings | null> {
  const { smtpHost: host, smtpPort: port, smtpTls: tls, smtpFrom: from, smtpUser: user } = settings;
  if (host === null || from === null) return null;
  const file = settings.smtpPasswordFile;
  if (user === null || file === null) return { host, port, tls, from, credentials: null };
  return { host, port, tls, from, credentials: { user, password: await readPassword(file) } };
}

async function readPassword(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`the file with the mail server's password cannot be read: ${file}`, {
      exit: 'usage',
      cause: error,
    });
  });
  // Editors end a file with a line break, which no password has.
  const password = text.replace(/\r?\n$/, '');
  if (password !== '') return password;
  throw new CommandError(`the file with the mail server's password is empty: ${file}`, {
    exit: 'usage',
  });
}
