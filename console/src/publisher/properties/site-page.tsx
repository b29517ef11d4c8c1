import { useParams } from '@tanstack/react-router';
import type { ShownSite } from '../../../../src/management/properties/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { EditForm } from '../../parts/forms/edit-form.tsx';
import { useEdit } from '../../parts/forms/use-edit.ts';
import { usePublisher } from '../use-publisher.ts';
import { SiteFields, type SiteDraft } from './property-fields.tsx';
import { PropertyHeader, PropertySkeleton } from './property-header.tsx';

/** Changes a site. */
export function SitePage() {
  const { api } = usePublisher();
  const { siteId } = useParams({ strict: false });
  const path = `${api}/sites/${Number(siteId)}/` as const;
  const site = useAsk(path);
  return (
    <>
      <PropertyHeader type="site" path={path} property={site.data?.body} />
      <Loaded asked={site} skeleton={<PropertySkeleton />}>
        {(body, { etag }) => <SiteForm key={path} site={body} etag={etag} path={path} />}
      </Loaded>
    </>
  );
}

interface SiteFormProps {
  readonly site: ShownSite;
  readonly etag: string | null;
  readonly path: string;
}

function SiteForm({ site, etag, path }: SiteFormProps) {
  const edit = useEdit<SiteDraft>({ start: site, etag, path, onSaved: () => tell('Saved.') });
  return (
    <EditForm edit={edit} label="The site">
      <SiteFields edit={edit} />
    </EditForm>
  );
}
