import type { LineMark } from './checked-line.ts';

/** A part of a segment without an intact line, or a place between two lines where others are missing. */
export interface Damage {
  /** Byte offsets in the segment; the same where nothing but the missing lines is wrong. */
  readonly start: number;
  readonly end: number;
  /** How many records are lost here. */
  readonly missing: number;
}

/**
 * Finds damage in the lines of one process, which are to be told of in their order. Lines that were
 * changed do not count: the number of the next intact one says how many were lost.
 */
export class DamageFinder {
  #found: Damage[] = [];
  #lastLine: number | null;
  /** Damaged lines since the last intact one. */
  #open: { start: number; end: number; lines: number } | null = null;

  /** @param lastLine the number of the line before; null where it is not known. */
  constructor(lastLine: number | null) {
    this.#lastLine = lastLine;
  }

  intact({ line }: Pick<LineMark, 'line'>, start: number): void {
    const last = this.#lastLine;
    const gap = last === null ? 0 : Math.max(0, line - last - 1);
    if (this.#open !== null) {
      const { start: from, end, lines } = this.#open;
      this.#found.push({ start: from, end, missing: last === null ? lines : gap });
      this.#open = null;
    } else if (gap > 0) this.#found.push({ start, end: start, missing: gap });
    this.#lastLine = line;
  }

  /** @param lines how many records it seems to have been: none where the header stood. */
  damaged(start: number, end: number, lines: number): void {
    if (this.#open === null) this.#open = { start, end, lines };
    else {
      this.#open.end = end;
      this.#open.lines += lines;
    }
  }

  /**
   * Nothing more is known of at present. Each damaged line at the end counts as one record, until the
   * number of the next intact one tells of more.
   */
  take(): { readonly damage: readonly Damage[]; readonly lastLine: number | null } {
    if (this.#open !== null) {
      const { start, end, lines } = this.#open;
      this.#found.push({ start, end, missing: lines });
      if (this.#lastLine !== null) this.#lastLine += lines;
      this.#open = null;
    }
    const damage = this.#found;
    this.#found = [];
    return { damage, lastLine: this.#lastLine };
  }
}
