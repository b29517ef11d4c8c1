import { Code, Modal, Stack, Text } from '@mantine/core';
import type { ShownHeldDetails } from '../../../../src/analytics/held-schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { formatCount } from '../../parts/format.ts';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';

interface EntryDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Why an entry is held, and what can be read of it. */
export function EntryDialog({ id, onClose }: EntryDialogProps) {
  const entry = useAsk<ShownHeldDetails>(`/api/quarantine/${id}/`);
  return (
    <Modal opened onClose={onClose} title={`Quarantine entry ${id}`} size="xl" centered>
      <Loaded asked={entry} skeleton={<TableSkeleton />}>
        {({ parts, text }) => (
          <Stack gap="md">
            {parts.map((part) => (
              <Stack key={`${part.segment} ${part.start} ${part.cause}`} gap={4}>
                <Text size="sm" fw={600} className="break-anywhere">
                  {part.cause === 'refused'
                    ? `${formatCount(part.records)} refused`
                    : `${formatCount(part.missing)} lost`}
                  {`, bytes ${part.start} to ${part.end} of ${part.segment}`}
                </Text>
                <Text size="sm" className="break-anywhere">
                  {part.reason}
                </Text>
              </Stack>
            ))}
            <Code block className="break-anywhere">
              {text}
            </Code>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
