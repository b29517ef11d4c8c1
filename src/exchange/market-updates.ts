import type { Logger } from 'pino';
import { applyDelta, type SnapshotDelta, type SnapshotNews } from '../snapshot/delta.ts';
import { versionKey, type SnapshotVersion } from '../snapshot/snapshot.ts';
import { decodeSnapshot, readVersion } from '../snapshot/wire.ts';
import { createMarket, type Market } from './market.ts';

export interface MarketUpdatesOptions {
  /** The text of the snapshot on the node's disk. */
  readonly readWhole: () => Promise<string>;
  /** Called with each new market. */
  readonly use: (market: Market) => Promise<void>;
  /** Lets auctions run between two slices of work. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Keeps the market of an exchange process at the version that the node has. A delta from the present
 * version is applied; otherwise, or when it does not fit, the whole snapshot is read from the disk,
 * where it is before anybody is told of it. What cannot be read is refused, and the market stays.
 */
export class MarketUpdates {
  readonly #options: MarketUpdatesOptions;
  #market: Market | null = null;
  /** In the order in which they came; null is whatever is on the disk. */
  #news: (SnapshotNews | null)[] = [];
  #working: Promise<void> | null = null;

  constructor(options: MarketUpdatesOptions) {
    this.#options = options;
  }

  /**
   * Takes what the node has now.
   *
   * @param news null where nobody has told what that is.
   * @returns resolves when it is in use, or was refused.
   */
  take(news: SnapshotNews | null): Promise<void> {
    this.#news.push(news);
    this.#working ??= this.#work();
    return this.#working;
  }

  async #work(): Promise<void> {
    for (let news = this.#news.shift(); news !== undefined; news = this.#news.shift()) {
      try {
        await this.#follow(news);
      } catch (error) {
        const { logger } = this.#options;
        logger.error({ err: error }, 'a snapshot was refused; the last good one stays');
      }
    }
    this.#working = null;
  }

  async #follow(news: SnapshotNews | null): Promise<void> {
    if (news !== null) {
      if (this.#has(news.version)) return;
      if (news.delta !== null && (await this.#apply(news.delta))) return;
    }
    await this.#readWhole();
  }

  /** False when the whole snapshot has to be read instead. */
  async #apply(delta: SnapshotDelta): Promise<boolean> {
    const { pause, logger } = this.#options;
    const present = this.#market;
    if (present === null || !this.#has(delta.base)) return false;
    try {
      const snapshot = await applyDelta(present.snapshot, delta, pause);
      await pause();
      const market = await present.next(snapshot, pause);
      await pause();
      await this.#use(market, 'delta');
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'a change was refused; the whole snapshot is read instead');
      return false;
    }
  }

  async #readWhole(): Promise<void> {
    const { readWhole, pause } = this.#options;
    // What was announced until now is in it.
    this.#news = [];
    const text = await readWhole();
    if (this.#has(readVersion(text))) return;
    const market = await createMarket(await decodeSnapshot(text, pause), pause);
    await this.#use(market, 'whole');
  }

  async #use(market: Market, from: 'delta' | 'whole'): Promise<void> {
    const { use, logger } = this.#options;
    await use(market);
    // What was not taken whole is read from the disk, or comes with the next version.
    this.#market = market;
    const version = versionKey(market.snapshot.version);
    logger.info({ from, version }, 'configuration taken');
  }

  #has(version: SnapshotVersion): boolean {
    const present = this.#market?.snapshot.version;
    return present !== undefined && versionKey(present) === versionKey(version);
  }
}
