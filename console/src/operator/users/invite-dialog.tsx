import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/use-change.ts';
import { FieldProblems } from '../../parts/forms/field-problems.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import type { InvitedUser } from '../../../../src/management/users/schema.ts';
import { useNames } from '../../parts/use-names.ts';
import type { LinkFor } from './link-once.tsx';

interface InviteDialogProps {
  readonly onInvited: (link: LinkFor) => void;
  readonly onClose: () => void;
}

/** Makes a user, and a link to invite them with. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('demand-partner');
  const [entityId, setEntityId] = useState<string | null>(null);
  const invite = useChange<InvitedUser>(({ body }) =>
    onInvited({ email: body.email, link: body.invitation, purpose: 'invitation' }),
  );
  const problems = new FieldProblems(invite.error);
  const emailProblem = problems.at('/email');
  const roleProblem = problems.at('/groups');
  const entityProblem = problems.at('/association');
  return (
    <Modal opened onClose={onClose} title="Invite a user" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = { email: email.trim(), ...belonging(role, entityId) };
          invite.mutate({ method: 'POST', path: '/api/users/', body });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="E-mail"
            type="email"
            required
            value={email}
            error={emailProblem}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Select
            label="Role"
            allowDeselect={false}
            value={role}
            error={roleProblem}
            data={[
              { value: 'demand-partner', label: 'user of a demand partner' },
              { value: 'publisher', label: 'user of a publisher' },
              { value: 'operator', label: 'operator: may do everything' },
            ]}
            onChange={(value) => {
              setRole(value ?? 'demand-partner');
              setEntityId(null);
            }}
          />
          {role !== 'operator' && (
            <EntitySelect
              key={role}
              role={role}
              value={entityId}
              error={entityProblem}
              onChange={setEntityId}
            />
          )}
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Invite
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface EntitySelectProps {
  readonly role: string;
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string | null) => void;
}

function EntitySelect({ role, value, error, onChange }: EntitySelectProps) {
  const isPublisher = role === 'publisher';
  const { all } = useNames(isPublisher ? 'publishers' : 'demand-partners');
  return (
    <Select
      label={isPublisher ? 'Publisher' : 'Demand partner'}
      searchable
      required
      data={all.map(({ id, name }) => ({
        value: String(id),
        label: `${name} (${id})`,
      }))}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}

function belonging(role: string, entityId: string | null): object {
  if (role === 'operator') return { groups: ['operator'] };
  const type = role === 'publisher' ? 'PUBLISHER' : 'DEMAND_PARTNER';
  return { association: { type, entity_id: Number(entityId) } };
}
