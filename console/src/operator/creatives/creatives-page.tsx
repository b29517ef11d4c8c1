import { Paper, Tabs } from '@mantine/core';
import { PageHeader } from '../../parts/page-header.tsx';
import { CreativeDrawer } from './creative-drawer.tsx';
import { Decisions } from './decisions.tsx';
import { SeenCreatives } from './seen-creatives.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { CREATIVE_VIEWS, readCreativesSearch } from '../search.ts';

/** Another view begins anew. */
const NONE = {
  partner: undefined,
  publisher: undefined,
  page: undefined,
  crid: undefined,
  of: undefined,
};

/** The creatives that were seen, those that wait for a review, and what was decided. */
export function CreativesPage() {
  const [{ view = 'seen', crid, of: ofPartner }, change] = useSearchOf(readCreativesSearch);
  return (
    <>
      <PageHeader
        title="Creatives"
        description="What has won in the last 90 days, and what may be shown. Markup is shown as text, and never run."
      />
      <Paper p="md">
        <Tabs
          value={view}
          keepMounted={false}
          onChange={(value) => {
            const chosen = CREATIVE_VIEWS.find((each) => each === value);
            change({ ...NONE, view: chosen === 'seen' ? undefined : chosen }, { isStep: true });
          }}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="seen">Seen</Tabs.Tab>
            <Tabs.Tab value="pending">Wait for a review</Tabs.Tab>
            <Tabs.Tab value="decisions">Decisions</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="seen">
            <SeenCreatives isPending={false} />
          </Tabs.Panel>
          <Tabs.Panel value="pending">
            <SeenCreatives isPending />
          </Tabs.Panel>
          <Tabs.Panel value="decisions">
            <Decisions />
          </Tabs.Panel>
        </Tabs>
      </Paper>
      {crid !== undefined && ofPartner !== undefined && (
        <CreativeDrawer
          partnerId={ofPartner}
          crid={crid}
          onClose={() => change({ crid: undefined, of: undefined }, { isStep: true })}
        />
      )}
    </>
  );
}
