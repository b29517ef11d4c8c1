import type { DurableSink } from './beacon-counter.ts';

/** A sink whose disk is as slow, and as good, as a test says. */
export interface HeldSink extends DurableSink {
  /** Lines that were appended and not yet answered. */
  readonly waiting: string[];
  /** Lines that are on the disk. */
  readonly lines: string[];
  /** Brings all that waits to the disk, or says that it could not be. */
  settle(error?: Error): void;
}

export function createHeldSink(): HeldSink {
  let open: { line: string; done: (error: Error | null) => void }[] = [];
  const lines: string[] = [];
  return {
    lines,
    get waiting() {
      return open.map(({ line }) => line);
    },
    append: (line, done) => open.push({ line, done }),
    settle: (error) => {
      const settled = open;
      open = [];
      for (const { line, done } of settled) {
        if (error === undefined) lines.push(line);
        done(error ?? null);
      }
    },
  };
}
