import type { Kysely } from 'kysely';
import { figuresOf, type Held } from '../analytics/held.ts';
import type { HeldService } from '../analytics/held-service.ts';
import type { ShownHeld } from '../analytics/held-schema.ts';
import type { Quarantine } from '../analytics/quarantine.ts';
import { RialtoError } from '../base/errors.ts';
import { writeAudit, type Actor } from '../configuration/audit.ts';
import type { AuditAction, Database } from '../configuration/schema.ts';
import type { Analytics } from './analytics.ts';

export interface QuarantineServiceParts {
  readonly db: Kysely<Database>;
  readonly quarantine: Pick<Quarantine, 'list' | 'find' | 'read'>;
  readonly analytics: Pick<Analytics, 'loader'>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const TEXT_BYTES_MAX = 64 * 1024;

/** For `rialto quarantine`, the API and the console. */
export function createQuarantineService(parts: QuarantineServiceParts): HeldService<Actor> {
  const { quarantine, analytics } = parts;
  const loader = () => {
    if (analytics.loader === null) throw new RialtoError('analytics_unavailable');
    return analytics.loader;
  };
  return {
    list: async () => (await quarantine.list()).map(showHeld),
    show: async (id) => {
      const held = await quarantine.find(id);
      if (held === null) return null;
      const bytes = await quarantine.read(held);
      const details = held.parts.map(({ bytes: _, ...part }) => part);
      return { ...showHeld(held), parts: details, text: bytes.toString('utf8', 0, TEXT_BYTES_MAX) };
    },
    retry: async (id, actor) => {
      const before = await quarantine.find(id);
      const result = await loader().retryHeld(id);
      if (result.kind === 'unknown' || before === null) return null;
      if (result.kind === 'busy') throw new RialtoError('quarantine_busy');
      if (result.kind === 'failed') {
        throw new RialtoError('analytics_unavailable', [{ pointer: '', message: result.reason }]);
      }
      const entry = result.held === null ? null : showHeld(result.held);
      await audit(parts, actor, {
        id,
        action: 'updated',
        before,
        left: entry?.refused_records ?? 0,
      });
      return { loaded: result.loaded, entry };
    },
    drop: async (id, actor) => {
      const result = await loader().dropHeld(id);
      if (result.kind === 'unknown') return null;
      if (result.kind === 'busy') throw new RialtoError('quarantine_busy');
      await audit(parts, actor, { id, action: 'deleted', before: result.held, left: 0 });
      return showHeld(result.held);
    },
  };
}

function showHeld(held: Held): ShownHeld {
  const { refused, damaged, missing } = figuresOf([held]);
  const { id, at, node, stream, tries } = held;
  return {
    id,
    at,
    node,
    stream,
    refused_records: refused,
    damaged_places: damaged,
    missing_records: missing,
    tries,
  };
}

interface Done {
  readonly id: string;
  readonly action: AuditAction;
  readonly before: Held;
  readonly left: number;
}

async function audit(
  { db, now }: QuarantineServiceParts,
  actor: Actor,
  { id, action, before, left }: Done,
): Promise<void> {
  const { refused, missing } = figuresOf([before]);
  const changes = [
    { field: 'refused_records', before: refused, after: left },
    ...(action === 'deleted' ? [{ field: 'missing_records', before: missing, after: 0 }] : []),
  ];
  const entry = { action, resource: 'quarantine entry', resourceId: id, changes } as const;
  await db
    .transaction()
    .execute((transaction) => writeAudit(transaction, entry, { actor, nowMs: now() }));
}
