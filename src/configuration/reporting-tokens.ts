import type { Kysely, Transaction } from 'kysely';
import { createRandomSecret, secretPrefix } from '../identity/random-secret.ts';
import { writeAudit, type Actor } from './audit.ts';
import { accountTokenHash } from './resources/account.ts';
import { showOwner, type Owner, type OwnerIds } from './resources/owner.ts';
import { FIRST_ID } from './plan.ts';
import type { Database } from './schema.ts';

/** Who does something, and when. */
interface By {
  readonly actor: Actor;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
}

type Account = Database['accounts'];

/** Lets people and scanners of leaked secrets see what it is. */
const MARK = 'rialto_report_';

const NOUN = 'account of';

/** The account of an owner whose token opens its reports; null where there is none. */
export async function findReportingToken(
  db: Kysely<Database>,
  owner: OwnerIds,
): Promise<Account | null> {
  const account = await accountOf(db, owner);
  return account === undefined || isRevoked(account) ? null : account;
}

/** A reporting token that was just made; nobody can read it again. */
export interface IssuedReportingToken {
  readonly token: string;
  readonly account: Account;
}

/** What rolling keeps of the token before. */
type KeepPrevious = (hash: string) => {
  readonly hash: string | null;
  readonly untilMs: number | null;
};

/** Gives an owner a reporting token, its first or another one. */
export async function issueReportingToken(
  transaction: Transaction<Database>,
  owner: Owner,
  { by, keepPrevious }: { readonly by: By; readonly keepPrevious: KeepPrevious },
): Promise<IssuedReportingToken> {
  const token = createRandomSecret(MARK);
  const stored = await accountOf(transaction, owner);
  const isFirst = stored === undefined || isRevoked(stored);
  const previous = isFirst ? { hash: null, untilMs: null } : keepPrevious(stored.token_hash);
  const next = {
    token_hash: accountTokenHash(token),
    token_prefix: secretPrefix(token, MARK),
    previous_token_hash: previous.hash,
    previous_token_until: previous.untilMs,
    updated_at: by.nowMs,
  };
  const account =
    stored === undefined
      ? await insert(transaction, owner, next)
      : await update(transaction, stored, next);
  const before = isFirst ? null : stored.token_prefix;
  const changes = [{ field: 'token_prefix', before, after: next.token_prefix }];
  const action = isFirst ? 'created' : 'rolled';
  const entry = { action, resource: NOUN, resourceId: showOwner(owner), changes } as const;
  await writeAudit(transaction, entry, by);
  return { token, account };
}

/**
 * Ends an owner's reporting token at once, and the one before it. The account stays: a configuration
 * file that is applied again sets a token that was never set, and must not bring this one back.
 *
 * @returns false where there is none.
 */
export async function revokeReportingToken(
  transaction: Transaction<Database>,
  owner: OwnerIds,
  by: By,
): Promise<boolean> {
  const account = await findReportingToken(transaction, owner);
  if (account === null) return false;
  await update(transaction, account, {
    token_hash: revokedHash(owner),
    token_prefix: '',
    previous_token_hash: null,
    previous_token_until: null,
    updated_at: by.nowMs,
  });
  const changes = [{ field: 'token_prefix', before: account.token_prefix, after: null }];
  const resourceId = showOwner(owner);
  await writeAudit(transaction, { action: 'revoked', resource: NOUN, resourceId, changes }, by);
  return true;
}

/** No text has this hash, and no two owners the same. */
function revokedHash(owner: OwnerIds): string {
  return `revoked: ${showOwner(owner)}`;
}

function isRevoked({ token_prefix: prefix }: Account): boolean {
  return prefix === '';
}

async function accountOf(db: Kysely<Database>, owner: OwnerIds): Promise<Account | undefined> {
  const accounts = db.selectFrom('accounts').selectAll();
  const { demand_partner_id: demandPartner, publisher_id: publisher } = owner;
  return demandPartner === null
    ? accounts.where('publisher_id', '=', publisher).executeTakeFirst()
    : accounts.where('demand_partner_id', '=', demandPartner).executeTakeFirst();
}

type Changed = Omit<Account, 'id' | 'demand_partner_id' | 'publisher_id' | 'created_at'>;

async function insert(
  transaction: Transaction<Database>,
  { demand_partner_id, publisher_id }: Owner,
  next: Changed,
): Promise<Account> {
  const { last } = await transaction
    .selectFrom('accounts')
    .select((is) => is.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const id = Math.max(FIRST_ID - 1, last) + 1;
  const account = { id, demand_partner_id, publisher_id, ...next, created_at: next.updated_at };
  await transaction.insertInto('accounts').values(account).execute();
  return account;
}

async function update(
  transaction: Transaction<Database>,
  account: Account,
  next: Changed,
): Promise<Account> {
  await transaction.updateTable('accounts').set(next).where('id', '=', account.id).execute();
  return { ...account, ...next };
}
