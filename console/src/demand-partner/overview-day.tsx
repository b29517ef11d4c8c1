import {
  Anchor,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Skeleton,
  Text,
  Title,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { DayInput } from '../parts/day-input.tsx';
import { addDays, today } from '../parts/days.ts';
import { Loaded } from '../parts/loaded.tsx';
import { reportWindow } from '../parts/ranges.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { FunnelView } from './funnel.tsx';
import { KpiChart } from './kpi-chart.tsx';
import { KpiFigures } from './kpi-figures.tsx';
import { sumKpis, sumKpisBy } from './kpis.ts';
import { apiOf, pagesOf } from './partner.ts';
import { readOverviewSearch } from './search.ts';
import { useKpis } from './use-kpis.ts';

const FUNNEL_MS = 10_000;
const CHART_DAYS = 14;

interface OverviewDayProps {
  readonly partnerId: string;
  readonly lineItems: readonly ShownLineItem[];
}

/** One day of a demand partner, or of one line item, and the two weeks until today. */
export function OverviewDay({ partnerId, lineItems }: OverviewDayProps) {
  const [{ day, lineitem }, change] = useSearchOf(readOverviewSearch);
  const now = today();
  const date = day ?? now;
  const ids = lineitem === undefined ? undefined : [lineitem];
  const kpis = useKpis(partnerId, { first: date, last: date }, ids);
  const recent = useKpis(partnerId, { first: addDays(now, 1 - CHART_DAYS), last: now }, ids);
  const funnel = useAsk(
    `${apiOf(partnerId)}/funnel/`,
    { date, lineitem_id: lineitem },
    { everyMs: FUNNEL_MS },
  );
  return (
    <>
      <Group gap="sm" mb="sm">
        <DayPicker
          date={date}
          onChange={(next) => change({ day: next === now ? undefined : next })}
        />
        <Select
          aria-label="Line item"
          placeholder="All line items"
          searchable
          clearable
          limit={100}
          w={240}
          value={lineitem === undefined ? null : String(lineitem)}
          onChange={(value) => change({ lineitem: value === null ? undefined : Number(value) })}
          data={lineItems.map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))}
        />
      </Group>
      <Loaded asked={kpis} skeleton={<Skeleton height={112} mb="lg" />}>
        {(rows) => <KpiFigures sums={sumKpis(rows)} />}
      </Loaded>
      <Paper p="lg" mb="lg" component="section" aria-labelledby="funnel-title">
        <Group justify="space-between" mb="md" gap="xs">
          <Title order={2} id="funnel-title">
            From bid request to impression
          </Title>
          <Anchor
            size="sm"
            renderRoot={(root) => (
              <Link
                to={`${pagesOf(partnerId)}/lost-bids`}
                search={{ from: date, to: date, lineitem_id: lineitem }}
                {...root}
              />
            )}
          >
            Why bids lost
          </Anchor>
        </Group>
        <Loaded asked={funnel} skeleton={<Skeleton height={480} />}>
          {(found) => <FunnelView partnerId={partnerId} funnel={found} />}
        </Loaded>
      </Paper>
      <Paper p="lg" component="section" aria-labelledby="chart-title">
        <Title order={2} id="chart-title">
          Past 14 days
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          Click a day to see it above. Days are UTC, and today is not over.
        </Text>
        <Loaded asked={recent} skeleton={<Skeleton height={262} />}>
          {(rows) => (
            <KpiChart
              label="Spend and impressions of the past 14 days"
              rows={rows}
              onPick={(index) => {
                const picked = [...sumKpisBy(rows, 'date').keys()][index];
                change({ day: picked === now ? undefined : picked }, { isStep: true });
              }}
            />
          )}
        </Loaded>
      </Paper>
    </>
  );
}

function DayPicker({
  date,
  onChange,
}: {
  readonly date: string;
  readonly onChange: (date: string) => void;
}) {
  const { first, last } = reportWindow();
  const yesterday = addDays(last, -1);
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Day"
        value={date === last ? 'today' : date === yesterday ? 'yesterday' : 'other'}
        onChange={(value) => onChange(value === 'today' ? last : yesterday)}
        data={[
          { value: 'today', label: 'Today' },
          { value: 'yesterday', label: 'Yesterday' },
        ]}
      />
      <DayInput label="A day" value={date} window={{ first, last }} onChange={onChange} />
      <Text size="sm" c="dimmed">
        UTC
      </Text>
    </Group>
  );
}
