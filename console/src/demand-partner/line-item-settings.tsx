import { Text } from '@mantine/core';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { useEditOf } from '../parts/forms/use-edit.ts';
import { isolated } from '../parts/isolated.ts';
import { tell } from '../parts/notices.tsx';
import { CapUse } from './cap-use.tsx';
import { bodyOf, draftOf, wordsOf, type LineItemDraft } from './line-item-draft.ts';
import { LineItemFields } from './line-item-fields.tsx';
import { lineItemsApiOf } from './partner.ts';

interface LineItemSettingsProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  readonly etag: string | null;
}

/** Edits a line item. */
export function LineItemSettings({ partnerId, lineItem, etag }: LineItemSettingsProps) {
  const isOperator = roleOf(useSession()) === 'operator';
  const edit = useEditOf<ShownLineItem, LineItemDraft>(
    { draftOf, bodyOf: (draft) => bodyOf(draft, isOperator), wordsOf },
    {
      start: draftOf(lineItem),
      etag,
      path: `${lineItemsApiOf(partnerId)}${lineItem.id}/`,
      onSaved: ({ name }) => tell(`${isolated(name)} is saved.`),
    },
  );
  const isArchived = lineItem.status === 'ARCHIVED';
  return (
    <div style={{ maxWidth: 820 }}>
      <EditForm
        edit={edit}
        label="Settings of the line item"

        changedAt={lineItem.updated_at}
      >
        {isArchived && <Text>This line item is archived: it buys nothing any more.</Text>}
        <fieldset disabled={isArchived} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <LineItemFields
            draft={edit.draft}
            onChange={edit.put}
            problems={edit.problems}
            isOperator={isOperator}
            capUse={
              <CapUse partnerId={partnerId} lineItemId={lineItem.id} capping={lineItem.capping} />
            }
          />
        </fieldset>
      </EditForm>
    </div>
  );
}
