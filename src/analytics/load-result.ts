import type { BatchManifest } from '../ports/batch.ts';

/** What became of a batch; after the first three its segments may go as far as its ends. */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly records: number }
  /** It had been loaded before, all of it. */
  | { readonly kind: 'already' }
  /**
   * So many records are loaded. Others are held for a person to look at, because the schema refuses
   * them, or lost to damage of the journal; the next batch may come.
   */
  | {
      readonly kind: 'quarantined';
      readonly records: number;
      readonly refused: number;
      readonly missing: number;
      /** Why the first of them is held. */
      readonly reason: string;
    }
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
