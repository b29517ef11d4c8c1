import type { ShownApp, ShownSite } from '../../../../src/management/properties/schema.ts';
import { BlockingFields } from '../../parts/forms/blocking-fields.tsx';
import { FloorsField } from '../../parts/forms/floors-field.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import { SettingFields } from '../../parts/forms/setting-fields.tsx';
import { STATUS_SETTING, type Setting } from '../../parts/forms/setting.ts';
import type { Edit } from '../../parts/forms/use-edit.ts';

type Given = 'id' | 'created_at' | 'updated_at';

/** What is typed of an app; the server gives the rest. */
export type AppDraft = Omit<ShownApp, Given> & { readonly id?: number };
export type SiteDraft = Omit<ShownSite, Given> & { readonly id?: number };

const NAME: Setting = { key: 'name', label: 'Name', kind: 'text', isRequired: true };

const APP: readonly Setting[] = [
  NAME,
  {
    key: 'platform',
    label: 'Platform',
    kind: 'choice',
    none: 'Not said',
    choices: ['Android', 'iOS'].map((value) => ({ value, label: value })),
  },
  {
    key: 'bundle',
    label: 'Bundle',
    help: 'The package name, or the number of the App Store.',
    placeholder: 'com.example.reader',
    kind: 'text',
    isRequired: true,
  },
  {
    key: 'storeurl',
    label: 'Store address',
    placeholder: 'https://play.google.com/store/apps/details?id=…',
    kind: 'text',
  },
  {
    key: 'domain',
    label: 'Domain',
    help: 'Of the developer’s site, where app-ads.txt is.',
    placeholder: 'example.com',
    kind: 'text',
  },
  STATUS_SETTING,
];

const SITE: readonly Setting[] = [
  NAME,
  {
    key: 'domain',
    label: 'Domain',
    help: 'Without https:// and path.',
    placeholder: 'example.com',
    kind: 'text',
    isRequired: true,
  },
  STATUS_SETTING,
];

const CONTENTS: readonly Setting[] = [
  {
    key: 'categories',
    label: 'Categories',
    placeholder: 'Find by code or name',
    kind: 'categories',
  },
  {
    key: 'languages',
    label: 'Languages of creatives',
    help: 'Leave empty for all.',
    placeholder: 'Find by code or name',
    kind: 'languages',
  },
];

/** What an app is, and all that holds for its ad spaces. */
export function AppFields({ edit }: { readonly edit: Edit<AppDraft> }) {
  return (
    <>
      <Section title="The app">
        <FieldGrid>
          <SettingFields settings={APP} edit={edit} />
        </FieldGrid>
      </Section>
      <SharedFields edit={edit} noun="app" />
    </>
  );
}

/** What a site is, and all that holds for its ad spaces. */
export function SiteFields({ edit }: { readonly edit: Edit<SiteDraft> }) {
  return (
    <>
      <Section title="The site">
        <FieldGrid>
          <SettingFields settings={SITE} edit={edit} />
        </FieldGrid>
      </Section>
      <SharedFields edit={edit} noun="site" />
    </>
  );
}

interface SharedFieldsProps {
  /** Apps and sites have these in common, and are changed by the same fields. */
  readonly edit: Pick<Edit<Omit<SiteDraft, 'domain'>>, 'draft' | 'put' | 'problems'>;
  readonly noun: 'app' | 'site';
}

function SharedFields({ edit, noun }: SharedFieldsProps) {
  const { draft, put, problems } = edit;
  return (
    <>
      <Section title="Contents" description={`How bid requests describe the ${noun}.`}>
        <FieldGrid>
          <SettingFields settings={CONTENTS} edit={edit} />
        </FieldGrid>
      </Section>
      <Section
        title="Floors"
        description={`The least that a bid has to bring in any ad space of the ${noun}. Of the floors of publisher, ${noun} and ad space the highest holds.`}
      >
        <FloorsField
          value={draft.floors}
          onChange={(floors) => put({ floors })}
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
