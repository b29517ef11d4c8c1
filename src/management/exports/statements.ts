import type { Kysely } from 'kysely';
import Type from 'typebox';
import type { ReportRow } from '../../analytics/report.ts';
import { BASIS_POINTS } from '../../base/money.ts';
import type { Database } from '../../configuration/schema.ts';
import { csvOf } from '../../base/csv.ts';
import { NO_BODY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { MONTH, readMonth } from './dates.ts';
import { SIDES, type ExportParts, type Side } from './parts.ts';
import { statementOf } from './statement-document.ts';
import { StatementSchema, type Statement } from './schema.ts';

const StatementQuerySchema = Type.Object(
  {
    month: MONTH,
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { description: 'json, which it is if nothing is said, or csv' }),
    ),
  },
  { additionalProperties: false, title: 'this address' },
);

/** `GET …/statement/?month=`: what an account owes or is owed for a month. */
export function addStatements(endpoints: Endpoints, parts: ExportParts): void {
  for (const side of SIDES) addStatement(endpoints, side, parts);
}

function addStatement(endpoints: Endpoints, side: Side, parts: ExportParts): void {
  endpoints.add(
    {
      id: `get${side.name}Statement`,
      method: 'GET',
      path: `${side.path}/statement`,
      tag: 'Exports',
      summary: `Get the statement of a ${side.noun} for a month`,
      description:
        'By day, in total, and by line item or ad space: the figures of the report. A month is final from the fourth day after its end; until then `final` is false. The current month and the four before it can be had.',
      roles: side.roles,
      query: StatementQuerySchema,
      queryExample: { month: '2026-11' },
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the statement; with format=csv a line for each day and one for the total, as CSV',
        schema: StatementSchema,
        example: EXAMPLES[side.side],
        asText: { type: 'text/csv', example: csvTextOf(EXAMPLES[side.side]) },
      },
      errors: ['analytics_unavailable', 'too_many_exports'],
    },
    async ({ caller, params, query, reply }) => {
      const id = await side.idOf(parts, caller, params);
      const span = readMonth(query.month, parts.now());
      const question = {
        side: side.side,
        accountId: id,
        startDate: span.first,
        endDate: span.last,
      };
      const statement = await parts.slots.during(`${side.side} ${id}`, reply, async () => {
        const [days, byId, party] = await Promise.all([
          parts.exports.daySums(question),
          parts.exports.idSums(question),
          readParty(parts.db, side.side, id),
        ]);
        return statementOf({
          side: side.side,
          span,
          days,
          parts: byId,
          ...party,
          nowMs: parts.now(),
        });
      });
      if (query.format !== 'csv') return statement;
      return reply.type('text/csv; charset=utf-8').send(csvTextOf(statement));
    },
  );
}

/** Names as they are now. */
async function readParty(db: Kysely<Database>, side: Side['side'], id: number) {
  if (side === 'demand') {
    const partner = db.selectFrom('demand_partners').select(['id', 'name']).where('id', '=', id);
    const items = db.selectFrom('line_items').select(['id', 'name']);
    return {
      account: await partner.executeTakeFirstOrThrow(),
      revenueShare: null,
      names: namesOf(await items.where('demand_partner_id', '=', id).execute()),
    };
  }
  const publisher = db.selectFrom('publishers').select(['id', 'name', 'revenue_share_bps']);
  const { revenue_share_bps: bps, ...account } = await publisher
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const spaces = db
    .selectFrom('ad_spaces')
    .innerJoin('properties', 'properties.id', 'ad_spaces.property_id')
    .select(['ad_spaces.id', 'ad_spaces.name'])
    .where('properties.publisher_id', '=', id);
  return {
    account,
    revenueShare: bps / BASIS_POINTS,
    names: namesOf(await spaces.execute()),
  };
}

function namesOf(rows: readonly { readonly id: number; readonly name: string }[]) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function csvTextOf(shown: Statement): string {
  const { statement, currency, final, amount_is: money, days, total } = shown;
  const columns = [
    'statement',
    'date',
    'impressions',
    'clicks',
    'wins',
    money,
    'currency',
    'final',
  ];
  const rowOf = ({ amount, ...counts }: Statement['days'][number]): ReportRow => {
    return { statement, ...counts, [money]: amount, currency, final };
  };
  return csvOf(
    columns,
    [...days, { date: 'total', ...total }].map((day) => rowOf(day)),
  );
}

const SUMS = { impressions: 7_600, clicks: 41, wins: 8_000, amount: 12.345678 };
const MONTH_SHOWN = {
  month: '2026-11',
  currency: 'USD',
  final: true,
  final_from: '2026-12-04',
  total: SUMS,
  days: [{ date: '2026-11-01', ...SUMS }],
} as const;

const EXAMPLES: Readonly<Record<Side['side'], Statement>> = {
  demand: {
    ...MONTH_SHOWN,
    statement: 'D1001-2026-11',
    account: { type: 'DEMAND_PARTNER', id: 1001, name: 'Acme DSP' },
    amount_is: 'gross_revenue',
    revenue_share: null,
    days: [...MONTH_SHOWN.days],
    parts: [{ id: 501, name: 'Default', ...SUMS }],
  },
  supply: {
    ...MONTH_SHOWN,
    statement: 'P2001-2026-11',
    account: { type: 'PUBLISHER', id: 2001, name: 'Planet Games' },
    amount_is: 'payout',
    revenue_share: 0.8,
    days: [...MONTH_SHOWN.days],
    parts: [{ id: 4001, name: 'Footer', ...SUMS }],
  },
};
