import { Select } from '@mantine/core';
import { STATUS_NAMES, STATUSES, type Status } from './statuses.ts';

interface StatusFieldProps {
  readonly value: Status;
  readonly onChange: (value: Status) => void;
}

/** Whether it takes part. */
export function StatusField({ value, onChange }: StatusFieldProps) {
  return (
    <Select
      label="Status"
      allowDeselect={false}
      data={STATUSES.map((each) => ({ value: each, label: STATUS_NAMES[each] }))}
      value={value}
      onChange={(next) => onChange(STATUSES.find((each) => each === next) ?? value)}
    />
  );
}
