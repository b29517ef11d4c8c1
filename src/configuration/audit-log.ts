import type { Kysely } from 'kysely';
import type { FieldChange } from './audit.ts';
import type { AuditAction, Database } from './schema.ts';

/** Which lines of the audit log are asked for: all conditions have to hold. */
export interface AuditQuestion {
  readonly resource?: string;
  readonly resourceId?: string;
  readonly actor?: string;
  readonly action?: AuditAction;
  /** Unix milliseconds, the first of them included, the second not. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A part of the log. */
export interface AuditPage {
  readonly limit: number;
  readonly offset: number;
  readonly oldestFirst: boolean;
}

export interface AuditLine {
  readonly id: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly actor: string;
  readonly userId: number | null;
  readonly clientId: string | null;
  readonly action: AuditAction;
  readonly resource: string;
  readonly resourceId: string;
  readonly changes: readonly FieldChange[];
}

/** Reads lines of the audit log, and how many there are in all that were asked for. */
export async function readAuditLog(
  db: Kysely<Database>,
  question: AuditQuestion,
  { limit, offset, oldestFirst }: AuditPage,
): Promise<{ readonly lines: readonly AuditLine[]; readonly total: number }> {
  const { resource, resourceId, actor, action, fromMs, toMs } = question;
  let asked = db.selectFrom('audit_log');
  if (resource !== undefined) asked = asked.where('resource', '=', resource);
  if (resourceId !== undefined) asked = asked.where('resource_id', '=', resourceId);
  if (actor !== undefined) asked = asked.where('actor', '=', actor);
  if (action !== undefined) asked = asked.where('action', '=', action);
  if (fromMs !== undefined) asked = asked.where('at', '>=', fromMs);
  if (toMs !== undefined) asked = asked.where('at', '<', toMs);
  const counted = await asked.select((is) => is.fn.countAll().as('total')).executeTakeFirst();
  const rows = await asked
    .selectAll()
    // In the order of their ids, since clocks are set back at times.
    .orderBy('id', oldestFirst ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const lines = rows.map(({ user_id: userId, client_id: clientId, resource_id, ...row }) => ({
    id: row.id,
    at: row.at,
    actor: row.actor,
    userId,
    clientId,
    action: row.action,
    resource: row.resource,
    resourceId: resource_id,
    changes: readChanges(row.changes),
  }));
  return { lines, total: Number(counted?.total ?? 0) };
}

/** Entries that are looked at, and removed, in one transaction. */
const TRIMMED_AT_ONCE = 1_000;

/**
 * Removes entries from before a moment, the oldest first, in portions that hold nobody up. The newest
 * stays whatever its age, because the next id follows it.
 *
 * @returns how many were removed.
 */
export async function trimAuditLog(db: Kysely<Database>, beforeMs: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await trimSome(db, beforeMs);
    removed += count;
    if (count < TRIMMED_AT_ONCE) return removed;
  }
}

async function trimSome(db: Kysely<Database>, beforeMs: number): Promise<number> {
  // By id, which costs no look at the others: what a clock that was set back has left goes later.
  const oldest = await db
    .selectFrom('audit_log')
    .select(['id', 'at'])
    .orderBy('id')
    .limit(TRIMMED_AT_ONCE + 1)
    .execute();
  const ids = oldest
    .slice(0, -1)
    .filter(({ at }) => at < beforeMs)
    .map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('audit_log').where('id', 'in', ids).execute();
  return ids.length;
}

/** What `writeAudit` has written. */
function readChanges(text: string): readonly FieldChange[] {
  const changes: unknown = JSON.parse(text);
  return Array.isArray(changes) ? changes : [];
}
