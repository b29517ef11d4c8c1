import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Retried, ShownHeld } from '../../../../src/analytics/held-schema.ts';
import { useChange } from '../../api/use-change.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Id } from '../../parts/copyable.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { formatCount } from '../../parts/format.ts';
import { tell, tellProblem } from '../../parts/notices.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';

/** The columns of the list; `onShow` opens an entry. */
export function quarantineColumns(onShow: (id: string) => void): readonly Column<ShownHeld>[] {
  return [
    {
      id: 'at',
      header: 'Since',
      value: ({ at }) => at,
      cell: ({ at }) => <UtcTime at={at} />,
    },
    {
      id: 'node',
      header: 'Node',
      value: ({ node }) => node,
      cell: ({ node }) => <Id value={node} what="the id of the node" />,
    },
    { id: 'stream', header: 'Stream', value: ({ stream }) => stream },
    figure('refused', 'Refused records', ({ refused_records: refused }) => refused),
    figure('damaged', 'Damaged places', ({ damaged_places: damaged }) => damaged),
    figure('lost', 'Lost records', ({ missing_records: missing }) => missing),
    {
      id: 'actions',
      header: 'Actions',
      value: () => null,
      isSortable: false,
      cell: (entry) => <Actions entry={entry} onShow={onShow} />,
    },
  ];
}

function figure(
  id: string,
  header: string,
  value: (entry: ShownHeld) => number,
): Column<ShownHeld> {
  return { id, header, value, cell: (entry) => formatCount(value(entry)), isNumeric: true };
}

interface ActionsProps {
  readonly entry: ShownHeld;
  readonly onShow: (id: string) => void;
}

function Actions({ entry, onShow }: ActionsProps) {
  const { id, refused_records: refused, missing_records: missing } = entry;
  const [isDropping, setIsDropping] = useState(false);
  const path = `/api/quarantine/${id}/`;
  const retry = useChange<Retried>(({ body: { loaded, entry: left } }) =>
    tell(
      `${formatCount(loaded)} records are loaded. ${left === null ? 'Nothing of the entry is left.' : `${formatCount(left.refused_records)} are still refused.`}`,
    ),
  );
  const drop = useChange(() => {
    setIsDropping(false);
    tell('The entry is dropped.');
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="default" aria-label={`Show ${id}`} onClick={() => onShow(id)}>
        Show
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Retry ${id}`}
        disabled={refused === 0}
        loading={retry.isPending}
        onClick={() =>
          retry.mutate({ method: 'POST', path: `${path}retry/` }, { onError: tellProblem })
        }
      >
        Retry
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Drop ${id}`}
        onClick={() => {
          drop.reset();
          setIsDropping(true);
        }}
      >
        Drop
      </Button>
      {isDropping && (
        <Confirm
          title="Drop an entry"
          typed={id}
          action="Drop the entry"
          isPending={drop.isPending}
          problem={drop.error}
          onClose={() => setIsDropping(false)}
          onConfirm={() => drop.mutate({ method: 'DELETE', path })}
        >
          {formatCount(refused)} refused records are deleted, and {formatCount(missing)} lost ones
          are no longer told of. They will never be in a report.
        </Confirm>
      )}
    </Group>
  );
}
