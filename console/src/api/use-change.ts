import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call, type Answer, type Call } from './client.ts';
import type { ApiProblem } from './problem.ts';

export type Change<Body> = UseMutationResult<Answer<Body>, ApiProblem, Call>;

/**
 * Sends changes: `change.mutate({ method: 'PATCH', path, body, ifMatch })`. Afterwards everything
 * on the screen is asked for again, since a change may show in many places.
 */
export function useChange<Body = unknown>(
  onDone?: (answer: Answer<Body>, sent: Call) => void,
): Change<Body> {
  const queries = useQueryClient();
  return useMutation<Answer<Body>, ApiProblem, Call>({
    mutationFn: (wanted) => call<Body>(wanted),
    onSuccess: async (answer, sent) => {
      onDone?.(answer, sent);
      await queries.invalidateQueries();
    },
  });
}
