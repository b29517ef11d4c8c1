import { Anchor, Tabs, Text, TextInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { EditForm } from '../../parts/forms/edit-form.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import { StatusField } from '../../parts/status/status-field.tsx';
import { useEdit } from '../../parts/forms/use-edit.ts';
import { PropertySkeleton } from '../properties/property-header.tsx';
import { propertyHref, useProperties } from '../properties/use-properties.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { StatusMenu } from '../../parts/status/status-menu.tsx';
import { usePublisher } from '../use-publisher.ts';
import { AdSpaceFields } from './ad-space-fields.tsx';
import { AdSpaceTags } from './ad-space-tags.tsx';
import { describeFormats, type AdSpaceDraft } from './draft.ts';
import { Preview } from './preview.tsx';
import { readAdSpaceSearch, TABS } from './search.ts';

const TAB_LABELS = { settings: 'Settings', tags: 'Tags', preview: 'Preview' } as const;

/** An ad space: its settings, its tags, and what it looks like with an ad. */
export function AdSpacePage() {
  const { api, root } = usePublisher();
  const { adSpaceId } = useParams({ strict: false });
  const path = `${api}/ad-spaces/${Number(adSpaceId)}/` as const;
  const adSpace = useAsk(path);
  const [{ tab = 'settings' }, change] = useSearchOf(readAdSpaceSearch);
  const above = [{ label: 'Ad spaces', href: `${root}/ad-spaces` }];
  return (
    <>
      {adSpace.data === undefined ? (
        <PageHeader title="Ad space" above={above} />
      ) : (
        <Header adSpace={adSpace.data.body} path={path} above={above} />
      )}
      <Loaded asked={adSpace} skeleton={<PropertySkeleton />}>
        {(body, { etag }) => (
          <Tabs
            value={tab}
            onChange={(next) =>
              change({ tab: TABS.find((each) => each === next) ?? 'settings' }, { isStep: true })
            }
          >
            <Tabs.List mb="md">
              {TABS.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {TAB_LABELS[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {/* What was typed stays while another tab is looked at. */}
            <Tabs.Panel value="settings" keepMounted>
              <Settings key={path} adSpace={body} etag={etag} path={path} />
            </Tabs.Panel>
            <Tabs.Panel value="tags">
              {tab === 'tags' && <AdSpaceTags path={path} adSpace={body} />}
            </Tabs.Panel>
            <Tabs.Panel value="preview">
              {/* Each ad that is shown is an auction: none before somebody looks. */}
              {tab === 'preview' && <Preview adSpace={body} />}
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </>
  );
}

interface HeaderProps {
  readonly adSpace: ShownAdSpace;
  readonly path: string;
  readonly above: readonly { readonly label: string; readonly href: string }[];
}

function Header({ adSpace, path, above }: HeaderProps) {
  const { id, name, status } = adSpace;
  return (
    <PageHeader
      title={name}
      above={above}
      beside={
        <>
          <StatusBadge status={status} />
          <Id value={id} what="the ad space’s id" />
          <StatusMenu path={path} name={name} status={status} />
        </>
      }
      description={describeFormats(adSpace)}
    />
  );
}

interface SettingsProps {
  readonly adSpace: ShownAdSpace;
  readonly etag: string | null;
  readonly path: string;
}

function Settings({ adSpace, etag, path }: SettingsProps) {
  const { root } = usePublisher();
  const edit = useEdit<AdSpaceDraft>({
    start: adSpace,
    etag,
    path,
    onSaved: () => tell('Saved. It is live within two seconds.'),
  });
  const { draft, set, problems } = edit;
  const type = adSpace.app_id === null ? 'site' : 'app';
  const owner = adSpace.app_id ?? adSpace.site_id ?? 0;
  const { all: properties = [] } = useProperties();
  const name = properties.find(({ id }) => id === owner)?.name;
  return (
    <EditForm edit={edit} label="The ad space">
      <Section title="The ad space">
        <FieldGrid>
          <TextInput
            label="Name"
            required
            value={draft.name}
            onChange={({ currentTarget }) => set('name', currentTarget.value)}
            error={problems.at('/name')}
          />
          <StatusField value={draft.status} onChange={(next) => set('status', next)} />
          <div>
            <Text size="sm" fw={500}>
              In
            </Text>
            <Anchor component={Link} to={propertyHref(root, { type, id: owner })} size="sm">
              {name ?? `${type === 'app' ? 'App' : 'Site'} ${owner}`}
            </Anchor>
          </div>
        </FieldGrid>
      </Section>
      <AdSpaceFields edit={edit} />
    </EditForm>
  );
}
