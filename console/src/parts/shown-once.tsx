import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './copyable.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** The secret, and what else goes with it, to be copied. */
  readonly values: readonly {
    readonly label: string;
    readonly value: string;
    /** What it is, in the name of its button; its label unless given. */
    readonly what?: string;
  }[];
  /** What to do with it now. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/**
 * A secret, the one time that it is shown. It closes by its button alone, so that nobody loses it by
 * a click beside it.
 */
export function ShownOnce({ title, values, children, onClose }: ShownOnceProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Alert
          color="yellow"
          title="Copy it now"
          // Yellow on yellow is too faint to read.
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          It is not shown again, and nobody can look it up. Keep it where secrets are kept.
        </Alert>
        {values.map(({ label, value, what = label }) => (
          <div key={label}>
            <Text size="sm" fw={600} mb={4}>
              {label}
            </Text>
            <CodeBlock value={value} what={what} />
          </div>
        ))}
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
