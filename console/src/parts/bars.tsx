import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** What stands at its end. */
  readonly text: string;
  readonly color?: string;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What a whole bar stands for; the longest of them unless said otherwise. */
  readonly most?: number;
}

/** Amounts beside each other, the longest as wide as there is room. */
export function Bars({ label, bars, most: given }: BarsProps) {
  const most = given ?? Math.max(1, ...bars.map(({ value }) => value));
  return (
    <Stack gap="sm" component="ul" aria-label={label} className="plain-list">
      {bars.map((bar) => (
        <li key={bar.key}>
          <Group justify="space-between" gap="xs" wrap="nowrap" mb={3}>
            <Text size="sm" component="div">
              {bar.label}
            </Text>
            <Text size="sm" className="numeric">
              {bar.text}
            </Text>
          </Group>
          <Progress
            value={(100 * bar.value) / most}
            color={bar.color ?? 'lagoon'}
            size="md"
            aria-hidden
          />
        </li>
      ))}
    </Stack>
  );
}
