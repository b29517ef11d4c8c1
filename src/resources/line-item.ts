import Type, { type Static } from 'typebox';
import { microsFromDollars } from '../base/money.ts';
import { FieldTable } from './field-table.ts';
import { json, price, text, textOrNull } from './field.ts';
import { TargetingSchema } from './targeting.ts';
import { ID, NAME, SEAT, SPEND, STATUS, mapping, nullable, whole } from './vocabulary.ts';

const QPS_LIMIT = 10_000_000;
const DAILY_IMPRESSIONS_LIMIT = 1_000_000_000_000;

const CAPPING = mapping('capping', {
  max_qps: Type.Optional(nullable(whole(1, QPS_LIMIT, ', or null for no limit'))),
  max_daily_impressions: Type.Optional(
    nullable(whole(1, DAILY_IMPRESSIONS_LIMIT, ', or null for no limit')),
  ),
  max_daily_spend: Type.Optional(nullable(SPEND)),
});

/** Limits of a line item; null is no limit. */
export interface Capping {
  readonly maxQps: number | null;
  readonly maxDailyImpressions: number | null;
  readonly maxDailySpendMicros: number | null;
}

const CAPPING_KEPT = json(CAPPING, '{}');

/** What a demand partner buys: which traffic, for which seat, above which price, up to how much. */
export const LINE_ITEM = new FieldTable({
  name: text(NAME, '', { isNeeded: true }),
  description: text(
    Type.String({ maxLength: 2_000, description: 'a text of at most 2000 characters' }),
    '',
    { entity: null },
  ),
  status: text(STATUS, 'ACTIVE'),
  /** The buyer seat whose bids belong here; null takes the bids that name no seat. */
  seat: textOrNull(SEAT, { isOperators: true }),
  floor: price({ column: 'floor_micros', isOperators: true }),
  /** One that is given replaces the one before as a whole. */
  capping: {
    ...CAPPING_KEPT,
    write: (capping: CappingInput) => CAPPING_KEPT.write(withoutNulls(capping)),
    carry: (stored: string) => cappingOf(CAPPING_KEPT.read(stored)),
  },
  targeting: json(TargetingSchema, '{}'),
});

export const LineItemSchema = mapping('a line item', { id: ID, ...LINE_ITEM.inputs });

type CappingInput = Static<typeof CAPPING>;
export type LineItemInput = Static<typeof LineItemSchema>;

function cappingOf(capping: CappingInput): Capping {
  const spend = capping.max_daily_spend ?? null;
  return {
    maxQps: capping.max_qps ?? null,
    maxDailyImpressions: capping.max_daily_impressions ?? null,
    maxDailySpendMicros: spend === null ? null : microsFromDollars(spend),
  };
}

/** No limit is said by leaving it out. */
function withoutNulls(capping: CappingInput): CappingInput {
  return Object.fromEntries(Object.entries(capping).filter(([, limit]) => limit !== null));
}
