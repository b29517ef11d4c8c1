import { useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../../parts/page-header.tsx';
import { tell } from '../../parts/notices.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { idOf, type SettingGroup } from '../../parts/forms/setting.ts';
import { partnerSettings } from './partner-settings.ts';

const ROOT = '/operator/demand-partners';

const groups: readonly SettingGroup[] = [
  {
    title: 'Demand partner',
    description: 'It gets a line item “Default”, which takes all traffic. Its bidder comes next.',
    settings: partnerSettings,
  },
];

/** Makes a demand partner. */
export function NewDemandPartnerPage() {
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="New demand partner" above={[{ label: 'Demand partners', href: ROOT }]} />
      <SettingsForm
        groups={groups}
        path="/api/demand-partners/"
        method="POST"
        resource={{ name: '', status: 'ACTIVE' }}
        etag={null}
        making="Create the demand partner"
        cancelTo={ROOT}
        onSaved={(made) => {
          tell('The demand partner is there. Set up its bidder, and invite its users.');
          void navigate({ href: `${ROOT}/${idOf(made)}` });
        }}
      />
    </>
  );
}
