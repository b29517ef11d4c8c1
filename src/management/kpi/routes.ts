import type { Kysely } from 'kysely';
import Type from 'typebox';
import { eachDate, reportWindow } from '../../analytics/dates.ts';
import type { KpiQuestion, KpiRow } from '../../analytics/kpi.ts';
import type { Finding } from '../../configuration/finding.ts';
import type { Database } from '../../configuration/schema.ts';
import { DEMAND_SIDE, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { demandPartnerOf } from '../owners.ts';
import { KpiRequestSchema, KpiSchema, type Kpi, type KpiRequest } from './schema.ts';

/** What KPIs are read with. */
export interface KpiParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readKpis: (question: KpiQuestion) => Promise<readonly KpiRow[]>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** An answer of so many rows has about 25 MB. */
const ROWS_MAX = 100_000;

/** `POST …/line-items/xch/kpi/`: what became of the line items of a demand partner, day by day. */
export function registerKpi(endpoints: Endpoints, { db, readKpis, now }: KpiParts): void {
  endpoints.add(
    {
      id: 'queryKpis',
      method: 'POST',
      path: '/demand-partners/:demand_partner_id/line-items/xch/kpi',
      tag: 'Line items',
      summary: 'Ask for the KPIs of line items',
      description: `One row for each line item and UTC day, zeros included, by date and then by id. Both dates are included; days of the current month and of the four before it can be had, and ${ROWS_MAX} rows (line items × days) at a time. Archived line items have their KPIs as well.`,
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
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params, body }) => {
      const demandPartnerId = await demandPartnerOf(db, caller, params);
      const own = await readLineItemIds(db, demandPartnerId);
      const lineItemIds = body.lineitems ?? own;
      const findings = [...checkDates(body, now()), ...checkOwner(body, new Set(own))];
      if (findings.length === 0) findings.push(...checkRows(body, lineItemIds));
      if (findings.length > 0) throw invalidRequest(findings);
      const { start_date: startDate, end_date: endDate } = body;
      return readKpis({ demandPartnerId, lineItemIds, startDate, endDate });
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

function checkRows(
  { start_date: start, end_date: end }: KpiRequest,
  lineItemIds: readonly number[],
): Finding[] {
  const items = new Set(lineItemIds).size;
  const days = eachDate(start, end).length;
  const rows = items * days;
  if (rows <= ROWS_MAX) return [];
  const message = `asks for ${rows} rows (${items} line items on ${days} days); the most is ${ROWS_MAX}: name fewer line items in lineitems, or fewer days`;
  return [{ path: [], message }];
}
