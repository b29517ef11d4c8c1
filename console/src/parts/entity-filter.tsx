import { Select } from '@mantine/core';
import { useNames, type EntityKind } from './use-names.ts';

interface EntityFilterProps {
  readonly label: string;
  readonly kind: EntityKind;
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

/** Narrows a list to one demand partner or publisher, for operators. */
export function EntityFilter({ label, kind, value, onChange }: EntityFilterProps) {
  const { all, nameOf } = useNames(kind);
  const known = all.map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));
  const isKnown = value === undefined || all.some(({ id }) => id === value);
  return (
    <Select
      label={label}
      placeholder="all"
      miw={200}
      searchable
      clearable
      limit={100}
      clearButtonProps={{ 'aria-label': `All: ${label.toLowerCase()}` }}
      data={isKnown ? known : [...known, { value: String(value), label: nameOf(value) }]}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    />
  );
}
