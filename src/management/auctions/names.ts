import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { NamedView } from './schema.ts';

/** What things are called in the present configuration; what is archived is in it no more. */
export interface Names {
  partner(id: number): NamedView;
  adSpace(id: number): string | null;
  lineItem(demandPartnerId: number, id: number): NamedView;
}

export function namesIn(snapshot: Snapshot): Names {
  const { demandPartners, adSpaces } = snapshot;
  return {
    partner: (id) => ({ id, name: demandPartners.get(id)?.name ?? null }),
    adSpace: (id) => adSpaces.get(String(id))?.name ?? null,
    lineItem: (demandPartnerId, id) => lineItemIn(snapshot, demandPartnerId, id),
  };
}

export function lineItemIn(
  { lineItems }: Snapshot,
  demandPartnerId: number,
  id: number,
): NamedView {
  const found = lineItems.get(demandPartnerId)?.find((lineItem) => lineItem.id === id);
  return { id, name: found?.name ?? null };
}

/** A demand partner within a sentence. */
export function nameOf({ id, name }: NamedView): string {
  return name ?? `demand partner ${id}`;
}
