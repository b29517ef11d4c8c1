import { Button, Select, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isolated } from '../../parts/isolated.ts';
import { Failure } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EditForm } from '../../parts/forms/edit-form.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import { useEdit, type Edit } from '../../parts/forms/use-edit.ts';
import { PropertySkeleton } from '../properties/property-header.tsx';
import { useProperties, type Property } from '../properties/use-properties.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { usePublisher } from '../use-publisher.ts';
import { AdSpaceFields } from './ad-space-fields.tsx';
import { KINDS, NEW_DRAFT, settingsOf, type AdSpaceDraft } from './draft.ts';
import { readNewAdSpaceSearch } from './search.ts';

/** Makes an ad space. */
export function NewAdSpacePage() {
  const { root } = usePublisher();
  const [{ in: within }] = useSearchOf(readNewAdSpaceSearch);
  const { all: known, apps, sites } = useProperties();
  // What the ad space is to be in may be newer than the lists that are kept.
  const isOld =
    within !== undefined &&
    (apps.isFetching || sites.isFetching) &&
    known?.every(({ id }) => id !== within) === true;
  const all = isOld ? undefined : known;
  const problem = apps.error ?? sites.error;
  return (
    <>
      <PageHeader
        title="Add an ad space"
        above={[{ label: 'Ad spaces', href: `${root}/ad-spaces` }]}
        description="Name, app or site and kind are enough to begin with. Its tags are ready once it is added."
      />
      {all === undefined && problem !== null && <Failure problem={problem} />}
      {all === undefined && problem === null && (
        <div aria-busy="true" aria-label="Loading">
          <PropertySkeleton />
        </div>
      )}
      {all?.length === 0 && (
        <EmptyState
          title="Add an app or a site first"
          action={
            <Button renderRoot={(props) => <Link to={`${root}/properties`} {...props} />}>
              Apps and sites
            </Button>
          }
        >
          An ad space is in an app or on a site.
        </EmptyState>
      )}
      {all !== undefined && all.length > 0 && <NewAdSpace properties={all} />}
    </>
  );
}

function NewAdSpace({ properties }: { readonly properties: readonly Property[] }) {
  const { api, root } = usePublisher();
  const [{ in: within }] = useSearchOf(readNewAdSpaceSearch);
  const navigate = useNavigate();
  const known = properties.find(({ id }) => id === within) ?? soleOf(properties);
  const edit = useEdit<AdSpaceDraft>({
    start: { ...NEW_DRAFT, ...(known === undefined ? {} : ownerKeys(known)) },
    etag: null,
    path: `${api}/ad-spaces/`,
    onSaved: ({ id = 0, name }) => {
      tell(`“${isolated(name)}” is added. Copy its tag next.`);
      void navigate({ to: `${root}/ad-spaces/${id}`, search: { tab: 'tags' } });
    },
  });
  return (
    <EditForm edit={edit} label="A new ad space" making="Add the ad space">
      <Basics edit={edit} properties={properties} />
      <AdSpaceFields edit={edit} />
    </EditForm>
  );
}

interface BasicsProps {
  readonly edit: Edit<AdSpaceDraft>;
  readonly properties: readonly Property[];
}

function Basics({ edit: { draft, set, put, problems }, properties }: BasicsProps) {
  const [kind, setKind] = useState<string>(KINDS[0].value);
  const owner = draft.app_id ?? draft.site_id;
  const fault = problems.at('/app_id') ?? problems.at('/site_id');
  return (
    <Section title="The ad space">
      <FieldGrid>
        <TextInput
          label="Name"
          required
          value={draft.name}
          onChange={({ currentTarget }) => set('name', currentTarget.value)}
          error={problems.at('/name')}
        />
        <Select
          label="App or site"
          description="An ad space cannot be moved later."
          required
          searchable
          placeholder="Choose one"
          data={properties
            .filter(({ status }) => status !== 'ARCHIVED')
            .map(({ id, name, type }) => ({ value: String(id), label: `${name} (${type})` }))}
          value={owner === null ? null : String(owner)}
          onChange={(next) => {
            const property = properties.find(({ id }) => String(id) === next);
            if (property !== undefined) put(ownerKeys(property));
          }}
          error={fault}
        />
        <Select
          label="Kind"
          description="Fills in the settings below; change them as you like."
          allowDeselect={false}
          data={KINDS.map(({ value, label }) => ({ value, label }))}
          value={kind}
          onChange={(next) => {
            setKind(next ?? kind);
            put(settingsOf(next ?? kind));
          }}
        />
      </FieldGrid>
    </Section>
  );
}

function soleOf(properties: readonly Property[]): Property | undefined {
  const inUse = properties.filter(({ status }) => status !== 'ARCHIVED');
  return inUse.length === 1 ? inUse[0] : undefined;
}

function ownerKeys({ type, id }: Property): Pick<AdSpaceDraft, 'app_id' | 'site_id'> {
  return type === 'app' ? { app_id: id, site_id: null } : { app_id: null, site_id: id };
}
