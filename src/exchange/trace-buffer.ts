import type { RecordSink } from './exchange.ts';

/** A person who reads a trace does not miss a tenth of a second. */
const HELD_MS = 100;
const HELD_LINES_MAX = 200;

/**
 * Holds traces back for a moment, so that many of them cost one call of the kernel: nobody waits for
 * them, and an auction does not depend on them. A process that is killed loses what it holds.
 */
export class TraceBuffer implements RecordSink {
  readonly #sink: RecordSink;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** @param sink writes what comes within one tick at once. */
  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  append(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= HELD_LINES_MAX) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), HELD_MS);
  }

  /** Hands on what is held; to be called before the sink is closed. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const lines = this.#lines;
    this.#lines = [];
    for (const line of lines) this.#sink.append(line);
  }
}
