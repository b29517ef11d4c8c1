import { Group, Pill, Text } from '@mantine/core';
import type { Side } from './sides.ts';

interface ReportFiltersProps {
  readonly side: Side;
  readonly where: Readonly<Record<string, string>>;
  readonly nameOf: ((dimension: string, value: string) => string | null) | undefined;
  readonly onChange: (where: Readonly<Record<string, string>>) => void;
}

/** What the report is narrowed to; each of it can be taken away. */
export function ReportFilters({ side, where, nameOf, onChange }: ReportFiltersProps) {
  const entries = Object.entries(where);
  if (entries.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">Only</Text>
      {entries.map(([name, value]) => {
        const words = `${side.dimensions[name] ?? name}: ${nameOf?.(name, value) ?? (value === '' ? 'unknown' : value)}`;
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            removeButtonProps={{
              'aria-label': `Remove the filter ${words}`,
              // Mantine hides it from those who cannot see: they remove filters as well.
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => onChange(Object.fromEntries(entries.filter(([each]) => each !== name)))}
          >
            {words}
          </Pill>
        );
      })}
    </Group>
  );
}
