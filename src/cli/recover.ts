import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/read-settings.ts';
import { machineActor } from '../configuration/audit.ts';
import { emailKey } from '../configuration/resources/user.ts';
import { makeUserLink, type UserLinkPurpose } from '../configuration/user-links.ts';
import { linkUrl } from '../identity/one-time-links.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import { inspectConfigurationStore } from '../commands/inspect-store.ts';
import type { CommandPlace } from './program-tools.ts';
import { shown, showJson } from './terminal-text.ts';

/** What of the command line is no setting. */
export interface RecoverArguments {
  readonly email: string;
  readonly purpose: UserLinkPurpose;
  readonly asJson: boolean;
}

/**
 * `rialto recover EMAIL`: makes a one-time link by which a user chooses a new password or removes
 * their second factor. Whoever may write the store may do that anyway; the audit log names the account.
 *
 * @returns the exit code.
 * @throws CommandError when there is no such store or user, or no link would work.
 */
export async function recoverCommand(
  { email, purpose, asJson }: RecoverArguments,
  { flags, environment }: CommandPlace,
): Promise<number> {
  const settings = requireSettings(flags, environment);
  if ((await inspectConfigurationStore(settings)).state === 'missing') {
    throw new CommandError(
      'There is no configuration store: name the data directory with --data.',
      {
        exit: 'not_found',
      },
    );
  }
  const db = await openConfigurationStore(settings);
  try {
    const by = { actor: machineActor('rialto recover'), nowMs: Date.now() };
    const link = await db.transaction().execute(async (transaction) => {
      const user = await transaction
        .selectFrom('users')
        .selectAll()
        .where('email', '=', emailKey(email))
        .executeTakeFirst();
      if (user === undefined) {
        throw new CommandError(`There is no user ${email}.`, { exit: 'not_found' });
      }
      const made = await makeUserLink(transaction, user, purpose, by);
      if (!made.ok) throw new CommandError(`No link was made for ${email}: ${made.message}.`);
      return made.link;
    });
    const url = linkUrl(settings.controlUrl ?? `http://localhost:${settings.controlPort}`, link);
    const expiresAt = new Date(link.expiresMs).toISOString();
    const text = `Open this once, until ${expiresAt}:\n  ${url}`;
    console.log(
      asJson ? showJson({ url, expires_at: expiresAt }) : text.split('\n').map(shown).join('\n'),
    );
    return exitCodeOf('done');
  } finally {
    await db.destroy();
  }
}
