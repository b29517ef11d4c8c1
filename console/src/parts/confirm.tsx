import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.ts';
import { FormProblem } from './forms/form-problem.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and what cannot be had back. */
  readonly children: ReactNode;
  /** What has to be typed: the name of what goes. */
  readonly typed: string;
  /** On the button: `Delete the application`. */
  readonly action: string;
  readonly isPending: boolean;
  readonly problem: ApiProblem | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what cannot be undone; to type its name is to know which one. */
export function Confirm(props: ConfirmProps) {
  const { title, children, typed, action, isPending, problem, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text === typed) onConfirm();
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {problem !== null && <FormProblem messages={[problem.message]} />}
          <TextInput
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={text !== typed} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
