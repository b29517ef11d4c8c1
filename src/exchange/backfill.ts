import type { Format } from '../snapshot/entities.ts';
import type { Space } from './market.ts';

/**
 * What a tag shows in an ad space that nobody bought: HTML for a banner, the address of a VAST tag
 * for video, a native response as JSON text for native; null where there is nothing. It is shown as
 * it is, without macros and beacons, because it is no sale: the request stays unfilled.
 */
export function backfillOf({ adSpace }: Pick<Space, 'adSpace'>, format: Format): string | null {
  return adSpace.backfill?.[format] ?? null;
}
