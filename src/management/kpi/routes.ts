import type { Kysely } from 'kysely';
import Type from 'typebox';
import { reportWindow } from '../../analytics/dates.ts';
import type { KpiQuestion, KpiRow } from '../../analytics/kpi.ts';
import type { Finding } from '../../configuration/finding.ts';
import type { Database } from '../../configuration/schema.ts';
import { DEMAND_SIDE, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerStream } from '../exports/answer-stream.ts';
import type { ExportSlots } from '../exports/slots.ts';
import { demandPartnerOf } from '../owners.ts';
import { KpiRequestSchema, KpiSchema, type Kpi, type KpiRequest } from './schema.ts';

/** What KPIs are read with. */
export interface KpiParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readKpis: (question: KpiQuestion) => AsyncGenerator<readonly KpiRow[], void, void>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** `POST …/line-items/xch/kpi/`: what became of the line items of a demand partner, day by day. */
export function registerKpi(
  endpoints: Endpoints,
  { db, readKpis, slots, now }: KpiParts & { readonly slots: ExportSlots },
): void {
  endpoints.add(
    {
      id: 'queryKpis',
      method: 'POST',
      path: '/demand-partners/:demand_partner_id/line-items/xch/kpi',
      tag: 'Line items',
      summary: 'Ask for the KPIs of line items',
      description: `One row for each line item and UTC day, zeros included, by date and then by id. Both dates are included; days of the current month and of the four before it can be had. Archived line items have their KPIs as well. A long answer comes as it is read, and is cut off where reading fails; a few may be under way at once.`,
      roles: DEMAND_SIDE,
      scope: 'read',
      query: NO_QUERY,
      body: { schema: KpiRequestSchema, example: EXAMPLE_REQUEST },
      answer: {
        status: 200,
        meaning: 'the KPIs',
        schema: Type.Array(KpiSchema),
        example: [EXAMPLE],
      },
      errors: ['analytics_unavailable', 'too_many_exports'],
    },
    async ({ caller, params, body, request, reply }) => {
      const demandPartnerId = await demandPartnerOf(db, caller, params);
      const own = await readLineItemIds(db, demandPartnerId);
      const lineItemIds = body.lineitems ?? own;
      const findings = [...checkDates(body, now()), ...checkOwner(body, new Set(own))];
      if (findings.length > 0) throw invalidRequest(findings);
      const { start_date: startDate, end_date: endDate } = body;
      const end = slots.begin(`demand ${demandPartnerId}`, reply);
      try {
        const rows = readKpis({ demandPartnerId, lineItemIds, startDate, endDate });
        reply.type('application/json; charset=utf-8');
        return answerStream(request, reply, { pieces: listOf(rows), end });
      } catch (error) {
        end();
        throw error;
      }
    },
  );
}

const EXAMPLE_REQUEST: KpiRequest = {
  start_date: '2026-11-19',
  end_date: '2026-11-20',
  lineitems: [501],
};

const EXAMPLE: Kpi = {
  lineitem_id: 501,
  date: '2026-11-19',
  dsp_requests: 86_400,
  responses: 20_000,
  no_bids: 65_000,
  timeouts: 1_300,
  errors: 100,
  throttled: 12,
  bids: 20_500,
  bids_in_auction: 20_100,
  wins: 8_000,
  impressions: 7_600,
  clicks: 41,
  gross_revenue: 12.345678,
};

async function readLineItemIds(db: Kysely<Database>, demandPartnerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('line_items')
    .select('id')
    .where('demand_partner_id', '=', demandPartnerId)
    .execute();
  return rows.map(({ id }) => id);
}

function checkDates({ start_date: start, end_date: end }: KpiRequest, nowMs: number): Finding[] {
  if (start > end) {
    const message = `is ${start}, after end_date ${end}; give the earlier day first`;
    return [{ path: ['start_date'], message }];
  }
  const { first, last } = reportWindow(nowMs);
  const findings: Finding[] = [];
  for (const [key, date] of Object.entries({ start_date: start, end_date: end })) {
    if (date >= first && date <= last) continue;
    findings.push({ path: [key], message: `is ${date}; days from ${first} to ${last} can be had` });
  }
  return findings;
}

/** What is another partner's is told in the same words as what is nobody's. */
function checkOwner({ lineitems = [] }: KpiRequest, own: ReadonlySet<number>): Finding[] {
  const message = 'is no line item of this demand partner';
  return lineitems.flatMap((id, index) =>
    own.has(id) ? [] : [{ path: ['lineitems', index], message }],
  );
}

/** One JSON array, a piece for each day. */
async function* listOf(
  days: AsyncGenerator<readonly KpiRow[], void, void>,
): AsyncGenerator<string, void, void> {
  let before = '[';
  for await (const rows of days) {
    if (rows.length === 0) continue;
    yield `${before}${JSON.stringify(rows).slice(1, -1)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
