import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { describeTargeting } from '../parts/targeting/describe-targeting.ts';
import type { Targeting } from '../parts/targeting/targeting.ts';

/** What can be typed into a field for a number: nothing is no limit. */
export type Amount = number | string;

/** A line item as it stands in the form. */
export interface LineItemDraft {
  readonly name: string;
  readonly description: string;
  readonly targeting: Targeting;
  readonly max_qps: Amount;
  readonly max_daily_impressions: Amount;
  readonly max_daily_spend: Amount;
  readonly seat: string;
  readonly floor: Amount;
}

const CAPS = ['max_qps', 'max_daily_impressions', 'max_daily_spend'] as const;

export const NEW_DRAFT: LineItemDraft = {
  name: '',
  description: '',
  targeting: {},
  max_qps: '',
  max_daily_impressions: '',
  max_daily_spend: '',
  seat: '',
  floor: 0,
};

/** The form's text of a line item. */
export function draftOf(lineItem: ShownLineItem): LineItemDraft {
  const { name, description, targeting, capping, seat, floor } = lineItem;
  return {
    name,
    description,
    targeting,
    max_qps: capping.max_qps ?? '',
    max_daily_impressions: capping.max_daily_impressions ?? '',
    max_daily_spend: capping.max_daily_spend ?? '',
    seat: seat ?? '',
    floor,
  };
}

/**
 * What is sent to make a line item like this.
 *
 * @param isOperator seat and floor are the operator's.
 */
export function bodyOf(draft: LineItemDraft, isOperator: boolean): Record<string, unknown> {
  const capping = Object.fromEntries(
    CAPS.flatMap((cap) => (draft[cap] === '' ? [] : [[cap, draft[cap]]])),
  );
  const { name, description, targeting } = draft;
  const seat = draft.seat.trim() === '' ? null : draft.seat.trim();
  const ofOperator = isOperator ? { seat, floor: draft.floor === '' ? 0 : draft.floor } : {};
  return { name, description, capping, targeting, ...ofOperator };
}

const LABELS = {
  name: 'Name',
  description: 'Description',
  max_qps: 'Bid requests per second',
  max_daily_impressions: 'Impressions a day',
  max_daily_spend: 'Spend a day',
  seat: 'Seat',
  floor: 'Floor',
} as const;

/** A line item in words, for whoever has to look at a change. */
export function wordsOf({ targeting, ...rest }: LineItemDraft): Readonly<Record<string, string>> {
  const entries = Object.entries(rest).map(([key, value]) => [labelOf(key), String(value)]);
  return { ...Object.fromEntries(entries), Targeting: describeTargeting(targeting) };
}

function labelOf(key: string): string {
  return Object.entries(LABELS).find(([name]) => name === key)?.[1] ?? key;
}
