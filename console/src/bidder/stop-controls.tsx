import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { tell, tellProblem, tellWithUndo } from '../parts/notices.tsx';
import { UtcTime } from '../parts/utc-time.tsx';

interface StopControlsProps {
  /** Of the demand partner. */
  readonly path: string;
  /** Null as long as it is not read, or where there is none. */
  readonly bidder: ShownBidder | null;
}

/** Says that the operator has stopped all calls; operators stop and start them here. */
export function StopControls({ path, bidder }: StopControlsProps) {
  const isOperator = roleOf(useSession()) === 'operator';
  const [isAsking, setAsking] = useState(false);
  const starting = useChange<ShownBidder>();
  if (bidder === null) return null;
  const start = (): void =>
    starting.mutate(
      { method: 'POST', path: `${path}/bidder/start/` },
      { onSuccess: () => tell('The bidder is called again.'), onError: tellProblem },
    );
  const { stopped } = bidder;
  return (
    <>
      {stopped === null && isOperator && (
        <Group justify="flex-end" mb="xs">
          <Button variant="default" size="xs" color="red" onClick={() => setAsking(true)}>
            Stop all calls
          </Button>
        </Group>
      )}
      {stopped !== null && (
        <Alert color="red" mb="lg" title="The operator has stopped all calls to this bidder">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{stopped.reason}</bdi>, <UtcTime at={stopped.since} />.{' '}
            {isOperator
              ? 'It is called again when you start it, whatever is changed in between.'
              : 'Mend what the reason says, send a test request, and ask the operator to start it.'}
          </Text>
          {isOperator && (
            <Button size="xs" mt="sm" onClick={start} loading={starting.isPending}>
              Start the bidder
            </Button>
          )}
        </Alert>
      )}
      {isAsking && (
        <StopForm
          path={path}
          onClose={() => setAsking(false)}
          onStopped={() => {
            setAsking(false);
            tellWithUndo('All calls to the bidder are stopped.', start);
          }}
        />
      )}
    </>
  );
}

interface StopFormProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onStopped: () => void;
}

function StopForm({ path, onClose, onStopped }: StopFormProps) {
  const [reason, setReason] = useState('');
  const stopping = useChange<ShownBidder>(onStopped);
  const problems = new FieldProblems(stopping.error);
  return (
    <Modal opened onClose={onClose} title="Stop all calls to the bidder" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          stopping.mutate({ method: 'POST', path: `${path}/bidder/stop/`, body: { reason } });
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            No bid request is sent to it until an operator starts it again. The demand partner reads
            the reason.
          </Text>
          <TextInput
            label="Reason"
            placeholder="answers with broken JSON"
            value={reason}
            required
            maxLength={200}
            error={problems.at('/reason')}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={stopping.isPending}>
              Stop all calls
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
