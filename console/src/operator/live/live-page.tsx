import { Button, Group, SegmentedControl, Stack, SimpleGrid, Skeleton } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import { useAsk } from '../../api/use-ask.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readLiveSearch } from '../search.ts';
import { Figures } from '../../parts/figure.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { FirstStepsPanel } from './first-steps-panel.tsx';
import { LiveCharts } from './live-charts.tsx';
import { LiveFigures } from './live-figures.tsx';
import { PartnersPanel } from './partners-panel.tsx';

const REFRESH_MS = 5_000;
const MINUTES_DEFAULT = 15;

const RANGES = [
  { minutes: 15, label: '15 min' },
  { minutes: 60, label: '1 h' },
  { minutes: 360, label: '6 h' },
  { minutes: 1_440, label: '24 h' },
] as const;

/** What goes on in the exchange now; what needs somebody comes first. */
export function LivePage() {
  const [{ minutes = MINUTES_DEFAULT, paused = false }, change] = useSearchOf(readLiveSearch);
  const refresh = paused ? {} : { everyMs: REFRESH_MS };
  const traffic = useAsk('/api/traffic/', { minutes }, refresh);
  return (
    <>
      <PageHeader
        title="Live"
        description="What is happening in the exchange now. Test auctions are not counted."
        actions={
          <Group gap="xs">
            <SegmentedControl
              aria-label="Time shown"
              value={String(minutes)}
              data={RANGES.map((each) => ({ value: String(each.minutes), label: each.label }))}
              onChange={(value) => {
                const chosen = RANGES.find((each) => String(each.minutes) === value);
                change({ minutes: chosen?.minutes });
              }}
            />
            <Button
              variant="default"
              leftSection={
                paused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />
              }
              onClick={() => change({ paused: paused ? undefined : true })}
            >
              {paused ? 'Refresh again' : 'Pause refreshing'}
            </Button>
          </Group>
        }
      />
      <Stack gap="lg">
        <AttentionPanel refresh={refresh} />
        <FirstStepsPanel refresh={refresh} />
        <Loaded asked={traffic} skeleton={<LiveSkeleton />}>
          {(body) => (
            <>
              <LiveFigures traffic={body} isPaused={paused} />
              <LiveCharts traffic={body} />
            </>
          )}
        </Loaded>
        <PartnersPanel refresh={refresh} />
      </Stack>
    </>
  );
}

/** The shape of figures and charts while they are on their way. */
function LiveSkeleton() {
  return (
    <>
      <Figures>
        {Array.from({ length: 12 }, (_, index) => (
          <Skeleton key={index} height={110} />
        ))}
      </Figures>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} height={274} />
        ))}
      </SimpleGrid>
    </>
  );
}
