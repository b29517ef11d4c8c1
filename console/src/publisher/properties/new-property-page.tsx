import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { NEW_APP, NEW_SITE } from '../../api/new-resources.ts';
import { isolated } from '../../parts/isolated.ts';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EditForm } from '../../parts/forms/edit-form.tsx';
import { useEdit } from '../../parts/forms/use-edit.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { usePublisher } from '../use-publisher.ts';
import { AppFields, SiteFields, type AppDraft, type SiteDraft } from './property-fields.tsx';
import { readNewPropertySearch } from './search.ts';
import { propertyHref } from './use-properties.ts';

/** Makes an app or a site. */
export function NewPropertyPage() {
  const { root } = usePublisher();
  const [{ type = 'site' }, change] = useSearchOf(readNewPropertySearch);
  return (
    <>
      <PageHeader
        title={type === 'app' ? 'Add an app' : 'Add a site'}
        above={[{ label: 'Apps and sites', href: `${root}/properties` }]}
        description="Name and bundle or domain are enough to begin with."
        actions={
          <SegmentedControl
            aria-label="Type"
            value={type}
            onChange={(next) => change({ type: next === 'app' ? 'app' : 'site' }, { isStep: true })}
            data={[
              { value: 'site', label: 'Site' },
              { value: 'app', label: 'App' },
            ]}
          />
        }
      />
      {type === 'app' ? <NewApp /> : <NewSite />}
    </>
  );
}

function NewApp() {
  const { api } = usePublisher();
  const onSaved = useMade('app');
  const edit = useEdit<AppDraft>({
    start: NEW_APP,
    etag: null,
    path: `${api}/apps/`,
    onSaved,
  });
  return (
    <EditForm edit={edit} label="A new app" making="Add the app">
      <AppFields edit={edit} />
    </EditForm>
  );
}

function NewSite() {
  const { api } = usePublisher();
  const onSaved = useMade('site');
  const edit = useEdit<SiteDraft>({
    start: NEW_SITE,
    etag: null,
    path: `${api}/sites/`,
    onSaved,
  });
  return (
    <EditForm edit={edit} label="A new site" making="Add the site">
      <SiteFields edit={edit} />
    </EditForm>
  );
}

/** Goes to what was made. */
function useMade(type: 'app' | 'site') {
  const { root } = usePublisher();
  const navigate = useNavigate();
  return ({ id = 0, name }: { readonly id?: number; readonly name: string }): void => {
    tell(`“${isolated(name)}” is added. Its ad spaces come next.`);
    void navigate({ to: propertyHref(root, { type, id }) });
  };
}
