import type { RoleName } from '../config/settings.ts';
import type { ProcessMetrics } from './messages.ts';

/** Less than what the asking process waits, so that a part of the answer beats none. */
const ANSWER_WAIT_MS = 500;

/** A process that can be asked; `RoleChild` is one. */
interface Askable {
  send(message: { readonly type: 'metricsWanted'; readonly id: number }): void;
}

interface Question {
  readonly answers: ProcessMetrics[];
  open: number;
  readonly done: () => void;
}

/** Asks processes for their metrics, so that one of them can answer for the whole role. */
export class MetricsGatherer {
  readonly #questions = new Map<number, Question>();
  #asked = 0;

  /** The metrics of those that answer in time. */
  async gather(children: readonly Askable[]): Promise<readonly ProcessMetrics[]> {
    if (children.length === 0) return [];
    const id = this.#asked;
    this.#asked += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    const question: Question = { answers: [], open: children.length, done: resolve };
    this.#questions.set(id, question);
    const timer = setTimeout(resolve, ANSWER_WAIT_MS);
    for (const child of children) child.send({ type: 'metricsWanted', id });
    await promise;
    clearTimeout(timer);
    this.#questions.delete(id);
    return question.answers;
  }

  /** An answer to a question that is closed already is dropped. */
  answer(id: number, metrics: ProcessMetrics): void {
    const question = this.#questions.get(id);
    if (question === undefined) return;
    question.answers.push(metrics);
    question.open -= 1;
    if (question.open === 0) question.done();
  }
}

/**
 * The restarts of a node's processes, as prom-client would give them: the supervisor itself keeps no
 * registry. They are shown on each port, since the courier has none.
 */
export function restartsMetric(restarts: ReadonlyMap<RoleName, number>) {
  return {
    name: 'rialto_process_restarts_total',
    help: 'Processes of the node, by role, that ended by themselves and were started again.',
    type: 'counter',
    aggregator: 'sum',
    labelNames: ['role'],
    values: [...restarts].map(([role, value]) => ({ value, labels: { role } })),
  };
}
