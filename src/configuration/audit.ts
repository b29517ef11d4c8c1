import { userInfo } from 'node:os';
import type { Kysely, Transaction } from 'kysely';
import { ROWS_MAX } from './insert-rows.ts';
import type { AuditAction, Database } from './schema.ts';

/** Who changes something: a user by a program or the console, or what acts on the machine itself. */
export interface Actor {
  /** The e-mail address of a user, or words such as `rialto apply by alice`. */
  readonly name: string;
  readonly userId: number | null;
  /** The application whose token was used. */
  readonly clientId: string | null;
}

/** Somebody on the machine itself: `configuration file by alice`. */
export function machineActor(what: string): Actor {
  return { name: `${what} by ${machineAccount()}`, userId: null, clientId: null };
}

/** The account that this process runs under; a container's may have no name. */
function machineAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** One key of a resource, as people read it; undefined values are left out of the JSON. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One line of the audit log. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** What people call it: a line item. */
  readonly resource: string;
  readonly resourceId: string | number;
  /** Secrets have no place here: they are neither stored nor shown. */
  readonly changes: readonly FieldChange[];
}

/** Adds a line to the audit log, in the transaction that makes the change. */
export async function writeAudit(
  transaction: Transaction<Database>,
  entry: AuditEntry,
  by: { readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  await writeAudits(transaction, [entry], by);
}

/** Adds lines to the audit log, a few hundred in one statement, in the order that they come in. */
export async function writeAudits(
  transaction: Transaction<Database>,
  entries: readonly AuditEntry[],
  { actor, nowMs }: { readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  const firstId = await nextId(transaction);
  const rows = entries.map(({ action, resource, resourceId, changes }, index) => ({
    id: firstId + index,
    at: nowMs,
    actor: actor.name,
    user_id: actor.userId,
    client_id: actor.clientId,
    action,
    resource,
    resource_id: String(resourceId),
    changes: JSON.stringify(changes),
  }));
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    await transaction
      .insertInto('audit_log')
      .values(rows.slice(start, start + ROWS_MAX))
      .execute();
  }
}

/** The keys in which two forms of a resource differ; all of them where there was none. */
export function fieldChanges(before: object | null, after: object): FieldChange[] {
  const was = new Map<string, unknown>(Object.entries(before ?? {}));
  return (
    Object.entries(after)
      .filter(([field, value]) => JSON.stringify(was.get(field)) !== JSON.stringify(value))
      // JSON leaves out what is undefined.
      .map(([field, value]) => ({ field, before: was.get(field), after: value }))
  );
}

async function nextId(transaction: Kysely<Database>): Promise<number> {
  const last = await transaction
    .selectFrom('audit_log')
    .select((is) => is.fn.max('id').as('id'))
    .executeTakeFirst();
  return (last?.id ?? 0) + 1;
}
