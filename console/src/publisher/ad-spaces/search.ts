import { given, oneOf, text, whole } from '../../app/search.ts';
import { STATUSES, type Status } from '../../parts/status/statuses.ts';

export const TABS = ['settings', 'tags', 'preview'] as const;

export interface AdSpacesSearch {
  readonly status?: Status;
  /** An app's or a site's id. */
  readonly in?: number;
  /** Part of a name, or an id. */
  readonly find?: string;
}

export interface NewAdSpaceSearch {
  /** The app's or site's id that it will be in. */
  readonly in?: number;
}

export interface AdSpaceSearch {
  readonly tab?: (typeof TABS)[number];
  /** The kind of tag that is shown. */
  readonly kind?: string;
}

export function readAdSpacesSearch(search: Record<string, unknown>): AdSpacesSearch {
  return given({
    status: oneOf(STATUSES, search['status']),
    in: whole(search['in']),
    find: text(search['find']),
  });
}

export function readNewAdSpaceSearch(search: Record<string, unknown>): NewAdSpaceSearch {
  return given({ in: whole(search['in']) });
}

export function readAdSpaceSearch(search: Record<string, unknown>): AdSpaceSearch {
  return given({ tab: oneOf(TABS, search['tab']), kind: text(search['kind']) });
}
