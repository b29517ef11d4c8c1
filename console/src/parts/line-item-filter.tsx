import { Select } from '@mantine/core';
import { useAsk } from '../api/use-ask.ts';

interface LineItemFilterProps {
  readonly partnerId: string;
  /** Above it; without one it says by itself what it is. */
  readonly label?: string;
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

/** Of a partner's first hundred line items, and the one that the address names. */
export function LineItemFilter({ partnerId, label, value, onChange }: LineItemFilterProps) {
  const items = useAsk(`/api/demand-partners/${partnerId}/line-items/xch/`, { limit: 100 });
  const known = (items.data?.body ?? []).map(({ id, name }) => ({
    value: String(id),
    label: `${name} (${id})`,
  }));
  const isKnown = value === undefined || known.some((each) => each.value === String(value));
  return (
    <Select
      {...(label === undefined ? { 'aria-label': 'Line item', w: 260 } : { label })}
      placeholder="All line items"
      searchable
      clearable
      value={value === undefined ? null : String(value)}
      data={isKnown ? known : [...known, { value: String(value), label: String(value) }]}
      onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
      nothingFoundMessage="No such line item"
    />
  );
}
