import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { CallResult } from './call.ts';
import type { Facts } from './facts.ts';
import type { Market } from './market.ts';
import type { SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';
import type { TreatedTraffic } from './treatment.ts';
import type { Winner } from './winners.ts';

/** An auction whose bidders have answered. */
export interface CalledAuction {
  readonly id: string;
  /** Unix time of the request in milliseconds. */
  readonly atMs: number;
  /** When the request arrived, and when all has to be decided, on the monotonic clock. */
  readonly startMs: number;
  readonly deadlineMs: number;
  readonly tmaxMs: number;
  readonly request: IncomingRequest;
  readonly market: Market;
  readonly slots: readonly [Slot, ...Slot[]];
  readonly facts: Facts;
  readonly results: readonly CallResult[];
  /** A win counts once a beacon confirms it; see `publisherDecides`. */
  readonly publisherDecides: boolean;
  /** Null for all that may be a person's. */
  readonly traffic: TreatedTraffic | null;
}

/** An auction that has been decided: all that its records are made of. */
export interface DecidedAuction extends CalledAuction {
  /** What it took until all was decided. */
  readonly durationMs: number;
  readonly bids: readonly SettledBid[];
  /** By slot. */
  readonly winners: ReadonlyMap<number, Winner>;
}
