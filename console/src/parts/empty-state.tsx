import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** What is not there: `No line items yet`. */
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** In place of what is not there: says so, and what to do next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2}>{title}</Title>
      {children !== undefined && (
        <Text component="div" c="dimmed" maw={520}>
          {children}
        </Text>
      )}
      {action !== undefined && <div>{action}</div>}
    </Stack>
  );
}
