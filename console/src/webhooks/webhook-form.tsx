import { Button, Checkbox, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ShownWebhook } from '../../../src/management/webhooks/schema.ts';
import type { Call } from '../api/client.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { eventsFor } from './event-names.ts';

interface WebhookFormProps<Answer> {
  readonly title: string;
  /** On the button: `Create`. */
  readonly action: string;
  /** What it is now; null for a new one. */
  readonly webhook: ShownWebhook | null;
  /** What is sent, without the body. */
  readonly call: Omit<Call, 'body'>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Asks where a webhook leads and what it is told. */
export function WebhookForm<Answer>(props: WebhookFormProps<Answer>) {
  const { title, action, webhook, call, onDone, onClose } = props;
  const role = roleOf(useSession());
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<string[]>(webhook?.events ?? []);
  const [isActive, setActive] = useState(webhook?.status !== 'PAUSED');
  const saving = useChange<Answer>(({ body }) => onDone(body));
  const problems = new FieldProblems(saving.error);
  const [nameProblem, urlProblem, eventsProblem] = ['/name', '/url', '/events'].map((pointer) =>
    problems.at(pointer),
  );
  const status = isActive ? 'ACTIVE' : 'PAUSED';
  return (
    <Modal opened onClose={onClose} title={title} size="lg" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate({ ...call, body: { name: name.trim(), url: url.trim(), events, status } });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            placeholder="Pager"
            value={name}
            maxLength={200}
            required
            error={nameProblem}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label="Address"
            description="Where events are POSTed to"
            placeholder="https://hooks.example/rialto"
            value={url}
            required
            error={urlProblem}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Checkbox.Group
            label="Events"
            value={events}
            error={eventsProblem}
            onChange={setEvents}
            required
          >
            <Stack gap="xs" mt="xs">
              {eventsFor(role).map(([type, label]) => (
                <Checkbox key={type} value={type} label={label} description={type} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Switch
            label="Active"
            description="Paused it is told nothing new; what waits is sent when it goes on"
            checked={isActive}
            onChange={({ currentTarget }) => setActive(currentTarget.checked)}
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
