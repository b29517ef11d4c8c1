import { Paper, Stack, Tabs, Text } from '@mantine/core';
import type { ShownAdSpace, ShownTag } from '../../../../src/management/ad-spaces/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { CodeBlock } from '../../parts/copyable.tsx';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readAdSpaceSearch } from './search.ts';
import { prebidAdUnit, prebidStoredImp } from './prebid.ts';

const LABELS: Readonly<Record<ShownTag['kind'], string>> = {
  script: 'Script',
  frame: 'Frame',
  app: 'App',
  vast: 'VAST',
  native: 'Native',
  json: 'JSON',
  openrtb: 'OpenRTB',
};

interface AdSpaceTagsProps {
  /** Of the ad space in the API. */
  readonly path: `/api/publishers/${string}/ad-spaces/${string}/`;
  readonly adSpace: ShownAdSpace;
}

/** The ways to ask for an ad, each ready to copy. */
export function AdSpaceTags({ path, adSpace }: AdSpaceTagsProps) {
  const [{ kind }, change] = useSearchOf(readAdSpaceSearch);
  const tags = useAsk(`${path}tags/`);
  return (
    <Loaded asked={tags} skeleton={<Lines count={6} />}>
      {({ tags: all }) => {
        const kinds = [...all.map((each) => each.kind), 'prebid'];
        return (
          <Paper p="md">
            <Tabs
              value={kinds.find((each) => each === kind) ?? kinds[0] ?? null}
              onChange={(next) => change({ kind: next ?? undefined })}
              variant="pills"
              keepMounted={false}
            >
              <Tabs.List mb="md" aria-label="Kind of tag">
                {all.map((each) => (
                  <Tabs.Tab key={each.kind} value={each.kind}>
                    {LABELS[each.kind]}
                  </Tabs.Tab>
                ))}
                <Tabs.Tab value="prebid">Prebid</Tabs.Tab>
              </Tabs.List>
              {all.map(({ kind: each, use, text }) => (
                <Tabs.Panel key={each} value={each}>
                  <Stack gap="sm">
                    <Text>{use}</Text>
                    <CodeBlock value={text} what={`the ${LABELS[each]} tag`} />
                  </Stack>
                </Tabs.Panel>
              ))}
              <Tabs.Panel value="prebid">
                <Prebid adSpace={adSpace} />
              </Tabs.Panel>
            </Tabs>
          </Paper>
        );
      }}
    </Loaded>
  );
}

/** Header bidding needs the exchange's adapter, which the operator has. */
function Prebid({ adSpace }: { readonly adSpace: ShownAdSpace }) {
  return (
    <Stack gap="sm">
      <Text>
        Prebid.js needs the adapter of the exchange in its build, and Prebid Server the exchange as
        a bidder; the operator’s guide to Prebid has both.
      </Text>
      <Text fw={600}>Prebid.js: an ad unit</Text>
      <CodeBlock value={prebidAdUnit(adSpace)} what="the ad unit of Prebid.js" />
      <Text fw={600}>Prebid Server: a stored impression</Text>
      <CodeBlock value={prebidStoredImp(adSpace)} what="the stored impression of Prebid Server" />
      <Text size="sm">
        Prebid decides which bid it shows, so that a win counts once <code>burl</code> is called.
        Prebid Server’s account has to be one of your aliases: ask the operator to set it.
      </Text>
    </Stack>
  );
}
