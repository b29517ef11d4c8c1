import { useQueryClient } from '@tanstack/react-query';
import { call, type Call } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { tell, tellProblem } from './notices.tsx';

/**
 * Takes something back, and says so: also where what did it is no longer on the screen, which is
 * where a mutation of its own would fall silent.
 */
export function useTakeBack(): (wanted: Call, message: string) => void {
  const queries = useQueryClient();
  const takeBack = async (wanted: Call, message: string): Promise<void> => {
    try {
      await call(wanted);
      tell(message);
      await queries.invalidateQueries();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      tellProblem(error);
    }
  };
  return (wanted, message) => void takeBack(wanted, message);
}
