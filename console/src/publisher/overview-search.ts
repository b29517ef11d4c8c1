import { given, oneOf } from '../app/search.ts';

/** Days that figures are told of. */
export const PERIODS = ['1', '7', '30'] as const;

export interface OverviewSearch {
  readonly days?: (typeof PERIODS)[number];
}

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return given({ days: oneOf(PERIODS, String(search['days'])) });
}
