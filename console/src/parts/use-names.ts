import { useAsk } from '../api/use-ask.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

const ALL_MAX = 10_000;

const NOUNS = { 'demand-partners': 'Demand partner', publishers: 'Publisher' } as const;

export type EntityKind = keyof typeof NOUNS;

/** What operators know by id and name: all demand partners, or all publishers, by name. */
export function useNames(
  kind: EntityKind,
  isAsked = true,
): { readonly all: readonly Named[]; readonly nameOf: (id: number) => string } {
  const asked = useAsk(`/api/${kind}/`, { sort: 'name', limit: ALL_MAX }, { enabled: isAsked });
  const all = asked.data?.body ?? [];
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return { all, nameOf: (id) => names.get(id) ?? `${NOUNS[kind]} ${id}` };
}

/** What one of them is called; as it goes by its id until that is known. */
export function useNameOf(kind: EntityKind, id: number | null): string {
  const asked = useAsk(`/api/${kind}/${id}/`, {}, { enabled: id !== null });
  return asked.data?.body.name ?? `${NOUNS[kind]} ${id ?? ''}`;
}
