import { sql, type Kysely, type RawBuilder } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { EVERYTHING, findRow, type Rows } from '../../configuration/resource-rows.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Params } from '../resource.ts';

type Application = Database['applications'];

/** The applications of a user, or those that a caller may see. */
export function applicationsOf(userId: number | null): Rows<'applications'> {
  const within: RawBuilder<unknown> = userId === null ? EVERYTHING : sql`user_id = ${userId}`;
  return { table: 'applications', key: 'client_id', within };
}

/**
 * The application that an address names, if it is the caller's own, or the caller an operator, who
 * may take away what others have.
 *
 * @throws RialtoError `not_found`, the same for what is another's as for what does not exist.
 */
export async function findApplication(
  db: Kysely<Database>,
  { role, userId }: Caller,
  { client_id: clientId = '' }: Params,
): Promise<Application> {
  // PostgreSQL has no text with this character.
  const mayExist = !clientId.includes('\0');
  const rows = applicationsOf(role === 'operator' ? null : userId);
  const row = mayExist ? await findRow(db, rows, clientId) : null;
  if (row === null) throw new RialtoError('not_found');
  return row;
}

/**
 * As `findApplication`, where a secret is made: it would let its maker act as the application's user.
 *
 * @throws RialtoError `forbidden` for an operator and another's application.
 */
export async function findOwnApplication(
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
): Promise<Application> {
  const row = await findApplication(db, caller, params);
  if (row.user_id === caller.userId) return row;
  const message = 'only the user whom an application belongs to makes its secrets and tokens';
  throw new RialtoError('forbidden', [{ pointer: '', message }]);
}
