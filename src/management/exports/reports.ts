import Type from 'typebox';
import {
  DEMAND_DIMENSIONS,
  SUPPLY_DIMENSIONS,
  type Report,
  type ReportRow,
} from '../../analytics/report.ts';
import type { Checked } from '../../base/problem.ts';
import { RialtoError } from '../../base/errors.ts';
import { csvOf } from '../../base/csv.ts';
import { textOf } from '../../reporting/report-text.ts';
import { readReportQuery, type ReportQuery } from '../../reporting/parameters.ts';
import { NO_BODY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerStream } from './answer-stream.ts';
import { DATE } from './dates.ts';
import { SIDES, type ExportParts, type Side } from './parts.ts';
import { ShownReportSchema, type ShownReport } from './schema.ts';

/** The report's own checks say more than a schema can. */
function querySchema(dimensions: readonly string[]) {
  const dimension = `(${dimensions.join('|')})`;
  return Type.Object(
    {
      start_date: DATE,
      end_date: DATE,
      format: Type.Optional(
        Type.Enum(['json', 'csv'], { description: 'json, which it is if nothing is said, or csv' }),
      ),
      group_by: Type.Optional(
        Type.String({
          pattern: `^${dimension}(,${dimension})*$`,
          description: `one or several of ${dimensions.join(', ')}, with commas between them; date if nothing is said`,
        }),
      ),
    },
    { additionalProperties: false, title: 'this address' },
  );
}

/** `GET …/report/`: the report of the reporting API, for who has signed in. */
export function addReports(endpoints: Endpoints, parts: ExportParts): void {
  for (const side of SIDES) addReport(endpoints, side, parts);
}

function addReport(endpoints: Endpoints, side: Side, parts: ExportParts): void {
  endpoints.add(
    {
      id: `get${side.name}Report`,
      method: 'GET',
      path: `${side.path}/report`,
      tag: 'Exports',
      summary: `Get the daily report of a ${side.noun}`,
      description: `The ${side.side} report of the reporting API, with the same parameters, rows and figures. It does not count against the hundred an hour of the account's reporting token; a few may be under way at once.`,
      roles: side.roles,
      query: querySchema(side.side === 'demand' ? DEMAND_DIMENSIONS : SUPPLY_DIMENSIONS),
      queryExample: {
        start_date: '2026-11-01',
        end_date: '2026-11-20',
        group_by: 'country_code',
      },
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the report; with format=csv as CSV, a header line and a line for each row',
        schema: ShownReportSchema,
        example: EXAMPLES[side.side],
        asText: { type: 'text/csv', example: csvExample(EXAMPLES[side.side].data) },
      },
      errors: ['analytics_unavailable', 'too_many_exports'],
    },
    async ({ caller, params, query, request, reply }) => {
      const id = await side.idOf(parts, caller, params);
      const end = parts.slots.begin(`${side.side} ${id}`, reply);
      try {
        const { format, report } = await readReport(side.side, id, { query, parts });
        const type = format === 'csv' ? 'text/csv' : 'application/json';
        reply.type(`${type}; charset=utf-8`);
        return await answerStream(request, reply, { pieces: textOf(report, format), end });
      } catch (error) {
        end();
        throw error;
      }
    },
  );
}

async function readReport(
  side: Side['side'],
  accountId: number,
  asked: { readonly query: object; readonly parts: ExportParts },
): Promise<{ readonly format: 'json' | 'csv'; readonly report: Report }> {
  const { exports, now } = asked.parts;
  const query = { ...asked.query };
  if (side === 'demand') {
    const read = valid(readReportQuery(query, DEMAND_DIMENSIONS, now()));
    return { format: read.format, report: await exports.demandReport({ ...read, accountId }) };
  }
  const read = valid(readReportQuery(query, SUPPLY_DIMENSIONS, now()));
  return { format: read.format, report: await exports.supplyReport({ ...read, accountId }) };
}

function valid<Dimension extends string>(
  checked: Checked<ReportQuery<Dimension>>,
): ReportQuery<Dimension> {
  if (checked.ok) return checked.value;
  const problems = checked.problems.map(({ pointer, message }) => ({
    pointer: `/${pointer}`,
    message,
  }));
  throw new RialtoError('invalid_request', problems);
}

function csvExample(rows: readonly ReportRow[]): string {
  return csvOf(Object.keys(rows[0] ?? {}), rows);
}

const EXAMPLES: Readonly<Record<Side['side'], ShownReport>> = {
  demand: {
    status: 'success',
    data: [
      {
        country_code: 'USA',
        gross_revenue: 12.345678,
        impressions: 7_600,
        bids: 20_500,
        clicks: 41,
        dsp_requests: 86_400,
        wins: 8_000,
      },
    ],
    result_count: 1,
  },
  supply: {
    status: 'success',
    data: [{ country_code: 'USA', impressions: 7_600, payout: 9.876542, clicks: 41 }],
    result_count: 1,
  },
};
