import type { Deal } from '../snapshot/entities.ts';

/** What of a bid decides its auction: a candidate, or what is left of one in the auction's records. */
export interface Contestant {
  readonly bid: { readonly id: string };
  readonly demandPartnerId: number;
  readonly imp: { readonly slot: number; readonly firstPrice: boolean };
  /** Null for an open bid. */
  readonly deal: Pick<Deal, 'type'> | null;
  readonly priceMicros: number;
  /** The deal's floor, else the highest of the floors that apply to the bid. */
  readonly floorMicros: number;
  /** Bids of one number win together; null stands alone. */
  readonly group: number | null;
}
