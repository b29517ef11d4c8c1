import type { Kysely } from 'kysely';
import type { Status } from '../snapshot/entities.ts';
import type { Database } from './schema.ts';
import { readOnly } from './state.ts';
import { raiseVersion } from './version.ts';

/** A demand partner with the state of its bidder, as the operator sees it. */
export interface BidderState {
  readonly demandPartnerId: number;
  readonly name: string;
  readonly status: Status;
  /** Null for a partner without a bidder. */
  readonly endpoint: string | null;
  /** Null unless the operator has stopped it. */
  readonly stop: BidderStop | null;
}

export interface BidderStop {
  /** In the operator's words; empty if there are none. */
  readonly reason: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** What a change of a stop came to. */
export type StopOutcome = 'changed' | 'unchanged' | 'unknown_partner';

/** All demand partners that are not archived, in order of id. */
export async function listBidders(db: Kysely<Database>): Promise<readonly BidderState[]> {
  const rows = await readOnly(db, (transaction) =>
    transaction
      .selectFrom('demand_partners as partner')
      .leftJoin('bidders as bidder', 'bidder.demand_partner_id', 'partner.id')
      .leftJoin('stopped_bidders as stop', 'stop.demand_partner_id', 'partner.id')
      .select([
        'partner.id as demandPartnerId',
        'partner.name',
        'partner.status',
        'bidder.endpoint',
        'stop.reason',
        'stop.stopped_at as stoppedAtMs',
      ])
      .where('partner.status', '!=', 'ARCHIVED')
      .orderBy('partner.id')
      .execute(),
  );
  return rows.map(({ demandPartnerId, name, status, endpoint, reason, stoppedAtMs }) => {
    const stop = stoppedAtMs === null ? null : { reason: reason ?? '', atMs: stoppedAtMs };
    return { demandPartnerId, name, status, endpoint, stop };
  });
}

/**
 * Stops all calls to a demand partner from the next snapshot on. It stays stopped, whatever file is
 * applied, until it is started again; one that is stopped keeps its first time and gets the new
 * reason.
 */
export async function stopBidder(
  db: Kysely<Database>,
  demandPartnerId: number,
  stop: BidderStop,
): Promise<StopOutcome> {
  return db.transaction().execute(async (transaction) => {
    if (!(await hasPartner(transaction, demandPartnerId))) return 'unknown_partner';
    const before = await transaction
      .selectFrom('stopped_bidders')
      .select('reason')
      .where('demand_partner_id', '=', demandPartnerId)
      .executeTakeFirst();
    if (before?.reason === stop.reason) return 'unchanged';
    await transaction
      .insertInto('stopped_bidders')
      .values({
        demand_partner_id: demandPartnerId,
        reason: stop.reason,
        stopped_at: stop.atMs,
      })
      .onConflict((conflict) =>
        conflict.column('demand_partner_id').doUpdateSet({ reason: stop.reason }),
      )
      .execute();
    await raiseVersion(transaction);
    return 'changed';
  });
}

/** Lets a demand partner be called again. */
export async function startBidder(
  db: Kysely<Database>,
  demandPartnerId: number,
): Promise<StopOutcome> {
  return db.transaction().execute(async (transaction) => {
    if (!(await hasPartner(transaction, demandPartnerId))) return 'unknown_partner';
    const removed = await transaction
      .deleteFrom('stopped_bidders')
      .where('demand_partner_id', '=', demandPartnerId)
      .returning('demand_partner_id')
      .executeTakeFirst();
    if (removed === undefined) return 'unchanged';
    await raiseVersion(transaction);
    return 'changed';
  });
}

async function hasPartner(db: Kysely<Database>, demandPartnerId: number): Promise<boolean> {
  const partner = await db
    .selectFrom('demand_partners')
    .select('id')
    .where('id', '=', demandPartnerId)
    .executeTakeFirst();
  return partner !== undefined;
}
