import { useParams } from '@tanstack/react-router';
import type { ShownApp } from '../../../../src/management/properties/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { EditForm } from '../../parts/forms/edit-form.tsx';
import { useEdit } from '../../parts/forms/use-edit.ts';
import { usePublisher } from '../use-publisher.ts';
import { AppFields, type AppDraft } from './property-fields.tsx';
import { PropertyHeader, PropertySkeleton } from './property-header.tsx';

/** Changes an app. */
export function AppPage() {
  const { api } = usePublisher();
  const { appId } = useParams({ strict: false });
  const path = `${api}/apps/${Number(appId)}/` as const;
  const app = useAsk(path);
  return (
    <>
      <PropertyHeader type="app" path={path} property={app.data?.body} />
      <Loaded asked={app} skeleton={<PropertySkeleton />}>
        {(body, { etag }) => <AppForm key={path} app={body} etag={etag} path={path} />}
      </Loaded>
    </>
  );
}

interface AppFormProps {
  readonly app: ShownApp;
  readonly etag: string | null;
  readonly path: string;
}

function AppForm({ app, etag, path }: AppFormProps) {
  const edit = useEdit<AppDraft>({ start: app, etag, path, onSaved: () => tell('Saved.') });
  return (
    <EditForm edit={edit} label="The app">
      <AppFields edit={edit} />
    </EditForm>
  );
}
