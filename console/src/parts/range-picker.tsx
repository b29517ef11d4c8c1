import { Group, Select, Text } from '@mantine/core';
import { DayInput } from './day-input.tsx';
import { chosenRange, type RangeSearch } from './range-search.ts';
import { RANGES, type DateRange, type RangeName } from './ranges.ts';

interface RangePickerProps {
  readonly search: RangeSearch;
  readonly fallback: RangeName;
  readonly onChange: (search: RangeSearch) => void;
  /** What can be chosen by hand. */
  readonly window: DateRange;
}

/** Chooses days: a usual range, or any first and last one. */
export function RangePicker({ search, fallback, onChange, window }: RangePickerProps) {
  const isOwn = search.from !== undefined && search.to !== undefined;
  const { first, last } = chosenRange(search, fallback);
  return (
    <Group gap="xs" align="center">
      <Select
        size="sm"
        w={150}
        aria-label="Days"
        allowDeselect={false}
        value={isOwn ? 'own' : (search.range ?? fallback)}
        data={[
          ...RANGES.map(({ name, label }) => ({ value: name, label })),
          { value: 'own', label: 'Other days' },
        ]}
        onChange={(name) => {
          const range = RANGES.find((each) => each.name === name)?.name;
          onChange(range === undefined ? { from: first, to: last } : { range });
        }}
      />
      {isOwn && (
        <Group gap={6}>
          <DayInput
            label="First day"
            value={first}
            window={window}
            onChange={(from) => onChange({ from, to: from > last ? from : last })}
          />
          <Text size="sm">to</Text>
          <DayInput
            label="Last day"
            value={last}
            window={window}
            onChange={(to) => onChange({ from: to < first ? to : first, to })}
          />
        </Group>
      )}
      <Text size="sm" c="dimmed">
        {first === last ? first : `${first} – ${last}`} UTC
      </Text>
    </Group>
  );
}
