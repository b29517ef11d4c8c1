import type { Kysely } from 'kysely';
import type { Status } from '../snapshot/entities.ts';
import { writeAudit, type Actor } from './audit.ts';
import { BIDDER_NOUN } from './resources/bidder.ts';
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
    selectBidders(transaction)
      .where('partner.status', '!=', 'ARCHIVED')
      .orderBy('partner.id')
      .execute(),
  );
  return rows.map(stateOf);
}

/** One of them, also if it is archived; null if there is none. */
export async function findBidderState(
  db: Kysely<Database>,
  demandPartnerId: number,
): Promise<BidderState | null> {
  const row = await selectBidders(db).where('partner.id', '=', demandPartnerId).executeTakeFirst();
  return row === undefined ? null : stateOf(row);
}

function selectBidders(db: Kysely<Database>) {
  return db
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
    ]);
}

interface BidderRow extends Omit<BidderState, 'stop'> {
  readonly reason: string | null;
  readonly stoppedAtMs: number | null;
}

function stateOf({ reason, stoppedAtMs, ...bidder }: BidderRow): BidderState {
  const stop = stoppedAtMs === null ? null : { reason: reason ?? '', atMs: stoppedAtMs };
  return { ...bidder, stop };
}

/** Who stops or starts a bidder, and when, in Unix milliseconds. */
interface By {
  readonly actor: Actor;
  readonly nowMs: number;
}

/**
 * Stops all calls to a demand partner from the next snapshot on. It stays stopped, whatever file is
 * applied, until it is started again; one that is stopped keeps its first time and gets the new
 * reason. The audit log tells who did it.
 */
export async function stopBidder(
  db: Kysely<Database>,
  demandPartnerId: number,
  reason: string,
  { actor, nowMs }: By,
): Promise<StopOutcome> {
  return db.transaction().execute(async (transaction) => {
    if (!(await hasPartner(transaction, demandPartnerId))) return 'unknown_partner';
    const before = await findStop(transaction, demandPartnerId);
    if (before?.reason === reason) return 'unchanged';
    await transaction
      .insertInto('stopped_bidders')
      .values({ demand_partner_id: demandPartnerId, reason, stopped_at: nowMs })
      .onConflict((conflict) => conflict.column('demand_partner_id').doUpdateSet({ reason }))
      .execute();
    const change = { field: 'reason', before: before?.reason, after: reason };
    const entry = { action: 'stopped', resourceId: demandPartnerId, changes: [change] } as const;
    await writeAudit(transaction, { ...entry, resource: BIDDER_NOUN }, { actor, nowMs });
    await raiseVersion(transaction);
    return 'changed';
  });
}

/** Lets a demand partner be called again. The audit log tells who did it. */
export async function startBidder(
  db: Kysely<Database>,
  demandPartnerId: number,
  { actor, nowMs }: By,
): Promise<StopOutcome> {
  return db.transaction().execute(async (transaction) => {
    if (!(await hasPartner(transaction, demandPartnerId))) return 'unknown_partner';
    const removed = await transaction
      .deleteFrom('stopped_bidders')
      .where('demand_partner_id', '=', demandPartnerId)
      .returning('reason')
      .executeTakeFirst();
    if (removed === undefined) return 'unchanged';
    const change = { field: 'reason', before: removed.reason };
    const entry = { action: 'started', resourceId: demandPartnerId, changes: [change] } as const;
    await writeAudit(transaction, { ...entry, resource: BIDDER_NOUN }, { actor, nowMs });
    await raiseVersion(transaction);
    return 'changed';
  });
}

/** Null for one that is not stopped. */
export async function findStop(
  db: Kysely<Database>,
  demandPartnerId: number,
): Promise<BidderStop | null> {
  const row = await db
    .selectFrom('stopped_bidders')
    .select(['reason', 'stopped_at'])
    .where('demand_partner_id', '=', demandPartnerId)
    .executeTakeFirst();
  return row === undefined ? null : { reason: row.reason, atMs: row.stopped_at };
}

/** The stops of all demand partners that are stopped, by their ids. */
export async function findStops(db: Kysely<Database>): Promise<ReadonlyMap<number, BidderStop>> {
  const rows = await db.selectFrom('stopped_bidders').selectAll().execute();
  return new Map(
    rows.map((row) => [row.demand_partner_id, { reason: row.reason, atMs: row.stopped_at }]),
  );
}

async function hasPartner(db: Kysely<Database>, demandPartnerId: number): Promise<boolean> {
  const partner = await db
    .selectFrom('demand_partners')
    .select('id')
    .where('id', '=', demandPartnerId)
    .executeTakeFirst();
  return partner !== undefined;
}
