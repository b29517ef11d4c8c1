import { useNavigate } from '@tanstack/react-router';
import { NEW_PUBLISHER } from '../../api/new-resources.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { tell } from '../../parts/notices.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { idOf, type SettingGroup } from '../../parts/forms/setting.ts';
import { publisherSettings } from './publisher-settings.ts';

const ROOT = '/operator/publishers';
/** The rest has good values; it can be set once the publisher is there. */
const SETTINGS_FIRST = new Set(['Publisher', 'Money', 'Sellers']);

const groups: readonly SettingGroup[] = publisherSettings.filter(({ title }) =>
  SETTINGS_FIRST.has(title),
);

const DEFAULTS = { ...NEW_PUBLISHER, revenue_share: null };

/** Makes a publisher. */
export function NewPublisherPage() {
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="New publisher" above={[{ label: 'Publishers', href: ROOT }]} />
      <SettingsForm
        groups={groups}
        path="/api/publishers/"
        method="POST"
        resource={DEFAULTS}
        etag={null}
        making="Create the publisher"
        cancelTo={ROOT}
        onSaved={(made) => {
          tell('The publisher is there. Make its apps, sites and ad spaces, and invite its users.');
          void navigate({ href: `${ROOT}/${idOf(made)}` });
        }}
      />
    </>
  );
}
