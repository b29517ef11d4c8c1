import { AggregatorRegistry, Registry } from 'prom-client';
import type { RoleName } from '../settings/settings.ts';
import type { ProcessMetrics } from './messages.ts';
import { registerProcessMetrics } from './process-metrics.ts';

/** Less than Prometheus waits by default, so that a part of the answer beats none. */
const ANSWER_WAIT_MS = 3_000;

/** A process that can be asked; `RoleChild` is one. */
interface Askable {
  readonly role: RoleName;
  readonly worker: number;
  send(message: { readonly type: 'metricsWanted'; readonly id: number }): void;
}

interface Question {
  readonly answers: Map<Askable, ProcessMetrics>;
  open: number;
  readonly done: () => void;
}

/** Asks all processes of a node for their metrics, and makes one text of them. */
export class MetricsGatherer {
  readonly #questions = new Map<number, Question>();
  readonly #own = new Registry();
  #asked = 0;

  constructor() {
    registerProcessMetrics(this.#own);
  }

  /**
   * The metrics of the processes that answer in time, and of the supervisor, each with its `role` and
   * the number of its `process`. One that takes another's place has its labels: both are added up.
   */
  async collect(
    children: readonly Askable[],
    restarts: ReadonlyMap<RoleName, number>,
  ): Promise<string> {
    const answers = await this.#ask(children);
    const own = await this.#own.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([
      withPlace(own, { role: 'supervisor', worker: 0 }),
      ...[...answers].map(([child, metrics]) => withPlace(metrics, child)),
      [restartsMetric(restarts)],
    ]).metrics();
  }

  /** An answer to a question that is closed already is dropped. */
  answer(id: number, child: Askable, metrics: ProcessMetrics): void {
    const question = this.#questions.get(id);
    if (question === undefined) return;
    question.answers.set(child, metrics);
    question.open -= 1;
    if (question.open === 0) question.done();
  }

  async #ask(children: readonly Askable[]): Promise<Question['answers']> {
    if (children.length === 0) return new Map();
    const id = this.#asked;
    this.#asked += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    const question: Question = { answers: new Map(), open: children.length, done: resolve };
    this.#questions.set(id, question);
    const timer = setTimeout(resolve, ANSWER_WAIT_MS);
    for (const child of children) child.send({ type: 'metricsWanted', id });
    await promise;
    clearTimeout(timer);
    this.#questions.delete(id);
    return question.answers;
  }
}

/** Every value with the labels that say which process told it. */
function withPlace(
  metrics: ProcessMetrics,
  { role, worker }: { readonly role: string; readonly worker: number },
): object[] {
  const place = { role, process: String(worker) };
  return metrics.map((metric) => {
    if (!('values' in metric) || !Array.isArray(metric.values)) return metric;
    const values = metric.values.map((value: { readonly labels?: object }) => ({
      ...value,
      labels: { ...place, ...value.labels },
    }));
    return { ...metric, values };
  });
}

/** The restarts of a node's processes, as prom-client would give them. */
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
