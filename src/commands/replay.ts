import { setTimeout as delay } from 'node:timers/promises';

import {
  WHOLE_PPM,
  type AuctionChoice,
  type Cursor,
  type RecordedAuction,
} from '../analytics/recorded-wire.ts';
import { windowsOf } from '../analytics/recorded-windows.ts';
import { openReconcileStore, type StoreOptions } from './reconcile-store.ts';

export interface ReplayRequest extends StoreOptions {
  readonly choice: AuctionChoice;
  /** Of more than so many auctions a sample is read, which follows from the seed. */
  readonly auctionsMax: number;
  readonly seed: string;
  /** Is given every auction, a page at a time. */
  readonly take: (auctions: readonly RecordedAuction[]) => void;
}

/** Of what `take` was given all or a part. */
export interface ReplayExtent {
  /** Auctions that were there when the reading began. */
  readonly counted: number;
  /** How many of a million were read. */
  readonly samplePpm: number;
}

/** After each page of a running node its loader comes first for a moment. */
const BREATH_MS = 1;

/**
 * Reads recorded auctions with their traces, whether or not the node runs. What is held at a time is
 * one page.
 *
 * @throws CommandError when there is no store, or control cannot be reached.
 */
export async function runReplay(request: ReplayRequest): Promise<ReplayExtent> {
  const { choice, auctionsMax, seed, take } = request;
  const store = await openReconcileStore(request);
  try {
    const minutes = await store.minutes(choice);
    const counted = minutes.reduce((sum, { auctions }) => sum + auctions, 0);
    const samplePpm = samplePpmOf(counted, auctionsMax);
    for (const window of windowsOf(choice, minutes, samplePpm / WHOLE_PPM)) {
      let after: Cursor | null = null;
      do {
        const question = { ...choice, ...window, sample_ppm: samplePpm, seed, after };
        const page = await store.recordedPage(question);
        take(page.auctions);
        after = page.next;
        if (store.isRunning) await delay(BREATH_MS);
      } while (after !== null);
    }
    return { counted, samplePpm };
  } finally {
    await store.close();
  }
}

function samplePpmOf(counted: number, auctionsMax: number): number {
  if (counted <= auctionsMax) return WHOLE_PPM;
  return Math.max(1, Math.floor((auctionsMax / counted) * WHOLE_PPM));
}
