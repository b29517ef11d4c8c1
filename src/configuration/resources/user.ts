import Type, { type Static } from 'typebox';
import { EMAIL, STATUS, mapping } from '../../resources/vocabulary.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { isSameOwner, showOwner, type Owner } from './owner.ts';

/** NIST SP 800-63B section 3.1.1.2 asks for at least eight characters where there is more to sign in. */
const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 1_000;

/** What somebody signs in with, from a file or from the page of a one-time link. */
export const PASSWORD = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  writeOnly: true,
  description: `a text of ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, in quotes if it looks like a number`,
});

/** A person who signs in. Their applications are resources of their own. */
export const UserSchema = mapping('a user', {
  email: EMAIL,
  password: Type.Optional(PASSWORD),
  status: Type.Optional(STATUS),
});

export type UserInput = Static<typeof UserSchema>;

/** People do not tell addresses apart by case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** A user as others see one. */
function userDocument(row: Row<'users'>) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    demand_partner_id: row.demand_partner_id,
    publisher_id: row.publisher_id,
    status: row.status,
  };
}

/** A password is set once; afterwards only its owner changes it. */
export function planUser(plan: Plan, { input, path }: Element<UserInput>, owner: Owner): void {
  const email = emailKey(input.email);
  const stored = plan.state.users.get(email);
  if (stored !== undefined && !isSameOwner(stored, owner)) {
    const holder = showOwner(stored);
    plan.find([...path, 'email'], `is taken: ${email} is a user of ${holder}`);
    return;
  }
  const hash = stored?.password_hash ?? null;
  const next: Row<'users'> = {
    id: stored?.id ?? plan.nextId('users', plan.state.users.values()),
    email,
    role: owner.role,
    demand_partner_id: owner.demand_partner_id,
    publisher_id: owner.publisher_id,
    status: input.status ?? stored?.status ?? 'ACTIVE',
    password_hash: hash,
  };
  const plain = input.password;
  if (plain !== undefined && hash !== null) {
    plan.secretsToCompare.push({ path: [...path, 'password'], plain, hash });
  }
  const secret =
    plain === undefined || hash !== null ? undefined : { column: 'password_hash', plain };
  const names = { noun: 'user', name: email, document: userDocument };
  plan.state.users.set(email, plan.save({ table: 'users', stored, next, path, secret, ...names }));
}
