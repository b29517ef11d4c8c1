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

/** What `writeAudit` has written. */
function readChanges(text: string): readonly FieldChange[] {
  const changes: unknown = JSON.parse(text);
  return Array.isArray(changes) ? changes : [];
}
