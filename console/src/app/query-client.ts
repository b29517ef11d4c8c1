import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { ApiProblem } from '../api/problem.ts';
import { noteAnswer, noteSilence } from './connection.ts';

const FRESH_MS = 10_000;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 10_000;

/**
 * What pages have asked for. What failed because control is away is asked for again until it is
 * back; what was refused is not. Whoever is told that the session is over is asked to sign in again,
 * over the page that they are on.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (!(error instanceof ApiProblem)) return;
    if (error.isPassing) noteSilence(error);
    if (error.isSignedOut) void client.invalidateQueries(sessionQuery);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: noteAnswer }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => {
          if (!(error instanceof ApiProblem) || !error.isPassing) return false;
          // Told at once that control is away, and not after it was tried for a while.
          noteSilence(error);
          return failures < Number.POSITIVE_INFINITY;
        },
        retryDelay: (failures) => Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures),
        // Control may run on the same machine, which needs no network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
