import type { BatchManifest } from '../ports/batch.ts';

/** What became of a batch; after the first three its segments may go as far as its ends. */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly records: number }
  /** It had been loaded before, all of it. */
  | { readonly kind: 'already' }
  /** The schema refuses it. It is held for a person to look at, and the next one may come. */
  | { readonly kind: 'quarantined'; readonly reason: string }
  /**
   * It does not begin where the last one ended; nothing was done. `offsets` says where each of its
   * segments goes on; where `pending` is set, that batch, and with the same bytes, comes first.
   */
  | {
      readonly kind: 'conflict';
      readonly offsets: Readonly<Record<string, number>>;
      readonly pending: BatchManifest | null;
    }
  /** It may be in the store in part: the same batch has to be offered again, and no other. */
  | { readonly kind: 'failed'; readonly reason: string };
