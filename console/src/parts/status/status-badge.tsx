import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  ACTIVE: 'teal',
  PAUSED: 'orange',
  ARCHIVED: 'gray',
  healthy: 'teal',
  failing: 'red',
  held_back: 'orange',
  unreliable: 'orange',
  stopped: 'red',
  empty: 'red',
  another: 'red',
  older: 'red',
  idle: 'gray',
  not_set_up: 'gray',
};

/** A state in a colour, and in words for whoever sees none. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge variant="light" color={COLORS[status] ?? 'gray'} autoContrast miw="max-content">
      {status.replaceAll('_', ' ').toLowerCase()}
    </Badge>
  );
}
