import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { NamedView } from './schema.ts';

/** What things are called in the present configuration; what is archived is in it no more. */
export interface Names {
  partner(id: number): NamedView;
  adSpace(id: number): string | null;
}

export function namesIn({ demandPartners, adSpaces }: Snapshot): Names {
  return {
    partner: (id) => ({ id, name: demandPartners.get(id)?.name ?? null }),
    adSpace: (id) => adSpaces.get(String(id))?.name ?? null,
  };
}

/** A demand partner within a sentence. */
export function nameOf({ id, name }: NamedView): string {
  return name ?? `demand partner ${id}`;
}
