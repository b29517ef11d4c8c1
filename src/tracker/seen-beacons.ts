import { CLOCK_SKEW_MAX_MS } from '../beacons/beacon.ts';
import { BEACON_KINDS, type BeaconKind, type WonImp } from '../events/beacon-record.ts';
import { SeenShard, type AuctionKey } from './seen-shard.ts';

/** What names an impression, and when everything about it may be forgotten. */
export type SeenImp = Pick<WonImp, 'auction_id' | 'imp' | 'expires_ms'>;

const SHARDS = 256;
const MINUTE_MS = 60_000;
const MINUTE_MASK = 0xffff;

/**
 * Which beacons were counted, by impression: exact, in 24 to 30 bytes an impression, whichever and
 * however many of its kinds there were. It is split into shards that grow and forget one at a time,
 * so that no call takes long: in a table of two million, a shard of 8,000 is made anew in well
 * below a millisecond. Nothing in it is an object, so the garbage collector has nothing to visit.
 */
export class SeenBeacons {
  readonly #shards = Array.from({ length: SHARDS }, () => new SeenShard());
  #nextSwept = 0;

  has(imp: SeenImp, kind: BeaconKind): boolean {
    const auction = keyOf(imp.auction_id);
    return (this.#shardOf(auction).kindsOf(auction, imp.imp) & bitOf(kind)) !== 0;
  }

  /** @param nowMs Unix time in milliseconds; what has expired by then may be forgotten. */
  add(imp: SeenImp, kind: BeaconKind, nowMs: number): void {
    const auction = keyOf(imp.auction_id);
    // Rounded up, and kept beyond: a clock that is set back must not make room for a second time.
    const keptUntilMs = imp.expires_ms + CLOCK_SKEW_MAX_MS + MINUTE_MS;
    this.#shardOf(auction).add(
      { auction, imp: imp.imp, kinds: bitOf(kind), expiryMinute: minuteOf(keptUntilMs) },
      minuteOf(nowMs),
    );
  }

  /** Looks through one shard for what has expired; called once a second, it gets through in minutes. */
  sweepNext(nowMs: number): void {
    this.#shards[this.#nextSwept]?.sweep(minuteOf(nowMs));
    this.#nextSwept = (this.#nextSwept + 1) % SHARDS;
  }

  /** Impressions in the table, some of them expired and not yet swept. */
  get size(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.size, 0);
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.bytes, 0);
  }

  #shardOf({ a }: AuctionKey): SeenShard {
    const shard = this.#shards[a >>> 24];
    if (shard === undefined) throw new Error('an auction key beyond 32 bits');
    return shard;
  }
}

function bitOf(kind: BeaconKind): number {
  return 1 << BEACON_KINDS.indexOf(kind);
}

function minuteOf(unixMs: number): number {
  return Math.floor(unixMs / MINUTE_MS) % (MINUTE_MASK + 1);
}

/** @param id 32 hexadecimal digits in lower case, as tokens and records hold it. */
function keyOf(id: string): AuctionKey {
  return { a: wordAt(id, 0), b: wordAt(id, 8), c: wordAt(id, 16), d: wordAt(id, 24) };
}

const DIGITS_PER_WORD = 8;
const CODE_0 = 48;
const CODE_9 = 57;
/** The code of "a" less ten. */
const CODE_BEFORE_A = 87;

/** Digit by digit: four times as fast as parsing four texts cut out of the id. */
function wordAt(id: string, start: number): number {
  let word = 0;
  for (let at = start; at < start + DIGITS_PER_WORD; at += 1) {
    const code = id.charCodeAt(at);
    word = (word << 4) | (code <= CODE_9 ? code - CODE_0 : code - CODE_BEFORE_A);
  }
  return word >>> 0;
}
