import type { LeaseStore } from '../configuration/lease-store.ts';
import {
  LeaseBook,
  type LeaseCaps,
  type Settlement,
  type Unsettled,
} from '../limits/lease-book.ts';
import { RialtoError } from '../base/errors.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { NodeLeaseReport, NodeLeases } from '../ports/leases.ts';
import type { Entity } from '../snapshot/entities.ts';
import { leaseCaps } from './lease-caps.ts';

/** A node that has not asked for so long has its leases elsewhere, or is gone. */
const ASKING_FOR_MS = 60_000;

export interface LeasesOptions {
  readonly store: LeaseStore;
  readonly leadership: Leadership;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** What became of the reports since this process began. */
export interface LeaseCounts {
  /** Reports of exchange processes that were answered with a lease. */
  readonly granted: number;
  /** Reports that were answered with none: of processes that leave, or that came too late. */
  readonly passed: number;
  /** Reports that were not answered, because what was granted could not be kept. */
  readonly failed: number;
  readonly settlements: number;
}

/**
 * What control grants of the limits: the one book of them, and how it is kept. One answer is made
 * after the other, and none leaves before what it grants is durable; so control can be killed at any
 * moment, and the next one goes on with what the last one granted. Of several controls the one that
 * leads has the book open; it is read from the store when it is first used, when another one may have
 * led meanwhile, and after a failure.
 */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #counts = { granted: 0, passed: 0, failed: 0, settlements: 0 };
  #caps: LeaseCaps | null = null;
  #book: LeaseBook | null = null;
  /** The time of leading in which the book was read. */
  #bookTerm: number | null = null;
  /** When each node asked last, by its incarnation. */
  readonly #asked = new Map<string, number>();
  /** The limits that the book goes by. */
  #bookCaps: LeaseCaps | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  get counts(): LeaseCounts {
    return this.#counts;
  }

  /** Whether this control grants; if not, another one does. */
  get leads(): boolean {
    return this.#options.leadership.term !== null;
  }

  /** The nodes that get their leases here, by incarnation. */
  get askers(): readonly string[] {
    const silentMs = this.#options.now() - ASKING_FOR_MS;
    for (const [node, atMs] of this.#asked) if (atMs < silentMs) this.#asked.delete(node);
    return [...this.#asked.keys()];
  }

  /** The line items with a daily limit. */
  get budgeted(): readonly number[] {
    return [...(this.#caps?.budgets.keys() ?? [])];
  }

  /** Takes the limits of a configuration; until then nothing is granted. */
  useCaps(entities: Iterable<Entity>): void {
    this.#caps = leaseCaps(entities);
  }

  /**
   * @throws when the store cannot be read or written, and RialtoError when another control leads:
   *   nothing is granted then.
   */
  async answer(report: NodeLeaseReport): Promise<NodeLeases> {
    const asked = report.reports.length;
    this.#term();
    this.#asked.set(report.incarnation, this.#options.now());
    try {
      const leases = await this.#withBook((book) => book.answer(report));
      this.#counts.granted += leases.length;
      this.#counts.passed += asked - leases.length;
      return { leases };
    } catch (error) {
      this.#counts.failed += asked;
      throw error;
    }
  }

  unsettled(): Promise<Unsettled> {
    return this.#withBook((book) => book.unsettled());
  }

  /** The line items with a daily limit that is used up. @throws as `answer` does */
  usedUp(): Promise<ReturnType<LeaseBook['usedUp']>> {
    return this.#withBook((book) => book.usedUp());
  }

  async settle(settlement: Settlement): Promise<void> {
    await this.#withBook((book) => book.settle(settlement));
    this.#counts.settlements += 1;
  }

  /** One piece of work after the other; a book that the store does not agree with is made anew. */
  #withBook<Result>(work: (book: LeaseBook) => Result): Promise<Result> {
    const run = async (): Promise<Result> => {
      try {
        const book = await this.#opened();
        const result = work(book);
        await this.#options.store.save(book.takeChanges());
        return result;
      } catch (error) {
        this.#book = null;
        throw error;
      }
    };
    const done = this.#last.then(run, run);
    this.#last = done;
    return done;
  }

  #term(): number {
    const { term } = this.#options.leadership;
    if (term === null) throw new RialtoError('not_leading');
    return term;
  }

  async #opened(): Promise<LeaseBook> {
    const { store, now } = this.#options;
    const term = this.#term();
    if (this.#book === null || this.#bookTerm !== term) {
      this.#book = new LeaseBook({ now, saved: await store.read() });
      this.#bookTerm = term;
      this.#bookCaps = null;
    }
    if (this.#caps !== null && this.#caps !== this.#bookCaps) {
      this.#book.setCaps(this.#caps);
      this.#bookCaps = this.#caps;
    }
    return this.#book;
  }
}
