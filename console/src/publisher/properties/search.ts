import { given, oneOf } from '../../app/search.ts';
import { STATUSES, type Status } from '../../parts/status/statuses.ts';

export interface PropertiesSearch {
  readonly status?: Status;
}

export interface NewPropertySearch {
  readonly type?: 'app' | 'site';
}

export function readPropertiesSearch(search: Record<string, unknown>): PropertiesSearch {
  return given({ status: oneOf(STATUSES, search['status']) });
}

export function readNewPropertySearch(search: Record<string, unknown>): NewPropertySearch {
  return given({ type: oneOf(['app', 'site'], search['type']) });
}
