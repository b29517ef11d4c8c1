import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { RialtoError } from '../base/errors.ts';
import type { Database } from '../configuration/schema.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { ConditionSource } from './condition.ts';
import { activeSubscriptions, forgetKinds, recordReading } from './record-reading.ts';

export interface ConditionWatchOptions {
  readonly db: Kysely<Database>;
  readonly leadership: Leadership;
  readonly sources: readonly ConditionSource[];
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Looks at the exchange for those who want to be told: what a source reads is held against what it
 * read the last time. The leading control looks; nobody does as long as there is nobody to tell. What
 * holds when the first subscription asks for it is news.
 */
export class ConditionWatch {
  readonly #options: ConditionWatchOptions;
  /** When each source was read last, by its kind. */
  readonly #readMs = new Map<string, number>();
  readonly #failing = new Set<string>();

  constructor(options: ConditionWatchOptions) {
    this.#options = options;
  }

  /** Looks at what is due. @throws where the configuration store does not answer. */
  async look(): Promise<void> {
    const { db, leadership, sources } = this.#options;
    if (leadership.term === null) return;
    const subscriptions = await activeSubscriptions(db);
    const wanted = new Set(subscriptions.flatMap(({ events }): string[] => JSON.parse(events)));
    const isWanted = ({ types }: ConditionSource): boolean =>
      types.some((type) => wanted.has(type));
    const unwanted = sources.filter((source) => !isWanted(source));
    await forgetKinds(
      db,
      unwanted.map(({ kind }) => kind),
    );
    for (const source of sources.filter(isWanted)) await this.#lookAt(source);
  }

  async #lookAt(source: ConditionSource): Promise<void> {
    const { db, leadership, logger, now } = this.#options;
    const { kind, everyMs } = source;
    const nowMs = now();
    const readMs = this.#readMs.get(kind);
    if (readMs !== undefined && Math.abs(nowMs - readMs) < everyMs) return;
    this.#readMs.set(kind, nowMs);
    try {
      const reading = await source.read();
      // Another control may lead by now, and know more.
      if (reading === null || leadership.term === null) return;
      await recordReading(db, kind, { reading, nowMs });
      this.#failing.delete(kind);
    } catch (error) {
      // It says itself that it cannot tell now: the analytics store opens, another control leads.
      if (error instanceof RialtoError) return;
      if (!this.#failing.has(kind)) {
        logger.warn({ err: error, kind }, 'subscriptions are not told of this kind of change');
      }
      this.#failing.add(kind);
    }
  }
}
