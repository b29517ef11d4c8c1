import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import { readAuditLog, type AuditLine, type AuditQuestion } from '../../configuration/audit-log.ts';
import { readAuditSubjects, type AuditSubject } from '../../configuration/audit-subjects.ts';
import type { Database } from '../../configuration/schema.ts';
import { NO_BODY, OPERATORS } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import { showInstant } from '../shown.ts';
import { readTime, TIME } from '../times.ts';
import { ACTION, ShownAuditEntrySchema, type ShownAuditEntry } from './schema.ts';

const TEXT_MAX = 300;
const text = (description: string) => Type.String({ maxLength: TEXT_MAX, description });

const QUERY = listQuery(
  {
    resource: Type.Optional(text('the kind of a resource, such as line item')),
    resource_id: Type.Optional(text('the id or name of a resource')),
    actor: Type.Optional(text('who changed it, such as an e-mail address')),
    action: Type.Optional(ACTION),
    from: Type.Optional(TIME),
    to: Type.Optional(TIME),
  },
  ['id'],
);

/** `GET /api/audit-log/`: who changed what, and when. */
export function registerAuditLog(
  endpoints: Endpoints,
  { db }: { readonly db: Kysely<Database> },
): void {
  endpoints.add(
    {
      id: 'listAuditEntries',
      method: 'GET',
      path: '/audit-log',
      tag: 'Operation',
      summary: 'List who changed what, and when',
      description:
        'The newest first, unless `sort=id` asks for the oldest. `from` is included, `to` is not; a day stands for its first moment in UTC.',
      roles: OPERATORS,
      query: QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the entries',
        schema: Type.Array(ShownAuditEntrySchema),
        example: [EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ query, request, reply }) => {
      const page = pageOf(query);
      const oldestFirst = page.sort?.descending === false;
      const { limit, offset } = page;
      const question = questionOf(query);
      const { lines, total } = await readAuditLog(db, question, { limit, offset, oldestFirst });
      answerPage(request, reply, { page, total });
      const subjectOf = await readAuditSubjects(db, lines);
      return lines.map((line) => showEntry(line, subjectOf(line)));
    },
  );
}

/** Unix milliseconds of a day or an instant with its offset; null for what is neither. */
const EXAMPLE: ShownAuditEntry = {
  id: 412,
  at: '2026-11-20T08:15:00.000Z',
  actor: 'trader@acme.example',
  user_id: 1_000_002,
  client_id: 'a3f1c09b52de47788c1d',
  action: 'updated',
  resource: 'line item',
  resource_id: '501',
  name: 'Acme everywhere',
  demand_partner_id: 1001,
  publisher_id: null,
  changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
};

function questionOf(query: Static<typeof QUERY>): AuditQuestion {
  const { resource, resource_id: resourceId, actor, action, from, to } = query;
  const fromMs = from === undefined ? null : readTime(from);
  const toMs = to === undefined ? null : readTime(to);
  if (fromMs !== null && toMs !== null && fromMs > toMs) {
    const message = `is ${from}, after to, ${to}; give the earlier first`;
    throw invalidRequest([{ path: ['from'], message }]);
  }
  return {
    ...(resource === undefined ? {} : { resource }),
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(fromMs === null ? {} : { fromMs }),
    ...(toMs === null ? {} : { toMs }),
  };
}

function showEntry(
  { at, userId, clientId, resourceId, ...line }: AuditLine,
  subject: AuditSubject | null,
): ShownAuditEntry {
  return {
    id: line.id,
    at: showInstant(at),
    actor: line.actor,
    user_id: userId,
    client_id: clientId,
    action: line.action,
    resource: line.resource,
    resource_id: resourceId,
    name: subject?.name ?? null,
    demand_partner_id: subject?.demandPartnerId ?? null,
    publisher_id: subject?.publisherId ?? null,
    changes: [...line.changes],
  };
}
