import type { Beacon } from '../beacons/beacon.ts';
import type { BeaconKind, BeaconRecord } from '../events/beacon-record.ts';
import type { SeenBeacons } from './seen-beacons.ts';

/** Where beacons are recorded. */
export interface DurableSink {
  /**
   * Adds one line; calls back with null once it is on the disk itself, else with why nobody may
   * count on it.
   */
  append(line: string, done: (error: Error | null) => void): void;
}

export interface BeaconCounterParts {
  readonly sink: DurableSink;
  /** Incarnation of the data directory; every record names it. */
  readonly node: string;
  /** What was counted before, by this process and its predecessors. */
  readonly seen: SeenBeacons;
  /** Impressions that may be remembered, or wait to be, at a time; what is new beyond them is refused. */
  readonly seenMax: number;
  /**
   * Beacons that may wait for the disk at a time; beyond them what bills nobody is refused. What bills is never
   * refused for a queue: each was sealed for a win, so that strangers cannot make more of them.
   */
  readonly waitingMax: number;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
}

/**
 * What became of a beacon. The first two mean: it is on the disk, once. One of a test has nothing to
 * be counted, now or ever.
 */
export type CountOutcome = 'counted' | 'repeated' | 'test' | 'unrecorded' | 'overloaded';

/**
 * Counts each kind of beacon of an impression once, whenever and however often it comes. A beacon
 * whose first copy is still on its way to the disk waits for it: nobody is told of a record before
 * it is safe, and a record that failed leaves no trace, so that the next copy is the first again.
 */
export class BeaconCounter {
  readonly #parts: BeaconCounterParts;
  /** Copies that wait for the record of the first one, by impression and kind. */
  readonly #underway = new Map<string, Promise<boolean>>();

  constructor(parts: BeaconCounterParts) {
    this.#parts = parts;
  }

  /** Beacons on their way to the disk. */
  get underway(): number {
    return this.#underway.size;
  }

  async count(beacon: Beacon): Promise<CountOutcome> {
    const { kind, imp, winUrl } = beacon;
    if (imp.test === 1) return 'test';
    if (kind !== 'impression' || imp.fd === 0) return this.#count(beacon);
    // The publisher decides, and what is on the screen was taken: the impression confirms the win.
    const [win, impression] = await Promise.all([
      this.#count({ ...beacon, kind: 'win', url: winUrl }),
      this.#count(beacon),
    ]);
    return win === 'counted' || win === 'repeated' ? impression : win;
  }

  async #count(beacon: Beacon): Promise<CountOutcome> {
    const { seen, seenMax, waitingMax } = this.#parts;
    const { kind, imp } = beacon;
    if (seen.has(imp, kind)) return 'repeated';
    const key = `${imp.auction_id} ${imp.imp} ${kind}`;
    const first = this.#underway.get(key);
    if (first !== undefined) return (await first) ? 'repeated' : 'unrecorded';
    const waiting = this.#underway.size;
    const isFull = seen.size + waiting >= seenMax || (waiting >= waitingMax && !isBilled(kind));
    if (isFull) return 'overloaded';
    const recorded = this.#record(beacon);
    this.#underway.set(key, recorded);
    const ok = await recorded;
    this.#underway.delete(key);
    return ok ? 'counted' : 'unrecorded';
  }

  #record(beacon: Beacon): Promise<boolean> {
    const { sink, node, seen, unixTime } = this.#parts;
    const { kind, imp } = beacon;
    const atMs = unixTime();
    return new Promise((resolve) => {
      sink.append(JSON.stringify(recordOf(beacon, node, atMs)), (error) => {
        if (error === null) seen.add(imp, kind, atMs);
        resolve(error === null);
      });
    });
  }
}

/** Whether money depends on a beacon: the others are the first to go when there is no room for all. */
function isBilled(kind: BeaconKind): boolean {
  return kind === 'impression' || kind === 'win';
}

/** The order of the first four is what `restore-seen.ts` reads without parsing. */
function recordOf({ kind, imp, url }: Beacon, node: string, atMs: number): BeaconRecord {
  const { auction_id, imp: index, expires_ms, ...others } = imp;
  const notice_url = kind === 'click' ? '' : url;
  return { kind, auction_id, imp: index, expires_ms, node, at_ms: atMs, ...others, notice_url };
}
