import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.ts';
import { FormProblem } from './forms/form-problem.tsx';

const GRACES = [
  { value: '0', label: 'End at once' },
  { value: '3600', label: 'For an hour' },
  { value: '86400', label: 'For a day' },
  { value: '604800', label: 'For a week' },
];

interface RollSecretProps {
  readonly title: string;
  /** On the button: `Roll the secret`. */
  readonly action: string;
  readonly children: ReactNode;
  readonly isPending: boolean;
  readonly problem: ApiProblem | null;
  readonly onRoll: (graceSeconds: number) => void;
  readonly onClose: () => void;
}

/** Asks how long the secret that is replaced stays good. */
export function RollSecret(props: RollSecretProps) {
  const { title, action, children, isPending, problem, onRoll, onClose } = props;
  const [grace, setGrace] = useState('86400');
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onRoll(Number(grace));
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {problem !== null && <FormProblem messages={[problem.message]} />}
          <Select
            label="The present one stays good"
            data={GRACES}
            value={grace}
            allowDeselect={false}
            onChange={(value) => setGrace(value ?? '86400')}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
