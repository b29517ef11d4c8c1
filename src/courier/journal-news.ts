/** Tells those who follow the journal that it has grown, so that nobody looks at it for nothing. */
export class JournalNews {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** How often it was told. To be read before the journal is looked at. */
  get count(): number {
    return this.#count;
  }

  /** The journal has grown. */
  tell(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when something was told after this count, when the time is over, or at the signal. */
  async after(count: number, withinMs: number, signal: AbortSignal): Promise<void> {
    if (this.#count > count || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const wake = (): void => resolve();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    await promise;
    signal.removeEventListener('abort', wake);
    this.#waiting.delete(wake);
    clearTimeout(timer);
  }
}
