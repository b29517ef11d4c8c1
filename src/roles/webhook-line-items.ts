import type { Kysely } from 'kysely';
import { dateOf } from '../analytics/dates.ts';
import type { Pulse } from '../analytics/traffic.ts';
import { lineItemDocument } from '../configuration/resources/line-item.ts';
import type { Database } from '../configuration/schema.ts';
import type { Leases } from '../control/leases.ts';
import { partnerCondition, type Condition, type ConditionSource } from '../webhooks/condition.ts';
import {
  QuietLineItems,
  type ActiveLineItem,
  type Requests,
} from '../webhooks/quiet-line-items.ts';

export interface LineItemSourceParts {
  readonly db: Kysely<Database>;
  readonly readPulse: () => Promise<Pulse>;
  readonly leases: Pick<Leases, 'usedUp'>;
  readonly readRequests: (date: string) => Promise<Requests['requests']>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const OFTEN_MS = 10_000;
/** What reads the sums of a day. */
const SELDOM_MS = 60_000;

/** A limit that was raised is another one; the same one is used up once a day. */
export function budgetSource({
  db,
  leases,
  now,
}: Pick<LineItemSourceParts, 'db' | 'leases' | 'now'>): ConditionSource {
  return {
    kind: 'budget',
    types: ['budget.used_up'],
    everyMs: OFTEN_MS,
    read: async () => {
      const date = dateOf(now());
      const usedUp = await leases.usedUp();
      const found = await namesOf(
        db,
        usedUp.map(({ lineItemId }) => lineItemId),
      );
      const holds = usedUp.flatMap(({ lineItemId, cap }): Condition[] => {
        const line = found.get(lineItemId);
        if (line === undefined) return [];
        const { name, demandPartnerId } = line;
        const data = {
          demand_partner_id: demandPartnerId,
          line_item_id: lineItemId,
          name,
          date,
          max_daily_impressions: line.maxDailyImpressions,
          max_daily_spend: line.maxDailySpend,
        };
        const key = `budget ${date} ${lineItemId} ${cap.impressions} ${cap.micros}`;
        const event = { type: 'budget.used_up', data } as const;
        return [partnerCondition(demandPartnerId, key, event)];
      });
      return { holds, keeps: ({ key }) => key.startsWith(`budget ${date} `) };
    },
  };
}

interface BudgetedLineItem {
  readonly name: string;
  readonly demandPartnerId: number;
  readonly maxDailyImpressions: number | null;
  /** US dollars. */
  readonly maxDailySpend: number | null;
}

async function namesOf(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BudgetedLineItem>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('line_items').selectAll().where('id', 'in', ids).execute();
  return new Map(
    rows.map((row) => {
      const { capping } = lineItemDocument(row);
      const line = {
        name: row.name,
        demandPartnerId: row.demand_partner_id,
        maxDailyImpressions: capping.max_daily_impressions ?? null,
        maxDailySpend: capping.max_daily_spend ?? null,
      };
      return [row.id, line];
    }),
  );
}

/** Without any traffic at all no line item is to blame, and one whose budget is used up is told of so. */
export function lineItemSource(parts: LineItemSourceParts): ConditionSource {
  const { db, readPulse, readRequests, leases, now } = parts;
  const quiet = new QuietLineItems();
  return {
    kind: 'line item',
    types: ['line_item.no_traffic', 'line_item.traffic_resumed'],
    everyMs: SELDOM_MS,
    read: async () => {
      const nowMs = now();
      const date = dateOf(nowMs);
      const requests = await readRequests(date);
      const usedUp = new Set((await leases.usedUp()).map(({ lineItemId }) => lineItemId));
      const active = (await activeLineItems(db)).filter(({ id }) => !usedUp.has(id));
      const found = quiet.look(active, { date, requests, nowMs });
      if ((await readPulse()).recentRequests === 0) return null;
      const byKey = new Map(active.map((line) => [lineItemKey(line.id), line]));
      return {
        holds: found.map((each) => {
          const event = { type: 'line_item.no_traffic', data: lineItemData(each) } as const;
          return partnerCondition(each.demandPartnerId, lineItemKey(each.id), event);
        }),
        // An hour that began before control did is not over because nothing is known of it any more.
        keeps: ({ key }) => {
          const line = byKey.get(key);
          return line !== undefined && !quiet.hasHadTraffic(line.id);
        },
        over: ({ key, event: { data } }) =>
          byKey.has(key) ? { type: 'line_item.traffic_resumed', data } : null,
      };
    },
  };
}

function lineItemKey(id: number): string {
  return `line item ${id}`;
}

function lineItemData({ id, name, demandPartnerId }: ActiveLineItem) {
  return { demand_partner_id: demandPartnerId, line_item_id: id, name };
}

async function activeLineItems(db: Kysely<Database>): Promise<readonly ActiveLineItem[]> {
  return db
    .selectFrom('line_items as line')
    .innerJoin('demand_partners as partner', 'partner.id', 'line.demand_partner_id')
    .select(['line.id', 'line.name', 'line.demand_partner_id as demandPartnerId'])
    .where('line.status', '=', 'ACTIVE')
    .where('partner.status', '=', 'ACTIVE')
    .execute();
}
