import { given, oneOf, text, whole } from '../../app/search.ts';

export const SHOWN = ['pending', 'blocked', 'approved'] as const;

export interface CreativesSearch {
  readonly show?: (typeof SHOWN)[number];
  readonly crid?: string;
  /** Of a demand partner alone. */
  readonly partner?: number;
  readonly page?: number;
}

export function readCreativesSearch(search: Record<string, unknown>): CreativesSearch {
  return given({
    show: oneOf(SHOWN, search['show']),
    crid: text(search['crid']),
    partner: whole(search['partner']),
    page: whole(search['page']),
  });
}
