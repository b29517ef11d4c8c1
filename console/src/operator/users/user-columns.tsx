import { Button, Group, Text } from '@mantine/core';
import { useChange } from '../../api/use-change.ts';
import { Id } from '../../parts/copyable.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { EntityName } from '../../parts/entity-name.tsx';
import { tellProblem } from '../../parts/notices.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { MadeLink, ShownUser } from '../../../../src/management/users/schema.ts';
import { ChangeStatus } from '../change-status.tsx';
import type { LinkFor } from './link-once.tsx';

interface UserColumnsParts {
  /** Shows a link that was made. */
  readonly onLink: (link: LinkFor) => void;
  /** What demand partners and publishers are called. */
  readonly partnerOf: (id: number) => string;
  readonly publisherOf: (id: number) => string;
}

/** The columns of the list of users. */
export function userColumns({
  onLink,
  partnerOf,
  publisherOf,
}: UserColumnsParts): readonly Column<ShownUser>[] {
  const nameOf = ({ groups, association }: ShownUser): string => {
    if (association === null) return groups[0] ?? '';
    const { type, entity_id: id } = association;
    return type === 'PUBLISHER' ? publisherOf(id) : partnerOf(id);
  };
  return [
    {
      id: 'email',
      header: 'E-mail',
      value: ({ email }) => email,
      cell: ({ id, email }) => (
        <>
          <Text size="sm" miw={200} className="break-anywhere">
            {email}
          </Text>
          <Text component="div" c="dimmed" className="nowrap">
            <Id value={id} what={`the id of ${email}`} />
          </Text>
        </>
      ),
    },
    {
      id: 'of',
      header: 'Belongs to',
      value: nameOf,
      cell: (user, name) => <Belonging user={user} name={name} />,
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'password',
      header: 'Signs in with',
      value: (user) => signInOf(user),
      cell: (user) => <Password user={user} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      value: () => null,
      isSortable: false,
      cell: (user) => <Actions user={user} onLink={onLink} />,
    },
  ];
}

function Belonging({
  user: { association },
  name,
}: {
  readonly user: ShownUser;
  readonly name: string;
}) {
  if (association === null) return 'the exchange, as operator';
  const { type, entity_id: id } = association;
  const pages = type === 'PUBLISHER' ? 'publishers' : 'demand-partners';
  return <EntityName name={name} id={id} href={`/operator/${pages}/${id}`} />;
}

function signInOf({ has_password: isSet, has_second_factor: hasSecondFactor }: ShownUser): string {
  if (!isSet) return 'nothing yet';
  return hasSecondFactor ? 'password and code' : 'password';
}

function Password({ user }: { readonly user: ShownUser }) {
  const { link } = user;
  return (
    <>
      <Text size="sm" className="nowrap">
        {signInOf(user)}
      </Text>
      {link !== null && (
        <Text size="xs" c="dimmed">
          {link.purpose.replace('_', ' ')} link {link.state === 'open' ? 'ends' : 'ended'}{' '}
          <UtcTime at={link.expires_at} />
        </Text>
      )}
    </>
  );
}

function Actions({
  user: { id, email, status, has_password: hasPassword, has_second_factor: hasSecondFactor },
  onLink,
}: {
  readonly user: ShownUser;
  readonly onLink: (link: LinkFor) => void;
}) {
  return (
    <Group gap="xs" wrap="nowrap" w="max-content">
      {status === 'ACTIVE' && (
        <LinkButton
          label="Password link"
          path={`/api/users/${id}/password-link/`}
          link={{ email, purpose: hasPassword ? 'password' : 'invitation' }}
          onLink={onLink}
        />
      )}
      {status === 'ACTIVE' && hasSecondFactor && (
        <LinkButton
          label="Second factor lost"
          path={`/api/users/${id}/second-factor-link/`}
          link={{ email, purpose: 'second factor' }}
          onLink={onLink}
        />
      )}
      <ChangeStatus
        noun="user"
        name={email}
        path={`/api/users/${id}/`}
        status={status}
        size="xs"
        archiving="They can no longer sign in, and their applications get no tokens. What they did stays in the audit log."
      />
    </Group>
  );
}

interface LinkButtonProps {
  readonly label: string;
  readonly path: string;
  readonly link: Omit<LinkFor, 'link'>;
  readonly onLink: (link: LinkFor) => void;
}

/** Makes a one-time link, which is shown this once. */
function LinkButton({ label, path, link, onLink }: LinkButtonProps) {
  const make = useChange<MadeLink>(({ body }) => onLink({ ...link, link: body }));
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${label} for ${link.email}`}
      loading={make.isPending}
      onClick={() => make.mutate({ method: 'POST', path }, { onError: tellProblem })}
    >
      {label}
    </Button>
  );
}
