import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApiProblem } from '../api/problem.ts';

const UNDO_MS = 10_000;

/** Says that something was done. */
export function tell(message: string): void {
  notifications.show({ message, color: 'teal' });
}

/** Says that something was not done, and why, where no form is there to say it. */
export function tellProblem(problem: ApiProblem): void {
  const parts = problem.problems.map(({ pointer, message }) => `${pointer} ${message}`);
  notifications.show({
    title: 'This was not done',
    message: parts.length > 0 ? parts.join('; ') : problem.message,
    color: 'red',
    autoClose: false,
  });
}

/** Says what was done, and takes it back for whoever wants that. */
export function tellWithUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    color: 'teal',
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          flex="none"
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
