import { useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../../parts/page-header.tsx';
import { tell } from '../../parts/notices.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { dealSettings } from './deal-settings.ts';
import { useSeats } from './use-seats.ts';

const ROOT = '/operator/deals';

/** What is not said differs from what a deal must say, so that all of it is sent. */
const DEFAULTS = {
  name: '',
  id: '',
  status: 'ACTIVE',
  type: '',
  price: null,
  floor: null,
  ad_spaces: [],
  seats: [],
  advertisers: [],
};

/** Makes a deal. */
export function NewDealPage() {
  const navigate = useNavigate();
  const seats = useSeats();
  return (
    <>
      <PageHeader
        title="New deal"
        description="Terms that a publisher and the holders of some seats agreed on for some ad spaces."
        above={[{ label: 'Deals', href: ROOT }]}
      />
      <SettingsForm
        groups={dealSettings({ isNew: true, seats })}
        path="/api/deals/"
        method="POST"
        resource={DEFAULTS}
        etag={null}
        making="Create the deal"
        cancelTo={ROOT}
        onSaved={() => {
          tell('The deal is there, and offered within seconds.');
          void navigate({ to: ROOT });
        }}
      />
    </>
  );
}
