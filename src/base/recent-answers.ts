import { BoundedCache } from './bounded-cache.ts';

/** Questions that are remembered. */
const QUESTIONS_MAX = 256;

interface Known<Answer> {
  /** When it was asked. */
  readonly atMs: number;
  readonly answer: Promise<Answer>;
  state: 'asked' | 'answered' | 'failed';
}

/**
 * Gives the same answer to the same question for a moment, so that many who ask every few seconds
 * cost as much as one. Who asks while an answer is on its way waits for that one. A failure is told
 * to those who wait for it, and not remembered.
 */
export class RecentAnswers<Answer> {
  readonly #goodForMs: number;
  readonly #now: () => number;
  readonly #known = new BoundedCache<Known<Answer>>(QUESTIONS_MAX);

  /** @param now in milliseconds. */
  constructor(goodForMs: number, now: () => number) {
    this.#goodForMs = goodForMs;
    this.#now = now;
  }

  get(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const nowMs = this.#now();
    const known = this.#known.get(question);
    if (known !== undefined && this.#isGood(known, nowMs)) return known.answer;
    const asked: Known<Answer> = { atMs: nowMs, answer: ask(), state: 'asked' };
    this.#known.set(question, asked);
    asked.answer.then(
      () => (asked.state = 'answered'),
      () => (asked.state = 'failed'),
    );
    return asked.answer;
  }

  /** However long it takes: a store that is slow gets no second question for the same answer. */
  #isGood({ state, atMs }: Known<Answer>, nowMs: number): boolean {
    return state === 'asked' || (state === 'answered' && Math.abs(nowMs - atMs) < this.#goodForMs);
  }
}
