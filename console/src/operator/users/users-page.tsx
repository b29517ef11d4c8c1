import { Button, Group, Paper, Select, TextInput } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { PagedTable } from '../../parts/paged.tsx';
import { StatusFilter } from '../status-filter.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkOnce, type LinkFor } from './link-once.tsx';
import { userColumns } from './user-columns.tsx';
import { useSearchOf, type ChangeSearch } from '../../parts/use-search-of.ts';
import { useNames } from '../../parts/use-names.ts';
import { ROLES, readUsersSearch } from '../search.ts';

const ALL = 'all';

/** Who can sign in. */
export function UsersPage() {
  const [{ page: _, ...filters }] = useSearchOf(readUsersSearch);
  const [isInviting, setIsInviting] = useState(false);
  const [link, setLink] = useState<LinkFor | null>(null);
  const partners = useNames('demand-partners');
  const publishers = useNames('publishers');
  const columns = userColumns({
    onLink: setLink,
    partnerOf: partners.nameOf,
    publisherOf: publishers.nameOf,
  });
  const invite = (
    <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setIsInviting(true)}>
      Invite a user
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Users"
        description="Who can sign in. Each belongs to the exchange, to a demand partner or to a publisher."
        actions={invite}
      />
      <Paper p="md">
        <Filters key={filters.email ?? ''} />
        <PagedTable
          path="/api/users/"
          query={{
            ...filters,
            sort: 'email',
          }}
          label="Users"
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No such users">Choose other filters, or invite somebody.</EmptyState>
          }
        />
      </Paper>
      {isInviting && (
        <InviteDialog
          onClose={() => setIsInviting(false)}
          onInvited={(made) => {
            setIsInviting(false);
            setLink(made);
          }}
        />
      )}
      {link !== null && <LinkOnce link={link} onClose={() => setLink(null)} />}
    </>
  );
}

function Filters() {
  const [filters, change] = useSearchOf(readUsersSearch);
  const [email, setEmail] = useState(filters.email ?? '');
  const narrow: ChangeSearch<typeof filters> = (to) =>
    change({ ...to, page: undefined }, { isStep: true });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        narrow({ email: email.trim() === '' ? undefined : email.trim() });
      }}
    >
      <Group mb="md" align="flex-end">
        <Select
          label="Role"
          w={170}
          allowDeselect={false}
          value={filters.role ?? ALL}
          data={[ALL, ...ROLES].map((value) => ({ value, label: value.replace('-', ' ') }))}
          onChange={(value) => narrow({ role: ROLES.find((each) => each === value) })}
        />
        <StatusFilter value={filters.status} onChange={(status) => narrow({ status })} />
        <TextInput
          label="E-mail"
          placeholder="the whole address"
          type="email"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}
