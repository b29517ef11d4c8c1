import { Alert, Button, Group, Modal, Table, Text } from '@mantine/core';
import { Link, useBlocker } from '@tanstack/react-router';
import { FormProblem } from './form-problem.tsx';
import { Scrolling } from '../scrolling.tsx';
import { UtcTime } from '../utc-time.tsx';
import { wordsOf } from '../words-of.ts';
import type { Difference } from './changes.ts';
import type { Edit } from './use-edit.ts';

interface EditBarProps {
  readonly edit: Pick<
    Edit<object>,
    'isChanged' | 'holdsBack' | 'isPending' | 'problems' | 'isStale' | 'others' | 'discard'
  >;
  /** On the button of what is new: `Create the deal`. Changes are saved everywhere. */
  readonly making?: string | undefined;
  /** When it was changed last. */
  readonly changedAt?: string | undefined;
  /** Where somebody goes who makes nothing. */
  readonly cancelTo?: string | undefined;
}

/**
 * The end of a form: what belongs to no field, what somebody else has changed, and the button that
 * saves. It has to be the last in the form, because what fields show is known only then.
 */
export function EditBar({ edit, making, changedAt, cancelTo }: EditBarProps) {
  const isNew = making !== undefined;
  const { isChanged, isPending, problems, isStale, others, discard } = edit;
  return (
    <>
      <FormProblem messages={problems.rest()} />
      {isStale && <Others others={others} />}
      <Group style={BAR} py="sm">
        <Button type="submit" loading={isPending} disabled={!isNew && !isChanged}>
          {making ?? 'Save the changes'}
        </Button>
        {!isNew && isChanged && (
          <Button variant="default" onClick={discard} disabled={isPending}>
            Discard the changes
          </Button>
        )}
        {!isNew && !isChanged && (
          <Text size="sm" c="dimmed">
            Nothing to save.
            {changedAt !== undefined && (
              <>
                {' '}
                Last changed <UtcTime at={changedAt} />.
              </>
            )}
          </Text>
        )}
        {cancelTo !== undefined && (
          <Button variant="default" renderRoot={(props) => <Link to={cancelTo} {...props} />}>
            Cancel
          </Button>
        )}
      </Group>
      <LeaveGuard holdsBack={edit.holdsBack} />
    </>
  );
}

/** In sight however long the form is. */
const BAR = {
  position: 'sticky',
  bottom: 0,
  zIndex: 2,
  background: 'var(--rialto-canvas)',
  borderTop: '1px solid var(--mantine-color-default-border)',
} as const;

/** What was typed stays; nothing of theirs is written over before both were seen. */
function Others({ others }: { readonly others: readonly Difference[] }) {
  return (
    <Alert color="orange" role="alert" title="Somebody else changed this while you did">
      <Text size="sm">
        Nothing was saved. What you typed is still here, with their changes around it. Save again to
        keep it so.
      </Text>
      {others.length > 0 && <Theirs others={others} />}
    </Alert>
  );
}

function Theirs({ others }: { readonly others: readonly Difference[] }) {
  return (
    <Scrolling label="Their changes" minWidth={360}>
      <Table mt="xs" aria-label="What somebody else changed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Saved by them</Table.Th>
            <Table.Th>Here</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {others.map(({ key, theirs, mine }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{key}</Table.Th>
              <Table.Td>
                <Text size="sm" className="break-anywhere" dir="auto" lineClamp={6}>
                  {wordsOf(theirs)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" className="break-anywhere" dir="auto" lineClamp={6}>
                  {wordsOf(mine)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}

/** Asks before changes are lost by going to another page; tabs of this one lose nothing. */
function LeaveGuard({ holdsBack }: { readonly holdsBack: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => holdsBack() && current.pathname !== next.pathname,
    enableBeforeUnload: holdsBack,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Modal opened onClose={reset} title="Leave without saving?" centered>
      <Text size="sm" mb="md">
        What you changed on this page would be lost.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={reset} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={proceed}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}
