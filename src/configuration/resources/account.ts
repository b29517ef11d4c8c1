import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { Path } from '../finding.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { isSameOwner, showOwner, type Owner } from './owner.ts';

/** Tokens travel in query strings; shorter ones could be found from their hashes. */
export const ACCOUNT_AUTH_TOKEN = Type.String({
  minLength: 12,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  writeOnly: true,
  description:
    'a token of 12 to 256 printable ASCII characters without spaces, in quotes if it is a number',
});

/** Enough to tell tokens apart, too little to help in guessing the rest. */
const PREFIX_LENGTH = 4;

/** A demand partner or publisher has one account; a file sets its token once and never rolls it. */
export function planAccount(
  plan: Plan,
  { path, token }: { readonly path: Path; readonly token: string },
  owner: Owner,
): void {
  const hash = accountTokenHash(token);
  const accounts = [...plan.state.accounts.values()];
  const stored = accounts.find((account) => isSameOwner(account, owner));
  const holder = accounts.find(
    (account) => account.token_hash === hash || account.previous_token_hash === hash,
  );
  if (stored === undefined && holder !== undefined) {
    const message = `is the token of ${showOwner(holder)}; every account needs its own`;
    plan.find(path, message);
    return;
  }
  if (stored !== undefined && stored.token_hash !== hash) {
    plan.note(path, 'differs from the token that is set, which stays as it is');
  }
  const next: Row<'accounts'> = stored ?? {
    id: plan.nextId('accounts', accounts),
    demand_partner_id: owner.demand_partner_id,
    publisher_id: owner.publisher_id,
    token_hash: hash,
    token_prefix: token.slice(0, PREFIX_LENGTH),
    previous_token_hash: null,
    previous_token_until: null,
  };
  const names = { noun: 'account of', name: showOwner(owner), document: accountDocument };
  plan.state.accounts.set(next.id, plan.save({ table: 'accounts', stored, next, path, ...names }));
}

/** An account without its token. */
function accountDocument({ token_prefix: prefix }: Row<'accounts'>) {
  return { token_prefix: prefix };
}

/** How a reporting token is stored and found: SHA-256 in hex. */
export function accountTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
