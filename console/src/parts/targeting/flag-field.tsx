import { Group, Input, SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';

interface FlagFieldProps {
  readonly label: string;
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean | undefined) => void;
  readonly error: string | undefined;
}

/** Any, only or never. */
export function FlagField({ label, value, onChange, error }: FlagFieldProps) {
  const id = useId();
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby={id}
          value={value === undefined ? 'any' : value ? 'only' : 'never'}
          onChange={(chosen) => onChange(chosen === 'any' ? undefined : chosen === 'only')}
          data={[
            { value: 'any', label: 'Any' },
            { value: 'only', label: 'Only' },
            { value: 'never', label: 'Never' },
          ]}
        />
      </Group>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </div>
  );
}
