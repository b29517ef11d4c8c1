import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { CountFacts } from '../../analytics/count-facts.ts';
import { addDays, dateOf } from '../../analytics/dates.ts';
import { RAW_DAYS } from '../../analytics/rebuild.ts';
import { RialtoError } from '../../base/errors.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { compareCounts } from './compare-counts.ts';
import { ComparisonSchema, type Comparison } from './schema.ts';
import { DATE, MONTH, isDate, readDate, readMonth, wrong, type Span } from './dates.ts';
import { SIDES, type ExportParts, type Side } from './parts.ts';
import { readCounts } from './uploaded-counts.ts';

const CSV = 'text/csv';
/** A hundred thousand lines, of a few days each. */
const CSV_BYTES_MAX = 2 * 1024 * 1024;
const SEGMENT = '/comparison';

const ComparisonQuerySchema = Type.Object(
  {
    month: Type.Optional(MONTH),
    start_date: Type.Optional(DATE),
    end_date: Type.Optional(DATE),
  },
  { additionalProperties: false, title: 'this address' },
);

/** `POST …/comparison/`: the figures of somebody else beside ours. Nothing of them is kept. */
export function addComparisons(endpoints: Endpoints, parts: ExportParts): void {
  for (const side of SIDES) addComparison(endpoints, side, parts);
}

function addComparison(endpoints: Endpoints, side: Side, parts: ExportParts): void {
  endpoints.add(
    {
      id: `compare${side.name}Counts`,
      method: 'POST',
      path: `${side.path}${SEGMENT}`,
      tag: 'Exports',
      summary: `Compare the own counts of a ${side.noun} with ours`,
      description: `Takes a CSV of at most ${CSV_BYTES_MAX / 1024 / 1024} MB with a header: \`date\` and some of \`impressions\`, \`clicks\`, \`wins\` and \`revenue\`, in any order; several lines of a day are added up. For \`month\`, or from \`start_date\` to \`end_date\`. Answers by day with what differs and the likely cause, as far as the records tell: raw records are kept for ${RAW_DAYS} days. Nothing is stored.`,
      roles: side.roles,
      scope: 'read',
      query: ComparisonQuerySchema,
      queryExample: { month: '2026-11' },
      body: {
        schema: Type.String({ description: `figures by day as CSV, sent as ${CSV}` }),
        type: CSV,
        example: 'date,impressions,revenue\n2026-11-19,7600,12.35\n',
      },
      answer: {
        status: 200,
        meaning: 'both figures of each day, with what explains a difference',
        schema: ComparisonSchema,
        example: EXAMPLE,
      },
      errors: [
        'analytics_unavailable',
        'too_many_exports',
        'body_too_large',
        'unsupported_media_type',
      ],
    },
    async ({ caller, params, query, body, reply }) => {
      const id = await side.idOf(parts, caller, params);
      const span = readSpan(query, parts.now());
      return parts.slots.during(`${side.side} ${id}`, reply, async () => {
        const read = await readCounts(body, span);
        if (!read.ok) throw invalidRequest(read.findings);
        return compare({ side: side.side, id, span, parts }, read);
      });
    },
  );
}

/** Reads bodies in CSV as text, of the endpoints that take them. */
export function acceptCounts(api: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: CSV_BYTES_MAX } as const;
  api.addContentTypeParser(CSV, options, async (request: FastifyRequest, body: string) => {
    const { url = '' } = request.routeOptions;
    if (!url.replace(/\/$/, '').endsWith(SEGMENT)) throw new RialtoError('unsupported_media_type');
    return body;
  });
}

interface Asked {
  readonly side: Side['side'];
  readonly id: number;
  readonly span: Span;
  readonly parts: ExportParts;
}

type Read = Extract<Awaited<ReturnType<typeof readCounts>>, { readonly ok: true }>;

async function compare(
  { side, id, span, parts }: Asked,
  { metrics, days }: Read,
): Promise<Comparison> {
  const { exports, now } = parts;
  const today = dateOf(now());
  const question = { side, accountId: id, startDate: span.first, endDate: span.last };
  const kept = factDaysOf(span, today);
  const [ours, facts] = await Promise.all([
    exports.daySums(question),
    kept.first <= kept.last
      ? exports.countFacts({ ...question, startDate: kept.first, endDate: kept.last })
      : NO_FACTS,
  ]);
  return compareCounts({ side, span, metrics, theirs: days, ours, facts, factDays: kept });
}

const NO_FACTS: CountFacts = { hours: new Map(), days: new Map() };

/** The days of which records are kept, with one more at either end for what crosses midnight. */
function factDaysOf({ first, last }: Span, today: string): Span {
  const kept = addDays(today, 1 - RAW_DAYS);
  const before = addDays(first, -1);
  const after = addDays(last, 1);
  return { first: before > kept ? before : kept, last: after < today ? after : today };
}

/** @throws RialtoError unless it is either a month or a first and a last day. */
function readSpan(
  query: { readonly month?: string; readonly start_date?: string; readonly end_date?: string },
  nowMs: number,
): Span {
  const { month, start_date: first, end_date: last } = query;
  const today = dateOf(nowMs);
  if (month !== undefined && first === undefined && last === undefined) {
    const span = readMonth(month, nowMs);
    return { first: span.first, last: span.last < today ? span.last : today };
  }
  if (month !== undefined || first === undefined || last === undefined) {
    throw wrong('month', 'must be given alone, or start_date and end_date in its place');
  }
  const from = earliest(nowMs);
  const startDate = readDate('start_date', first, { first: from, last: today });
  if (isDate(last) && last < startDate) throw wrong('end_date', 'must not be before start_date');
  return { first: startDate, last: readDate('end_date', last, { first: from, last: today }) };
}

function earliest(nowMs: number): string {
  const at = new Date(nowMs);
  return dateOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 4, 1));
}

const EXAMPLE: Comparison = {
  start_date: '2026-11-19',
  end_date: '2026-11-19',
  metrics: ['impressions'],
  agrees: false,
  time_zone_hours: null,
  total: [{ metric: 'impressions', ours: 7_600, theirs: 7_580, difference: -20, percent: -0.2632 }],
  days: [
    {
      date: '2026-11-19',
      agrees: false,
      differences: [
        { metric: 'impressions', ours: 7_600, theirs: 7_580, difference: -20, percent: -0.2632 },
      ],
      causes: [
        {
          code: 'notices_not_delivered',
          sentence:
            'Of 7600 billing notices of this day 20 were given up without an answer, and 0 are not known to be delivered.',
          metrics: ['impressions'],
          figures: { due: 7_600, delivered: 7_580, given_up: 20, pending: 0, repeated: 0 },
        },
      ],
    },
  ],
};
