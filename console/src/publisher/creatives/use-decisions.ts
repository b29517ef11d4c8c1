import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import type { Call } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useChange } from '../../api/use-change.ts';
import { tellProblem, tellWithUndo } from '../../parts/notices.tsx';
import { usePublisher } from '../use-publisher.ts';
import { decisionOn, nameOf, subjectOf, type Subject } from './decisions.ts';

const PATH = '/api/creative-reviews/';
const DONE = { blocked: 'is blocked.', approved: 'is approved.' } as const;

type Verdict = keyof typeof DONE;

interface Decisions {
  readonly isPending: boolean;
  /** Blocks or approves, with an undo that brings back what was there before. */
  readonly decide: (subject: Subject, verdict: Verdict, options?: DecideOptions) => void;
  readonly takeBack: (review: ShownCreativeReview) => void;
}

interface DecideOptions {
  readonly reason?: string;
  readonly onDone?: () => void;
  /** Where a form shows what was refused; else a notice does. */
  readonly onProblem?: (problem: ApiProblem) => void;
}

/** Decides for the publisher whose page this is, whoever does so. */
export function useDecisions(reviews: readonly ShownCreativeReview[]): Decisions {
  const { id: publisher } = usePublisher();
  const sending = useChange<ShownCreativeReview>();
  const post = (subject: Subject, verdict: string, reason = ''): Call => ({
    method: 'POST',
    path: PATH,
    body: { ...subject, publisher, verdict, ...(reason === '' ? {} : { reason }) },
  });
  const remove = (id: number): Call => ({ method: 'DELETE', path: `${PATH}${id}/` });
  const send = (wanted: Call): void => sending.mutate(wanted, { onError: tellProblem });
  return {
    isPending: sending.isPending,
    decide: (subject, verdict, { reason = '', onDone, onProblem = tellProblem } = {}) => {
      const before = decisionOn(reviews, subject);
      sending.mutate(post(subject, verdict, reason), {
        onError: onProblem,
        onSuccess: ({ body }) => {
          onDone?.();
          tellWithUndo(`${nameOf(subject)} ${DONE[verdict]}`, () =>
            send(
              before === undefined ? remove(body.id) : post(subject, before.verdict, before.reason),
            ),
          );
        },
      });
    },
    takeBack: (review) => {
      const { id, verdict, reason } = review;
      const subject = subjectOf(review);
      sending.mutate(remove(id), {
        onError: tellProblem,
        onSuccess: () =>
          tellWithUndo(`${nameOf(subject)} is ${verdict} no more.`, () =>
            send(post(subject, verdict, reason)),
          ),
      });
    },
  };
}
