import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Archive } from 'lucide-react';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useChange } from '../api/use-change.ts';
import { Confirm } from '../parts/confirm.tsx';
import { isolated } from '../parts/isolated.ts';
import { tell } from '../parts/notices.tsx';
import { lineItemsApiOf } from './partner.ts';

/** A name that nobody can type is not asked for, but the id is. */
const TYPEABLE =
  /^[\p{L}\p{M}\p{N}\p{P}\p{S}](?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,58}[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u;

interface ArchiveButtonProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
}

/** Ends a line item; what it did stays in the reports. */
export function ArchiveButton({ partnerId, lineItem }: ArchiveButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { id, name } = lineItem;
  const change = useChange<ShownLineItem>(() => {
    tell(`${isolated(name)} is archived.`);
    close();
  });
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Archive size={14} aria-hidden />}
        onClick={open}
      >
        Archive
      </Button>
      {isOpen && (
        <Confirm
          title="Archive the line item"
          typed={TYPEABLE.test(name) ? name : String(id)}
          action="Archive the line item"
          isPending={change.isPending}
          problem={change.error}
          onClose={close}
          onConfirm={() =>
            change.mutate({
              method: 'PATCH',
              path: `${lineItemsApiOf(partnerId)}${id}/`,
              body: { status: 'ARCHIVED' },
            })
          }
        >
          It buys nothing any more, and leaves the lists. Its figures stay in the reports. To stop
          it for a while, pause it instead.
        </Confirm>
      )}
    </>
  );
}
