import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/use-change.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tell, tellProblem } from '../../parts/notices.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { ShownDemandPartner } from '../../../../src/management/demand-partners/schema.ts';

interface KillSwitchProps {
  readonly partner: Pick<ShownDemandPartner, 'id' | 'name' | 'stopped'>;
  readonly size?: 'xs' | 'sm';
}

/** Stops all calls to a partner's bidder at once, and lets it be called again. */
export function KillSwitch({ partner, size = 'sm' }: KillSwitchProps) {
  const [isStopping, setIsStopping] = useState(false);
  const start = useChange();
  const { id, name, stopped } = partner;
  if (stopped !== null) {
    return (
      <Button
        size={size}
        color="teal"
        variant="light"
        loading={start.isPending}
        aria-label={`Start the bidder of ${name}`}
        onClick={() =>
          start.mutate(
            { method: 'POST', path: `/api/demand-partners/${id}/bidder/start/` },
            {
              onSuccess: () => tell(`The bidder of “${name}” is called again.`),
              onError: tellProblem,
            },
          )
        }
      >
        Start
      </Button>
    );
  }
  return (
    <>
      <Button
        size={size}
        color="red"
        variant="light"
        aria-label={`Stop the bidder of ${name}`}
        onClick={() => setIsStopping(true)}
      >
        Stop
      </Button>
      {isStopping && <StopDialog partner={partner} onClose={() => setIsStopping(false)} />}
    </>
  );
}

/** Says that the bidder is stopped, why, and since when. */
export function StoppedBanner({ stopped }: Pick<ShownDemandPartner, 'stopped'>) {
  if (stopped === null) return null;
  return (
    <Alert color="red" title="The exchange does not call this bidder" mb="md">
      <Text size="sm" className="break-anywhere">
        Stopped <UtcTime at={stopped.since} />: {stopped.reason}
      </Text>
    </Alert>
  );
}

function StopDialog({
  partner: { id, name },
  onClose,
}: {
  readonly partner: KillSwitchProps['partner'];
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const stop = useChange();
  return (
    <Confirm
      title="Stop the bidder"
      typed={name}
      action="Stop all calls"
      isPending={stop.isPending}
      problem={stop.error}
      onClose={onClose}
      onConfirm={() =>
        stop.mutate(
          {
            method: 'POST',
            path: `/api/demand-partners/${id}/bidder/stop/`,
            body: { reason: reason.trim() },
          },
          {
            onSuccess: () => {
              onClose();
              tell(`The bidder of “${name}” is stopped.`);
            },
          },
        )
      }
    >
      <Text size="sm" mb="md">
        The exchange sends “{name}” no more bid requests, within seconds and until you start it
        again. What it has won already is billed. The partner sees the reason.
      </Text>
      <TextInput
        label="Reason"
        required
        maxLength={200}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
}
