import { Alert } from '@mantine/core';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { useEditOf } from '../parts/forms/use-edit.ts';
import { tell } from '../parts/notices.tsx';
import { bodyOf, draftOf, type BidderDraft } from './bidder-draft.ts';
import { CallFields, LimitFields, MatchingFields, RequestFields } from './bidder-fields.tsx';
import { HeaderFields } from './header-fields.tsx';

interface BidderFormProps {
  /** Of the demand partner: `/api/demand-partners/1001`. */
  readonly path: string;
  /** Null before there is one: the first change makes it. */
  readonly bidder: ShownBidder | null;
  readonly etag: string | null;
}

/** The settings of a bidder. */
export function BidderForm({ path, bidder, etag }: BidderFormProps) {
  const edit = useEditOf<ShownBidder, BidderDraft>(
    { draftOf, bodyOf },
    {
      start: draftOf(bidder),
      etag,
      path: `${path}/bidder/`,
      method: 'PATCH',
      onSaved: () => tell('The bidder is saved. Bid requests go by it within seconds.'),
    },
  );
  const { draft, put, problems } = edit;
  const fields = { draft, edit: put, problems };
  return (
    <EditForm
      edit={edit}
      label="Settings of the bidder"

      changedAt={bidder?.updated_at}
    >
      {bidder === null && (
        <Alert color="lagoon" title="No bidder yet">
          Set the endpoint that bid requests are to be sent to; everything else has a default. Then
          send it a test request.
        </Alert>
      )}
      <CallFields {...fields} />
      <HeaderFields {...fields} />
      <LimitFields {...fields} />
      <RequestFields {...fields} />
      <MatchingFields {...fields} />
    </EditForm>
  );
}
