import type { Refresh } from '../../snapshot/entities.ts';
import type { Json } from '../schema.ts';
import type { RefreshInput } from './refresh-schema.ts';

/** The limits as the exchange works with them. */
export function refreshSettings(column: Json | null): Refresh | null {
  if (column === null) return null;
  const refresh: RefreshInput = JSON.parse(column);
  return { minSeconds: refresh.min_seconds, maxPerPage: refresh.max_per_page ?? null };
}
