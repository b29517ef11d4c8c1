import { setTimeout as sleep } from 'node:timers/promises';
import { AudienceLedger, type AudienceEntry } from './audience-ledger.ts';
import { BeaconCaller, DEFAULT_PATIENCE, type Patience } from './beacon-caller.ts';
import { loopbackUrl } from './loopback.ts';
import { DEFAULT_BEHAVIOUR, planPage, type Behaviour, type PlannedBeacon } from './page.ts';
import { createRandom, type Random } from './random.ts';
import { readWinners } from './winners.ts';

/** From the acknowledgement of a beacon to its repetition on purpose. */
const REPEAT_AFTER_MS = 50;

/** How to open an audience; everything may be left out. */
export interface AudienceOptions {
  /** Everything that looks like chance follows from it and from the ids of request and impression. */
  readonly seed?: string | number;
  /** What differs from `DEFAULT_BEHAVIOUR`. */
  readonly behaviour?: Partial<Behaviour>;
  /** What differs from `DEFAULT_PATIENCE`. */
  readonly patience?: Partial<Patience>;
  /** How many ads are on pages at a time, 20,000 by default; what comes on top is shed. */
  readonly adsMax?: number;
  /** How many of the last winners are remembered one by one, 100,000 by default. */
  readonly keepMax?: number;
}

/**
 * The publishers' pages and the people before them: takes the exchange's answers, and sends the
 * beacons of each ad when its time has come, again until each is acknowledged, and some of them
 * once more after that.
 */
export class Audience {
  readonly ledger: AudienceLedger;
  readonly #behaviour: Behaviour;
  readonly #random: Random;
  readonly #caller: BeaconCaller;
  readonly #adsMax: number;
  readonly #ads = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(options: AudienceOptions = {}) {
    const { seed = 1, adsMax = 20_000, keepMax = 100_000 } = options;
    this.ledger = new AudienceLedger(keepMax);
    this.#behaviour = { ...DEFAULT_BEHAVIOUR, ...options.behaviour };
    this.#random = createRandom(seed);
    this.#caller = new BeaconCaller({ ...DEFAULT_PATIENCE, ...options.patience });
    this.#adsMax = adsMax;
  }

  /** Ads whose beacons are not all done. */
  get underWay(): number {
    return this.#ads.size;
  }

  /**
   * Takes the answer to an ad request. What is no bid response brings nothing.
   *
   * @param request as it was sent: an object or its JSON.
   */
  receive(request: unknown, response: string): void {
    for (const winner of readWinners(request, response)) {
      if (this.#ads.size >= this.#adsMax || this.#stopping.signal.aborted) {
        this.ledger.shed(winner);
        continue;
      }
      const random = this.#random.fork(winner.requestId).fork(winner.impId);
      const plan = planPage(winner, this.#behaviour, random);
      const entry = this.ledger.open(winner, plan !== undefined);
      if (plan === undefined) continue;
      const beacons = Promise.all(plan.map((beacon) => this.#send(entry, beacon)));
      const ad = beacons.finally(() => this.#ads.delete(ad));
      this.#ads.add(ad);
    }
  }

  /** Resolves when every beacon of what was received has ended. */
  async settled(): Promise<void> {
    while (this.#ads.size > 0) await Promise.all(this.#ads);
  }

  /** Stops at once: what has not been sent is not, what is under way is abandoned. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#caller.close();
    await this.settled();
  }

  async #send(entry: AudienceEntry, { kind, afterMs, repeats }: PlannedBeacon): Promise<void> {
    if (!(await this.#waited(afterMs))) return;
    const url = loopbackUrl(entry.winner.urls[kind] ?? '');
    if (url === undefined) {
      this.ledger.unaddressed(entry);
      return;
    }
    this.ledger.sent(entry, kind);
    const end = await this.#caller.call(url);
    this.ledger.ended(entry, kind, end);
    for (let sent = 0; sent < repeats && end.kind === 'acknowledged'; sent += 1) {
      if (!(await this.#waited(REPEAT_AFTER_MS))) return;
      this.ledger.repeated(entry, kind);
      await this.#caller.call(url);
    }
  }

  /** Whether the time has passed without an end to it all. */
  async #waited(waitMs: number): Promise<boolean> {
    const { signal } = this.#stopping;
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  }
}
