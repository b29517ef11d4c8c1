import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useStatusChange } from '../parts/status/use-status-change.ts';
import { lineItemsApiOf } from './partner.ts';

interface StatusButtonProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  /** An icon alone, for rows of a table. */
  readonly isCompact?: boolean;
}

/** Pauses a line item, or lets it buy again; either can be taken back. */
export function StatusButton({ partnerId, lineItem, isCompact = false }: StatusButtonProps) {
  const { id, name, status } = lineItem;
  const change = useStatusChange(`${lineItemsApiOf(partnerId)}${id}/`, name);
  const isActive = status === 'ACTIVE';
  const [word, Icon] = isActive ? (['Pause', Pause] as const) : (['Activate', Play] as const);
  const press = {
    variant: 'default',
    loading: change.isPending,
    onClick: () => change.mutate({ from: status, to: isActive ? 'PAUSED' : 'ACTIVE' }),
    'aria-label': `${word} ${name}`,
  };
  if (isCompact) {
    return (
      <Tooltip label={word}>
        <ActionIcon {...press}>
          <Icon size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    );
  }
  return (
    <Button {...press} leftSection={<Icon size={14} aria-hidden />}>
      {word}
    </Button>
  );
}
