import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { call, signChangesFor } from './client.ts';
import type { ApiProblem } from './problem.ts';
import type { Session, SessionAnswer } from './types.ts';

const PATH = '/v2/auth/session/';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions<Session | null, ApiProblem>({
  queryKey: [PATH],
  queryFn: async ({ signal }) => {
    const { body } = await call<SessionAnswer>({ method: 'GET', path: PATH }, signal);
    signChangesFor(body.session);
    return body.session;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whose pages are shown: also while they sign in again, so that the pages stay as they are. */
export const SessionOfPages = createContext<Session | null>(null);

/** The session of a page that only a user sees. @throws Error outside of one. */
export function useSession(): Session {
  const session = use(SessionOfPages);
  if (session === null) throw new Error('a page without a user needs one');
  return session;
}

export type Role = 'operator' | 'demand-partner' | 'publisher';

/** What the user may do: of the groups, of which each user has one. */
export function roleOf({ user }: Session): Role {
  if (user.groups.includes('operator')) return 'operator';
  return user.groups.includes('publisher') ? 'publisher' : 'demand-partner';
}

/** What a user of a partner or publisher is at home in: its id; null for operators. */
export function entityOf({ user }: Session): number | null {
  return user.association?.entity_id ?? null;
}

/** What somebody signs in with; the code is of a second factor. */
interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

/** Signs in and out. */
export function useSigning() {
  const queries = useQueryClient();
  const keep = (session: Session | null): void => {
    signChangesFor(session);
    queries.setQueryData(sessionQuery.queryKey, session);
  };
  return {
    signIn: async (body: Credentials): Promise<void> => {
      const answer = await call<SessionAnswer>({ method: 'POST', path: PATH, body });
      keep(answer.body.session);
      // What was refused to nobody is asked for again, by whoever looks at it.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== PATH });
    },
    signOut: async (): Promise<void> => {
      await call({ method: 'DELETE', path: PATH });
      queries.clear();
      keep(null);
    },
  };
}
