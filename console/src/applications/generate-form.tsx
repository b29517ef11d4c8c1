import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MadeToken } from '../../../src/management/applications/schema.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';

interface GenerateFormProps {
  readonly path: string;
  readonly onMade: (token: MadeToken) => void;
  readonly onClose: () => void;
}

/** Asks what a token is for, and makes it. */
export function GenerateForm({ path, onMade, onClose }: GenerateFormProps) {
  const [scope, setScope] = useState('read');
  const making = useChange<MadeToken>(({ body }) => onMade(body));
  const problems = new FieldProblems(making.error);
  return (
    <Modal opened onClose={onClose} title="Generate an access token" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate({ method: 'POST', path, body: { scope } });
        }}
      >
        <Stack gap="md">
          <Text size="sm">It is shown once and good for an hour, for what you may do at most.</Text>
          <Radio.Group
            label="Scope"
            value={scope}
            error={problems.at('/scope')}
            onChange={setScope}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="read" label="read" description="Looks at everything, changes nothing" />
              <Radio value="write" label="read write" description="Changes things as well" />
            </Stack>
          </Radio.Group>
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={making.isPending}>
              Generate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
