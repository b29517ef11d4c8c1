import { Tabs } from '@mantine/core';
import { useAsk } from '../../api/use-ask.ts';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { ConfigurationFile } from './configuration-file.tsx';
import { exchangeSettings } from './exchange-settings.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readExchangeSearch } from '../search.ts';

const PATH = '/api/exchange/';

/** The exchange's own settings, and configuration files for everything. */
export function ExchangePage() {
  const [{ view = 'settings' }, change] = useSearchOf(readExchangeSearch);
  return (
    <>
      <PageHeader
        title="Settings"
        description="What holds for the whole exchange. A change is served within seconds."
      />
      {/* Both stay mounted: whoever looks at the other one loses nothing typed. */}
      <Tabs
        value={view}
        onChange={(value) =>
          change({ view: value === 'file' ? value : undefined }, { isStep: true })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="settings">Exchange</Tabs.Tab>
          <Tabs.Tab value="file">Configuration file</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <ExchangeForm />
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <ConfigurationFile />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function ExchangeForm() {
  const exchange = useAsk(PATH);
  return (
    <Loaded asked={exchange} skeleton={<Lines count={14} />}>
      {(body, { etag }) => (
        <SettingsForm
          groups={exchangeSettings}
          hasBlocking
          path={PATH}
          method="PATCH"
          resource={body}
          etag={etag}
          onSaved={() => tell('Saved. It is served within seconds.')}
        />
      )}
    </Loaded>
  );
}
