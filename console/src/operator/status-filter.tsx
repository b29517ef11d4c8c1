import { Select } from '@mantine/core';
import { STATUSES, type Status } from '../parts/status/statuses.ts';

interface StatusFilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: Status | undefined) => void;
}

const ALL = 'all';

/** Narrows a list to one status, beside its other filters. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <Select
      label="Status"
      w={150}
      allowDeselect={false}
      value={value ?? ALL}
      data={[
        { value: ALL, label: ALL },
        ...STATUSES.map((each) => ({ value: each, label: each.toLowerCase() })),
      ]}
      onChange={(chosen) => onChange(STATUSES.find((each) => each === chosen))}
    />
  );
}
