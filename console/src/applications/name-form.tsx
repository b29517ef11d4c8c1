import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApplicationSecret } from '../../../src/management/applications/schema.ts';
import type { Call } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';

interface NameFormProps {
  readonly title: string;
  /** On the button: `Register`. */
  readonly action: string;
  readonly name?: string;
  /** What is sent, without the name. */
  readonly call: Omit<Call, 'body'>;
  readonly onDone: (answer: ApplicationSecret) => void;
  readonly onClose: () => void;
}

/** Asks for the name of an application. */
export function NameForm(props: NameFormProps) {
  const { title, action, name: known = '', call, onDone, onClose } = props;
  const [name, setName] = useState(known);
  const saving = useChange<ApplicationSecret>(({ body }) => onDone(body));
  const problems = new FieldProblems(saving.error);
  const nameProblem = problems.at('/name');
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate({ ...call, body: { name: name.trim() } });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            description="What the program is, for those who see the application"
            placeholder="Campaign sync"
            value={name}
            maxLength={200}
            required
            error={nameProblem}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
