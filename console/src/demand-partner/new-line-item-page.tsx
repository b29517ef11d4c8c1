import { Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { useEditOf } from '../parts/forms/use-edit.ts';
import { isolated } from '../parts/isolated.ts';
import { tell } from '../parts/notices.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { readAddressed } from '../parts/targeting/address-targeting.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { bodyOf, draftOf, NEW_DRAFT, type LineItemDraft } from './line-item-draft.ts';
import { LineItemFields } from './line-item-fields.tsx';
import { lineItemsApiOf, pagesOf, usePartnerId } from './partner.ts';
import { readNewLineItemSearch } from './search.ts';

/** Makes a line item, of a targeting that the address may bring along. */
export function NewLineItemPage() {
  const partnerId = usePartnerId();
  const isOperator = roleOf(useSession()) === 'operator';
  const [search] = useSearchOf(readNewLineItemSearch);
  const navigate = useNavigate();
  const list = `${pagesOf(partnerId)}/line-items`;
  const edit = useEditOf<ShownLineItem, NewLineItem>(
    {
      draftOf: (made) => ({ ...draftOf(made), isActive: made.status === 'ACTIVE' }),
      bodyOf: ({ isActive, ...draft }) => ({
        ...bodyOf(draft, isOperator),
        status: isActive ? 'ACTIVE' : 'PAUSED',
      }),
    },
    {
      start: {
        ...NEW_DRAFT,
        name: search.name ?? '',
        targeting: readAddressed(search.targeting) ?? {},
        isActive: true,
      },
      etag: null,
      path: lineItemsApiOf(partnerId),
      onSaved: ({ id, name, status }) => {
        tell(`${isolated(name)} is made${status === 'ACTIVE' ? ' and active' : ''}.`);
        void navigate({ to: `${list}/${id}` });
      },
    },
  );
  const { draft, set, put, problems } = edit;
  return (
    <>
      <PageHeader
        title="New line item"
        above={[{ label: 'Line items', href: list }]}
        description="Your bidder is asked for bids on the traffic that its active line items match."
      />
      <div style={{ maxWidth: 820 }}>
        <EditForm edit={edit} label="A new line item" making="Make the line item" cancelTo={list}>
          <LineItemFields
            draft={draft}
            onChange={put}
            problems={problems}
            isOperator={isOperator}
          />
          <Switch
            label="Active at once"
            description="Otherwise it is paused until you activate it."
            checked={draft.isActive}
            onChange={({ currentTarget }) => set('isActive', currentTarget.checked)}
          />
        </EditForm>
      </div>
    </>
  );
}

/** A line item that is made, which may buy at once. */
interface NewLineItem extends LineItemDraft {
  readonly isActive: boolean;
}
