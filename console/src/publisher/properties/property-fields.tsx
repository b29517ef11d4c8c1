import { Select, TextInput } from '@mantine/core';
import type { ShownApp, ShownSite } from '../../../../src/management/properties/schema.ts';
import { BlockingFields } from '../../parts/forms/blocking-fields.tsx';
import { CategoriesField, LanguagesField } from '../../parts/forms/code-fields.tsx';
import { FloorsField } from '../../parts/forms/floors-field.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import { StatusField } from '../../parts/status/status-field.tsx';
import type { Edit } from '../../parts/forms/use-edit.ts';

type Given = 'id' | 'created_at' | 'updated_at';

/** What is typed of an app; the server gives the rest. */
export type AppDraft = Omit<ShownApp, Given> & { readonly id?: number };
export type SiteDraft = Omit<ShownSite, Given> & { readonly id?: number };

/** Apps and sites have these in common, and are changed by the same fields. */
type Shared = Omit<SiteDraft, 'domain'>;
type SharedEdit = Pick<Edit<Shared>, 'draft' | 'set' | 'put' | 'problems'>;

const NOTHING_SAID = {
  name: '',
  status: 'ACTIVE',
  categories: [],
  languages: [],
  floors: [],
  blocked_categories: [],
  blocked_advertisers: [],
  blocked_apps: [],
  blocked_attributes: [],
} satisfies Shared;

/** What a new app begins with. */
export const NEW_APP: AppDraft = {
  ...NOTHING_SAID,
  bundle: '',
  platform: null,
  storeurl: null,
  domain: null,
};

/** What a new site begins with. */
export const NEW_SITE: SiteDraft = { ...NOTHING_SAID, domain: '' };

/** What an app is, and all that holds for its ad spaces. */
export function AppFields({ edit }: { readonly edit: Edit<AppDraft> }) {
  const { draft, set, problems } = edit;
  return (
    <>
      <Section title="The app">
        <FieldGrid>
          <NameField edit={edit} />
          <Select
            label="Platform"
            data={['Android', 'iOS']}
            placeholder="Not said"
            clearable
            clearButtonProps={{ 'aria-label': 'Clear' }}
            value={draft.platform}
            onChange={(next) => set('platform', next)}
            error={problems.at('/platform')}
          />
          <TextInput
            label="Bundle"
            description="The package name, or the number of the App Store."
            placeholder={draft.platform === 'iOS' ? '1234567890' : 'com.example.reader'}
            required
            value={draft.bundle}
            onChange={({ currentTarget }) => set('bundle', currentTarget.value)}
            error={problems.at('/bundle')}
          />
          <TextInput
            label="Store address"
            placeholder="https://play.google.com/store/apps/details?id=…"
            value={draft.storeurl ?? ''}
            onChange={({ currentTarget }) => set('storeurl', currentTarget.value || null)}
            error={problems.at('/storeurl')}
          />
          <TextInput
            label="Domain"
            description="Of the developer’s site, where app-ads.txt is."
            placeholder="example.com"
            value={draft.domain ?? ''}
            onChange={({ currentTarget }) => set('domain', currentTarget.value || null)}
            error={problems.at('/domain')}
          />
          <StatusField value={draft.status} onChange={(next) => set('status', next)} />
        </FieldGrid>
      </Section>
      <SharedFields edit={edit} noun="app" />
    </>
  );
}

/** What a site is, and all that holds for its ad spaces. */
export function SiteFields({ edit }: { readonly edit: Edit<SiteDraft> }) {
  const { draft, set, problems } = edit;
  return (
    <>
      <Section title="The site">
        <FieldGrid>
          <NameField edit={edit} />
          <TextInput
            label="Domain"
            description="Without https:// and path."
            placeholder="example.com"
            required
            value={draft.domain}
            onChange={({ currentTarget }) => set('domain', currentTarget.value)}
            error={problems.at('/domain')}
          />
          <StatusField value={draft.status} onChange={(next) => set('status', next)} />
        </FieldGrid>
      </Section>
      <SharedFields edit={edit} noun="site" />
    </>
  );
}

function NameField({ edit: { draft, set, problems } }: { readonly edit: SharedEdit }) {
  return (
    <TextInput
      label="Name"
      required
      value={draft.name}
      onChange={({ currentTarget }) => set('name', currentTarget.value)}
      error={problems.at('/name')}
    />
  );
}

interface SharedFieldsProps {
  readonly edit: SharedEdit;
  readonly noun: 'app' | 'site';
}

function SharedFields({ edit: { draft, set, put, problems }, noun }: SharedFieldsProps) {
  return (
    <>
      <Section title="Contents" description={`How bid requests describe the ${noun}.`}>
        <FieldGrid>
          <CategoriesField
            label="Categories"
            placeholder="Find by code or name"
            value={draft.categories}
            onChange={(next) => set('categories', next)}
            error={problems.at('/categories')}
          />
          <LanguagesField
            label="Languages of creatives"
            description="Leave empty for all."
            placeholder="Find by code or name"
            value={draft.languages}
            onChange={(next) => set('languages', next)}
            error={problems.at('/languages')}
          />
        </FieldGrid>
      </Section>
      <Section
        title="Floors"
        description={`The least that a bid has to bring in any ad space of the ${noun}. Of the floors of publisher, ${noun} and ad space the highest holds.`}
      >
        <FloorsField
          value={draft.floors}
          onChange={(next) => set('floors', next)}
          problems={problems}
        />
      </Section>
      <Section
        title="Blocking"
        description={`For all ad spaces of the ${noun}, besides what the publisher and the exchange block.`}
      >
        <BlockingFields value={draft} onChange={put} problems={problems} />
      </Section>
    </>
  );
}
