import { SegmentedControl } from '@mantine/core';
import { STATUS_NAMES, STATUSES, type Status } from './statuses.ts';

interface StatusFilterProps {
  readonly value: Status | undefined;
  readonly onChange: (value: Status | undefined) => void;
  /** All that there are, to say how many a filter shows. */
  readonly counted?: readonly { readonly status: Status }[];
}

/** One status, or all but what is archived. */
export function StatusFilter({ value, onChange, counted }: StatusFilterProps) {
  const countOf = (filter: Status | undefined): string =>
    counted === undefined
      ? ''
      : ` ${counted.filter(({ status }) => isShown(status, filter)).length}`;
  return (
    <div style={{ overflowX: 'auto' }}>
      <SegmentedControl
        size={counted === undefined ? 'xs' : 'sm'}
        aria-label="Status"
        value={value ?? ''}
        onChange={(next) => onChange(STATUSES.find((each) => each === next))}
        data={[
          { value: '', label: `In use${countOf(undefined)}` },
          ...STATUSES.map((each) => ({
            value: each,
            label: `${STATUS_NAMES[each]}${countOf(each)}`,
          })),
        ]}
      />
    </div>
  );
}

/** Whether a list with this filter shows it; what is archived is shown where it is asked for alone. */
export function isShown(status: string, filter: Status | undefined): boolean {
  return filter === undefined ? status !== 'ARCHIVED' : status === filter;
}
