import { Anchor, Button, Group, Paper, Table, Text, NumberInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type {
  ApplicationSecret,
  ShownApplication,
} from '../../../src/management/applications/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useSearchOf } from '../parts/use-search-of.ts';
import { UtcTime } from '../parts/utc-time.tsx';
import { ApplicationSecretOnce } from './application-secret.tsx';
import { readApplicationsSearch } from './applications-search.ts';
import { NameForm } from './name-form.tsx';

const LIMIT = 50;

/** What a user's programs sign in with: registered here. */
export function ApplicationsPage() {
  const session = useSession();
  const isOperator = roleOf(session) === 'operator';
  const [search, change] = useSearchOf(readApplicationsSearch);
  const [isNaming, setNaming] = useState(false);
  const [made, setMade] = useState<ApplicationSecret | null>(null);
  const { user_id: userId, offset = 0 } = search;
  const isOwn = userId === undefined || userId === session.user.id;
  const asked = useAsk('/api/applications/', {
    user_id: isOperator ? userId : undefined,
    limit: LIMIT,
    offset: offset === 0 ? undefined : offset,
  });
  const register = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setNaming(true)}>
      Register an application
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Applications"
        description="A program signs in with an application: its client id and secret get it access tokens, which may do what you may."
        actions={isOwn ? register : undefined}
      />
      {isOperator && (
        <OtherUser
          key={userId ?? ''}
          userId={userId}
          onChoose={(chosen) => change({ user_id: chosen, offset: undefined })}
        />
      )}
      <Paper p="xs">
        <Loaded asked={asked} skeleton={<TableSkeleton rows={4} />}>
          {(applications, { total }) =>
            applications.length === 0 ? (
              <EmptyState title="No applications yet" action={isOwn ? register : undefined}>
                {isOwn
                  ? 'Register one for each program that calls the API, so that each has a secret of its own.'
                  : 'This user has registered none. Users register their own.'}
              </EmptyState>
            ) : (
              <>
                <ApplicationTable applications={applications} />
                <Pages
                  total={total ?? applications.length}
                  offset={offset}
                  onPage={(next) => change({ offset: next === 0 ? undefined : next })}
                />
              </>
            )
          }
        </Loaded>
      </Paper>
      {isNaming && (
        <NameForm
          title="Register an application"
          action="Register"
          call={{ method: 'POST', path: '/api/applications/' }}
          onDone={(answer) => {
            setNaming(false);
            setMade(answer);
          }}
          onClose={() => setNaming(false)}
        />
      )}
      {made !== null && <ApplicationSecretOnce application={made} onClose={() => setMade(null)} />}
    </>
  );
}

function ApplicationTable({
  applications,
}: {
  readonly applications: readonly ShownApplication[];
}) {
  return (
    <Table.ScrollContainer minWidth={680} type="native">
      <Table aria-label="Applications" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Client id</Table.Th>
            <Table.Th>Registered</Table.Th>
            <Table.Th>Former secret</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {applications.map(({ client_id, name, created_at, previous_secret }) => (
            <Table.Tr key={client_id}>
              <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  size="sm"
                  fw={600}
                  renderRoot={(props) => (
                    <Link
                      to={`/v2/auth/applications/${encodeURIComponent(client_id)}`}
                      {...props}
                    />
                  )}
                >
                  <bdi>{name}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Id value={client_id} what={`the client id of ${name}`} />
              </Table.Td>
              <Table.Td>
                <UtcTime at={created_at} />
              </Table.Td>
              <Table.Td>
                {previous_secret === null ? (
                  'none holds'
                ) : (
                  <>
                    ends <UtcTime at={previous_secret.expires_at} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface PagesProps {
  readonly total: number;
  readonly offset: number;
  readonly onPage: (offset: number) => void;
}

function Pages({ total, offset, onPage }: PagesProps) {
  if (total <= LIMIT) return null;
  const last = Math.min(total, offset + LIMIT);
  return (
    <Group justify="space-between" mt="xs">
      <Button
        variant="default"
        size="xs"
        disabled={offset === 0}
        onClick={() => onPage(Math.max(0, offset - LIMIT))}
      >
        Previous
      </Button>
      <Text size="sm" c="dimmed">
        {offset + 1} to {last} of {total}
      </Text>
      <Button
        variant="default"
        size="xs"
        disabled={last >= total}
        onClick={() => onPage(offset + LIMIT)}
      >
        Next
      </Button>
    </Group>
  );
}

interface OtherUserProps {
  readonly userId: number | undefined;
  readonly onChoose: (userId: number | undefined) => void;
}

/** Whose applications an operator looks at. */
function OtherUser({ userId, onChoose }: OtherUserProps) {
  const [typed, setTyped] = useState<string | number>(userId ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(typed === '' ? undefined : Number(typed));
      }}
    >
      <Group gap="xs" align="flex-end" mb="md">
        <NumberInput
          label="Of the user"
          placeholder="yours"
          value={typed}
          onChange={setTyped}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          w={180}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
        {userId !== undefined && (
          <Button variant="subtle" onClick={() => onChoose(undefined)}>
            Show yours
          </Button>
        )}
      </Group>
    </form>
  );
}
