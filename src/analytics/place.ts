import type { SegmentRange } from '../ports/batch.ts';
import type { NodeOffsets } from '../ports/offset-store.ts';
import type { LoadResult } from './load-result.ts';

/**
 * Where a batch stands among what was loaded of its node: all of it comes next, all of it is there
 * already, or it fits nowhere. Never is a part of it loaded.
 */
export function placeOf(
  segments: readonly SegmentRange[],
  token: string,
  { offsets, pending }: NodeOffsets,
): { readonly kind: 'next' } | Extract<LoadResult, { kind: 'already' | 'conflict' }> {
  const loadedOf = (segment: string): number => offsets.get(segment) ?? 0;
  if (segments.every(({ segment, end }) => end <= loadedOf(segment))) return { kind: 'already' };
  const another = pending !== null && pending.token !== token;
  if (!another && segments.every(({ segment, start }) => start === loadedOf(segment))) {
    return { kind: 'next' };
  }
  return {
    kind: 'conflict',
    offsets: Object.fromEntries(segments.map(({ segment }) => [segment, loadedOf(segment)])),
    pending: another ? pending.manifest : null,
  };
}
