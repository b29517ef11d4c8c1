import { given, whole } from '../app/search.ts';

/** What the address of the applications says: whose they are, for operators. */
export function readApplicationsSearch(search: Record<string, unknown>) {
  return given({ user_id: whole(search['user_id']), offset: whole(search['offset']) });
}
