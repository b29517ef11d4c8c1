import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CircleUser, KeyRound, LogOut } from 'lucide-react';
import { roleOf, useSigning } from '../api/session.ts';
import type { Session } from '../api/types.ts';

const ROLES = { operator: 'Operator', 'demand-partner': 'Demand partner', publisher: 'Publisher' };

/** Who is signed in, with what is theirs. */
export function UserMenu({ session }: { readonly session: Session }) {
  const { signOut } = useSigning();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/sign-in' }),
  });
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size="lg"
          color="gray"
          aria-label={`Account of ${session.user.email}`}
        >
          <CircleUser size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {session.user.email}
          </Text>
          <Text size="xs">{ROLES[roleOf(session)]}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<KeyRound size={16} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={16} aria-hidden />}
          onClick={() => leaving.mutate()}
          disabled={leaving.isPending}
        >
          Sign out
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Appearance />
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Appearance"
      value={colorScheme}
      onChange={(value) => {
        if (value === 'auto' || value === 'light' || value === 'dark') setColorScheme(value);
      }}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}
