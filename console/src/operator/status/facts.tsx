import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** What it means, where that is not plain. */
  readonly note?: string | null;
  /** The note is of something that is not as it should be. */
  readonly isOff?: boolean;
}

/** What is known of something, in pairs. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} spacing="sm" m={0}>
      {facts.map(({ label, value, note = null, isOff = true }) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} className="break-anywhere">
            {value}
            {note !== null && (
              <Text
                span
                size="xs"
                c={isOff ? 'var(--mantine-color-orange-light-color)' : 'dimmed'}
                display="block"
              >
                {note}
              </Text>
            )}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
