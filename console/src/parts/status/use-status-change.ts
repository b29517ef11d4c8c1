import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Answer, type Call } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { isolated } from '../isolated.ts';
import { tell, tellProblem, tellWithUndo } from '../notices.tsx';
import { useTakeBack } from '../use-take-back.ts';
import type { Status } from './statuses.ts';

interface StatusChange {
  readonly from: Status;
  readonly to: Status;
  /** Whether a dialog has asked first, and says what is refused; then there is no undo. */
  readonly isConfirmed?: boolean;
}

const DONE = { ACTIVE: 'is active.', PAUSED: 'is paused.', ARCHIVED: 'is archived.' } as const;

/**
 * Pauses, archives and takes up again, with an undo.
 *
 * @param path of the resource in the API.
 */
export function useStatusChange(path: string, name: string) {
  const queries = useQueryClient();
  const takeBack = useTakeBack();
  const wanted = (status: Status): Call => ({ method: 'PATCH', path, body: { status } });
  const said = (status: Status): string => `“${isolated(name)}” ${DONE[status]}`;
  return useMutation<Answer<unknown>, ApiProblem, StatusChange>({
    mutationFn: ({ to }) => call(wanted(to)),
    // Said here and not where it is sent: a list of one status loses the row, and what it would say.
    onSuccess: async (_answer, { from, to, isConfirmed = false }) => {
      if (isConfirmed) tell(said(to));
      else tellWithUndo(said(to), () => takeBack(wanted(from), said(from)));
      await queries.invalidateQueries();
    },
    onError: (problem, { isConfirmed = false }) => {
      if (!isConfirmed) tellProblem(problem);
    },
  });
}
