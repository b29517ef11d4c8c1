import type { Transaction } from 'kysely';
import type { LinkPurpose } from '../identity/link-purposes.ts';
import { makeLink, type NewLink } from '../identity/one-time-links.ts';
import { writeAudit, type Actor } from './audit.ts';
import { findOpenLink, replaceLink } from './one-time-link-store.ts';
import type { Database } from './schema.ts';
import { confirmedOf } from './second-factor-store.ts';

/** What a link for a user who is there already may be for. */
export type UserLinkPurpose = Extract<LinkPurpose, 'password' | 'second_factor'>;

/** A link, or why there is none. */
export type UserLink = { readonly ok: true; readonly link: NewLink } | Refused;

interface Refused {
  readonly ok: false;
  readonly message: string;
}

/**
 * Makes a link for a user, in the place of the one that they have. When there is none to be made, the
 * transaction must be taken back.
 */
export async function makeUserLink(
  transaction: Transaction<Database>,
  { id, email, status }: Pick<Database['users'], 'id' | 'email' | 'status'>,
  purpose: UserLinkPurpose,
  by: { readonly actor: Actor; readonly nowMs: number },
): Promise<UserLink> {
  if (status !== 'ACTIVE') {
    return refused(`the user is ${status}, so that no link works; set status to ACTIVE first`);
  }
  if (purpose === 'second_factor' && !(await confirmedOf(transaction, [id])).has(id)) {
    return refused('the user has no second factor');
  }
  const link = makeLink(purpose, id, by.nowMs);
  await replaceLink(transaction, link);
  if ((await findOpenLink(transaction, link.token, by.nowMs)) === null) {
    return refused('the user’s demand partner or publisher is archived, so that no link works');
  }
  await writeLinkAudit(transaction, email, link, by);
  return { ok: true, link };
}

/** The audit log hears of a link, and nothing that opens it. */
export async function writeLinkAudit(
  transaction: Transaction<Database>,
  email: string,
  { purpose, expiresMs }: NewLink,
  by: { readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  const changes = [
    { field: 'link', after: purpose },
    { field: 'expires_at', after: new Date(expiresMs).toISOString() },
  ];
  const entry = { action: 'invited', resource: 'user', resourceId: email, changes } as const;
  await writeAudit(transaction, entry, by);
}

function refused(message: string): Refused {
  return { ok: false, message };
}
