import { useParams } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { ChangeStatus } from '../change-status.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { dealSettings } from './deal-settings.ts';
import { useSeats } from './use-seats.ts';

/** One deal. */
export function DealPage() {
  const { dealId } = useParams({ from: '/user/operator/deals/$dealId' });
  const path = `/api/deals/${encodeURIComponent(dealId)}/` as const;
  const deal = useAsk(path);
  const seats = useSeats();
  const shown = deal.data?.body;
  return (
    <>
      <PageHeader
        title={shown?.name ?? 'Deal'}
        above={[{ label: 'Deals', href: '/operator/deals' }]}
        beside={
          shown !== undefined && (
            <>
              <StatusBadge status={shown.status} />
              <Id value={shown.id} what="the deal id" />
            </>
          )
        }
        actions={
          shown !== undefined && (
            <ChangeStatus
              noun="deal"
              name={shown.name}
              path={path}
              status={shown.status}
              archiving="It is no longer offered. What was bought with it stays in reports and statements."
            />
          )
        }
      />
      <Loaded asked={deal} skeleton={<Lines count={10} />}>
        {(body, { etag }) => (
          <SettingsForm
            key={dealId}
            groups={dealSettings({ isNew: false, seats })}
            path={path}
            method="PATCH"
            resource={body}
            etag={etag}
            onSaved={() => tell('Saved. It is offered so within seconds.')}
          />
        )}
      </Loaded>
    </>
  );
}
