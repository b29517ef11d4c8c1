import { Group, Paper, SimpleGrid, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  /** Beside it: of what, or how it was before. */
  readonly note?: ReactNode;
  /** What it means, for whoever asks. */
  readonly help?: string;
}

/** One number that matters. */
export function Figure({ label, value, note, help }: FigureProps) {
  return (
    <Paper p="md">
      <Group gap={4} wrap="nowrap">
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        {help !== undefined && (
          <Tooltip
            label={help}
            multiline
            maw={280}
            events={{ hover: true, focus: true, touch: true }}
          >
            <UnstyledButton aria-label={help} className="help">
              <CircleHelp size={14} aria-hidden />
            </UnstyledButton>
          </Tooltip>
        )}
      </Group>
      <Text fz={24} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}

/** Figures beside each other, as many as there is room for. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" mb="lg">
      {children}
    </SimpleGrid>
  );
}
