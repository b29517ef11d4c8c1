import { Button, Paper, Table, Title, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { addDays, daysBetween } from '../parts/days.ts';
import { formatAlike, formatCount, formatPart, formatShort, formatUsd } from '../parts/format.ts';
import { TimeChart } from '../parts/time-chart.tsx';
import type { ReportRow } from '../api/report.ts';

const DAYS = 30;

interface MonthChartProps {
  readonly rows: readonly ReportRow[];
  readonly last: string;
}

/** Payout and requests of the last 30 days, as lines or in numbers. */
export function MonthChart({ rows, last }: MonthChartProps) {
  const [inNumbers, { toggle }] = useDisclosure(false);
  const times = daysBetween(addDays(last, 1 - DAYS), last);
  const byDay = new Map(rows.map((row) => [row.date, row]));
  const days = times.map((date) => ({ ...NO_DAY, ...byDay.get(date), date }));
  return (
    <Paper p="md" component="section" aria-label="The last 30 days">
      <Group justify="space-between" mb="sm">
        <Title order={2}>The last 30 days</Title>
        <Button variant="default" size="xs" onClick={toggle} aria-pressed={inNumbers}>
          {inNumbers ? 'Show the chart' : 'Show the numbers'}
        </Button>
      </Group>
      {inNumbers ? (
        <Days days={days} />
      ) : (
        <TimeChart
          label="Payout, requests and impressions of each day"
          times={times}
          series={[
            {
              label: 'Payout',
              color: 'lagoon',
              isBars: true,
              values: days.map(({ payout }) => payout),
              format: formatUsd,
            },
            {
              label: 'Requests',
              color: 'orange',
              isRight: true,
              values: days.map(({ requests }) => requests),
              format: formatShort,
            },
            {
              label: 'Impressions',
              color: 'grape',
              isRight: true,
              values: days.map(({ impressions }) => impressions),
              format: formatShort,
            },
          ]}
        />
      )}
    </Paper>
  );
}

const NO_DAY = { impressions: 0, clicks: 0, payout: 0, requests: 0, filled_requests: 0 };

function Days({ days }: { readonly days: readonly (typeof NO_DAY & { date: string })[] }) {
  const payout = formatAlike(
    formatUsd,
    days.map((day) => day.payout),
  );
  const fill = formatAlike(formatPart, []);
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table aria-label="The last 30 days" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            {['Payout', 'Requests', 'Fill rate', 'Impressions', 'Clicks'].map((head) => (
              <Table.Th key={head} className="numeric">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{day.date}</Table.Td>
              <Table.Td className="numeric">{payout(day.payout)}</Table.Td>
              <Table.Td className="numeric">{formatCount(day.requests)}</Table.Td>
              <Table.Td className="numeric">
                {fill(day.requests === 0 ? null : day.filled_requests / day.requests)}
              </Table.Td>
              <Table.Td className="numeric">{formatCount(day.impressions)}</Table.Td>
              <Table.Td className="numeric">{formatCount(day.clicks)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
