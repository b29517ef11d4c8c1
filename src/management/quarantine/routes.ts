import Type from 'typebox';
import type { HeldService } from '../../analytics/held-service.ts';
import {
  RetriedSchema,
  ShownHeldDetailsSchema,
  ShownHeldSchema,
  type ShownHeld,
} from '../../analytics/held-schema.ts';
import { RialtoError } from '../../base/errors.ts';
import type { Actor } from '../../configuration/audit.ts';
import { actorOf } from '../actor.ts';
import { NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';

export interface QuarantineParts {
  readonly quarantine: HeldService<Actor>;
}

const TAG = 'Operation';
const PATH = '/quarantine/:entry_id';

/** `/api/quarantine/`: what could not be loaded. */
export function registerQuarantine(endpoints: Endpoints, { quarantine }: QuarantineParts): void {
  endpoints.add(
    {
      id: 'listQuarantine',
      method: 'GET',
      path: '/quarantine',
      tag: TAG,
      summary: 'List what could not be loaded',
      description:
        'Records that the analytics store refused, and damaged places of journals; the oldest first.',
      roles: OPERATORS,
      query: listQuery({}, ['at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the entries',
        schema: Type.Array(ShownHeldSchema),
        example: [EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ query, request, reply }) => {
      const page = pageOf(query);
      const oldestFirst = await quarantine.list();
      const all = page.sort?.descending === true ? oldestFirst.toReversed() : oldestFirst;
      answerPage(request, reply, { page, total: all.length });
      return all.slice(page.offset, page.offset + page.limit);
    },
  );
  endpoints.add(
    {
      id: 'getQuarantineEntry',
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'Show an entry of quarantine with what can be read of it',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the entry',
        schema: ShownHeldDetailsSchema,
        example: { ...EXAMPLE, parts: [PART], text: '{"kind":"auction"}\n' },
      },
    },
    async ({ params }) => found(await quarantine.show(idOf(params))),
  );
  addRetry(endpoints, quarantine);
  addDrop(endpoints, quarantine);
}

function addRetry(endpoints: Endpoints, quarantine: HeldService<Actor>): void {
  endpoints.add(
    {
      id: 'retryQuarantineEntry',
      method: 'POST',
      path: `${PATH}/retry`,
      tag: TAG,
      summary: 'Load the refused records of an entry again',
      description:
        'What is refused again stays in the entry, and so does what is damaged. Each record is loaded once.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'what became of the records',
        schema: RetriedSchema,
        example: { loaded: 2, entry: null },
      },
      errors: ['quarantine_busy', 'analytics_unavailable'],
    },
    async ({ params, caller }) => found(await quarantine.retry(idOf(params), actorOf(caller))),
  );
}

function addDrop(endpoints: Endpoints, quarantine: HeldService<Actor>): void {
  endpoints.add(
    {
      id: 'dropQuarantineEntry',
      method: 'DELETE',
      path: PATH,
      tag: TAG,
      summary: 'Remove an entry of quarantine with its records',
      description: 'They are in no report then, for good.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'what was removed',
        schema: ShownHeldSchema,
        example: EXAMPLE,
      },
      errors: ['quarantine_busy', 'analytics_unavailable'],
    },
    async ({ params, caller }) => found(await quarantine.drop(idOf(params), actorOf(caller))),
  );
}

function idOf(params: Readonly<Record<string, string>>): string {
  return params['entry_id'] ?? '';
}

function found<Entry>(entry: Entry | null): Entry {
  if (entry === null) throw new RialtoError('not_found');
  return entry;
}

const EXAMPLE: ShownHeld = {
  id: '2f1d6a0c9b8e7f34',
  at: '2026-11-20T08:12:30.000Z',
  node: '0123456789abcdef',
  stream: 'money',
  refused_records: 2,
  damaged_places: 0,
  missing_records: 0,
  tries: 0,
};

const PART = {
  cause: 'refused',
  reason: 'VIOLATED_CONSTRAINT: time_is_plausible',
  segment: 'money-0123456789abcdef-20261120T081200000Z-1a2b3c4d-000001.ndjson',
  start: 70_210,
  end: 73_014,
  records: 2,
  missing: 0,
} as const;
