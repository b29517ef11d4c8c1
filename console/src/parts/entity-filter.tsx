import { Select } from '@mantine/core';

interface EntityFilterProps {
  readonly label: string;
  readonly entities: readonly { readonly id: number; readonly name: string }[];
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

/** Narrows a list to one partner or publisher. */
export function EntityFilter({ label, entities, value, onChange }: EntityFilterProps) {
  return (
    <Select
      label={label}
      placeholder="all"
      w={230}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `All: ${label.toLowerCase()}` }}
      data={entities.map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    />
  );
}
