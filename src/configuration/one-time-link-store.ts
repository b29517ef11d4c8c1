import type { Kysely, Transaction } from 'kysely';
import type { LinkPurpose } from '../identity/link-purposes.ts';
import {
  isLinkToken,
  linkHash,
  makeLink,
  type NewLink,
  type OpenLink,
} from '../identity/one-time-links.ts';
import { writeAudit } from './audit.ts';
import { executePlan } from './execute-plan.ts';
import type { Finding } from './finding.ts';
import { Plan } from './plan.ts';
import { OPERATOR } from './resources/owner.ts';
import { planUser } from './resources/user.ts';
import type { Database } from './schema.ts';
import { confirmedOf, removeSecondFactor } from './second-factor-store.ts';
import { endSessionsOf } from './session-store.ts';
import { loadState } from './state.ts';

/** What became of a link that somebody has used. */
export type LinkOutcome =
  | { readonly outcome: 'done'; readonly userId: number; readonly email: string }
  /** It has expired, was used, or never was. */
  | { readonly outcome: 'closed' }
  /** It is good still: what came with it has to change. */
  | { readonly outcome: 'refused'; readonly findings: readonly Finding[] };

const CLOSED: LinkOutcome = { outcome: 'closed' };

/**
 * What a link opens at this moment; null for one that is used, expired or unknown, whose user may
 * not sign in, and for a first operator's as soon as there is any operator.
 */
export async function findOpenLink(
  db: Kysely<Database>,
  token: string,
  nowMs: number,
): Promise<OpenLink | null> {
  if (!isLinkToken(token)) return null;
  const row = await db
    .selectFrom('one_time_links')
    .leftJoin('users', 'users.id', 'one_time_links.user_id')
    .leftJoin('demand_partners', 'demand_partners.id', 'users.demand_partner_id')
    .leftJoin('publishers', 'publishers.id', 'users.publisher_id')
    .select([
      'one_time_links.purpose',
      'users.id',
      'users.email',
      'users.status',
      'demand_partners.status as partner_status',
      'publishers.status as publisher_status',
    ])
    .where('token_hash', '=', linkHash(token))
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { purpose, id, email, status, partner_status: partner, publisher_status: publisher } = row;
  if (purpose === 'first_operator') {
    return (await hasOperator(db)) ? null : { purpose, user: null, offersApplication: true };
  }
  const maySignIn = status === 'ACTIVE' && partner !== 'ARCHIVED' && publisher !== 'ARCHIVED';
  if (!maySignIn || id === null || email === null) return null;
  return { purpose, user: { id, email }, offersApplication: await needsNoSecondFactor(db, id) };
}

/** Whether a password alone lets the user change things. */
async function needsNoSecondFactor(db: Kysely<Database>, userId: number): Promise<boolean> {
  const exchange = await db
    .selectFrom('exchange_settings')
    .select('require_second_factor')
    .executeTakeFirst();
  return exchange?.require_second_factor !== 1 && !(await confirmedOf(db, [userId])).has(userId);
}

/** Adds a link in the place of the one that its user, or the first operator, has. */
export async function replaceLink(
  transaction: Transaction<Database>,
  { token, purpose, userId, createdMs, expiresMs }: NewLink,
): Promise<void> {
  await transaction
    .deleteFrom('one_time_links')
    .where('user_id', userId === null ? 'is' : '=', userId)
    .execute();
  await transaction
    .insertInto('one_time_links')
    .values({
      token_hash: linkHash(token),
      user_id: userId,
      purpose,
      created_at: createdMs,
      expires_at: expiresMs,
    })
    .execute();
}

/** A new link that creates the first operator; null where there is an operator. */
export async function offerFirstOperator(
  db: Kysely<Database>,
  nowMs: number,
): Promise<NewLink | null> {
  return db.transaction().execute(async (transaction) => {
    if (await hasOperator(transaction)) return null;
    const link = makeLink('first_operator', null, nowMs);
    await replaceLink(transaction, link);
    return link;
  });
}

/** Who comes by a link, and the hash of the password that they have chosen. */
export interface LinkUse {
  readonly token: string;
  readonly passwordHash: string;
}

/** Sets the password of a link's user, ends their sessions and the link; of two at the same time one comes first. */
export async function choosePassword(
  db: Kysely<Database>,
  { token, passwordHash }: LinkUse,
  nowMs: number,
): Promise<LinkOutcome> {
  return db.transaction().execute(async (transaction) => {
    const link = await findOpenLink(transaction, token, nowMs);
    if (link === null || link.user === null || link.purpose === 'second_factor') return CLOSED;
    if (!(await consume(transaction, token))) return CLOSED;
    const { id, email } = link.user;
    const before = await transaction
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash, updated_at: nowMs })
      .where('id', '=', id)
      .execute();
    await endSessionsOf(transaction, id);
    const changes = [
      { field: 'has_password', before: before.password_hash !== null, after: true },
      { field: 'link', before: link.purpose, after: null },
    ];
    const entry = { action: 'updated', resource: 'user', resourceId: email, changes } as const;
    await writeAudit(transaction, entry, { actor: userActor(email, id), nowMs });
    return { outcome: 'done', userId: id, email };
  });
}

/** Removes the second factor of a link's user, and ends their sessions and the link. */
export async function endSecondFactor(
  db: Kysely<Database>,
  token: string,
  nowMs: number,
): Promise<LinkOutcome> {
  return db.transaction().execute(async (transaction) => {
    const link = await findOpenLink(transaction, token, nowMs);
    if (link?.purpose !== 'second_factor' || link.user === null) return CLOSED;
    if (!(await consume(transaction, token))) return CLOSED;
    const { id: userId, email } = link.user;
    const changes = [{ field: 'link', before: link.purpose, after: null }];
    await removeSecondFactor(transaction, { userId, email, sessionHash: null }, { nowMs, changes });
    return { outcome: 'done', userId, email };
  });
}

/** Makes the first operator and ends the link. */
export async function createFirstOperator(
  db: Kysely<Database>,
  { token, passwordHash, email }: LinkUse & { readonly email: string },
  nowMs: number,
): Promise<LinkOutcome> {
  return db.transaction().execute(async (transaction) => {
    const link = await findOpenLink(transaction, token, nowMs);
    if (link?.purpose !== 'first_operator') return CLOSED;
    const plan = new Plan(await loadState(transaction));
    const input = { email, password: passwordHash };
    planUser(plan, { path: [], input, unsound: new Set() }, OPERATOR);
    if (plan.findings.length > 0) return { outcome: 'refused', findings: plan.findings };
    if (!(await consume(transaction, token))) return CLOSED;
    const user = [...plan.state.users.values()].find(({ role }) => role === 'OPERATOR');
    if (user === undefined) throw new Error('the first operator was not planned');
    const actor = userActor(user.email, user.id);
    // The plan was given the hash, so that no slow work is done within the transaction.
    const hashOf = (): Promise<string> => Promise.resolve(passwordHash);
    await executePlan(transaction, plan, { actor, nowMs, hashOf });
    return { outcome: 'done', userId: user.id, email: user.email };
  });
}

/** The newest link of each of these users, whether it is good still or has expired. */
export async function linksOf(
  db: Kysely<Database>,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, StoredLink>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('one_time_links')
    .select(['user_id', 'purpose', 'created_at', 'expires_at'])
    .where('user_id', 'in', userIds)
    .execute();
  return new Map(rows.flatMap(({ user_id: id, ...link }) => (id === null ? [] : [[id, link]])));
}

/** A link as it is stored, without its token's hash. */
export interface StoredLink {
  readonly purpose: LinkPurpose;
  readonly created_at: number;
  readonly expires_at: number;
}

/** Also one who is paused: a configuration file lets them in again, and nobody else may come first. */
async function hasOperator(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'OPERATOR')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether it was this transaction that has ended the link. */
async function consume(transaction: Transaction<Database>, token: string): Promise<boolean> {
  const ended = await transaction
    .deleteFrom('one_time_links')
    .where('token_hash', '=', linkHash(token))
    .returning('token_hash')
    .execute();
  return ended.length === 1;
}

/** Who opens a link is taken to be its user. */
function userActor(name: string, userId: number | null) {
  return { name, userId, clientId: null };
}
