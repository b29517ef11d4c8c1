import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../parts/confirm.tsx';
import type { Status } from '../parts/status/statuses.ts';
import { useStatusChange } from '../parts/status/use-status-change.ts';

interface ChangeStatusProps {
  /** `deal`, `demand partner`. */
  readonly noun: string;
  /** What it goes by. */
  readonly name: string;
  readonly path: string;
  readonly status: Status;
  /** What it means that it is archived. */
  readonly archiving: string;
  readonly size?: 'xs' | 'sm';
}

/** Pauses, which can be undone, activates, and archives once its name was typed. */
export function ChangeStatus(props: ChangeStatusProps) {
  const { noun, name, path, status, archiving, size = 'sm' } = props;
  const [isArchiving, setIsArchiving] = useState(false);
  const change = useStatusChange(path, name);
  const isActive = status === 'ACTIVE';
  return (
    <>
      <Button
        size={size}
        variant="default"
        loading={change.isPending && !isArchiving}
        aria-label={`${isActive ? 'Pause' : 'Activate'} ${name}`}
        onClick={() => change.mutate({ from: status, to: isActive ? 'PAUSED' : 'ACTIVE' })}
      >
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      {status !== 'ARCHIVED' && (
        <Button
          size={size}
          variant="default"
          aria-label={`Archive ${name}`}
          onClick={() => {
            change.reset();
            setIsArchiving(true);
          }}
        >
          Archive
        </Button>
      )}
      {isArchiving && (
        <Confirm
          title={`Archive the ${noun}`}
          typed={name}
          action={`Archive the ${noun}`}
          isPending={change.isPending}
          problem={change.error}
          onClose={() => setIsArchiving(false)}
          onConfirm={() =>
            change.mutate(
              { from: status, to: 'ARCHIVED', isConfirmed: true },
              { onSuccess: () => setIsArchiving(false) },
            )
          }
        >
          {archiving}
        </Confirm>
      )}
    </>
  );
}
