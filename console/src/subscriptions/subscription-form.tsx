import {
  Button,
  Checkbox,
  Group,
  Modal,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { ShownRecipient } from '../../../src/management/subscriptions/schema.ts';
import type { Call } from '../api/client.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import type { ChannelWords } from './channels.ts';
import { eventsFor } from './event-names.ts';

interface SubscriptionFormProps<Answer> {
  readonly title: string;
  /** On the button: `Create`. */
  readonly action: string;
  readonly words: ChannelWords;
  /** What it is now; null for a new one. */
  readonly subscription: ShownRecipient | null;
  /** What is sent, without the body. */
  readonly call: Omit<Call, 'body'>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Asks where events are sent, and which. */
export function SubscriptionForm<Answer>(props: SubscriptionFormProps<Answer>) {
  const { title, action, words, subscription, call, onDone, onClose } = props;
  const role = roleOf(useSession());
  const [name, setName] = useState(subscription?.name ?? '');
  const [address, setAddress] = useState(subscription?.address ?? '');
  const [events, setEvents] = useState<string[]>(subscription?.events ?? []);
  const [isActive, setActive] = useState(subscription?.status !== 'PAUSED');
  const saving = useChange<Answer>(({ body }) => onDone(body));
  const problems = new FieldProblems(saving.error);
  const [nameProblem, addressProblem, eventsProblem] = ['/name', '/address', '/events'].map(
    (pointer) => problems.at(pointer),
  );
  const status = isActive ? 'ACTIVE' : 'PAUSED';
  return (
    <Modal opened onClose={onClose} title={title} size="lg" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = { name: name.trim(), address: address.trim(), events, status };
          saving.mutate({ ...call, body });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            placeholder={words.namePlaceholder}
            value={name}
            maxLength={200}
            required
            error={nameProblem}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label="Address"
            description={words.addressHelp}
            placeholder={words.addressPlaceholder}
            value={address}
            required
            error={addressProblem}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <Checkbox.Group
            label="Events"
            value={events}
            error={eventsProblem}
            onChange={setEvents}
            required
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
              {eventsFor(role).map(([type, label]) => (
                <Checkbox key={type} value={type} label={label} description={type} />
              ))}
            </SimpleGrid>
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
