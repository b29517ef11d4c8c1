import { ActionIcon, Menu } from '@mantine/core';
import { Archive, Ellipsis, Pause, Play } from 'lucide-react';
import type { Status } from './statuses.ts';
import { useStatusChange } from './use-status-change.ts';

interface StatusMenuProps {
  /** Of the resource in the API. */
  readonly path: string;
  readonly name: string;
  readonly status: Status;
}

const CHOICES = [
  { to: 'ACTIVE', label: 'Activate', icon: Play },
  { to: 'PAUSED', label: 'Pause', icon: Pause },
  { to: 'ARCHIVED', label: 'Archive', icon: Archive },
] as const;

/** What can be done with the status of one resource. */
export function StatusMenu({ path, name, status }: StatusMenuProps) {
  const change = useStatusChange(path, name);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={change.isPending}
          aria-label={`Actions for ${name}`}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.filter(({ to }) => to !== status).map(({ to, label, icon: Icon }) => (
          <Menu.Item
            key={to}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => change.mutate({ from: status, to })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
