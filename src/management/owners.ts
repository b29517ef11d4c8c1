import { sql, type Kysely, type RawBuilder } from 'kysely';
import { RialtoError } from '../base/errors.ts';
import type { Database } from '../configuration/schema.ts';
import type { Caller } from '../identity/caller.ts';
import { readNumericId, type Params } from './resource.ts';

/**
 * The demand partner that an address names, if it is the caller's own, or the caller an operator.
 *
 * @throws RialtoError `not_found`, the same for what is another's as for what does not exist.
 */
export async function demandPartnerOf(
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
): Promise<number> {
  const id = readNumericId(params['demand_partner_id'] ?? '');
  if (id !== null && mayEnter(caller, 'demand-partner', id)) {
    const table = db.selectFrom('demand_partners').select('id').where('id', '=', id);
    if ((await table.executeTakeFirst()) !== undefined) return id;
  }
  throw new RialtoError('not_found');
}

/** As `demandPartnerOf`, of a publisher. */
export async function publisherOf(
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
): Promise<number> {
  const id = readNumericId(params['publisher_id'] ?? '');
  if (id !== null && mayEnter(caller, 'publisher', id)) {
    const table = db.selectFrom('publishers').select('id').where('id', '=', id);
    if ((await table.executeTakeFirst()) !== undefined) return id;
  }
  throw new RialtoError('not_found');
}

/** The rows of one owner. */
export function ownedBy(
  column: 'demand_partner_id' | 'publisher_id',
  id: number,
): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${id}`;
}

/** The row that a caller itself is, of the table of its kind; none for who is of another kind. */
export function ownItself({ entityId }: Caller): RawBuilder<unknown> {
  return sql`id = ${entityId}`;
}

function mayEnter({ role, entityId }: Caller, owner: Caller['role'], id: number): boolean {
  return role === 'operator' || (role === owner && entityId === id);
}
