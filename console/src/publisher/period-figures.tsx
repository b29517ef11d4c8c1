import { SimpleGrid } from '@mantine/core';
import { addDays } from '../parts/days.ts';
import { Figure } from '../parts/figure.tsx';
import { formatCount, formatCpm, formatShare, formatUsd, NOTHING } from '../parts/format.ts';
import { changeOf, ecpmOf, totalOf, type Figures } from './report.ts';
import type { ReportRow } from '../api/report.ts';

interface PeriodFiguresProps {
  readonly rows: readonly ReportRow[];
  readonly days: number;
  readonly last: string;
}

/** What a period brought, and how that compares with the one before. */
export function PeriodFigures({ rows, days, last }: PeriodFiguresProps) {
  const first = addDays(last, 1 - days);
  const now = totalOf(within(rows, first, last));
  // A day that is not over yet compares with none.
  const earlier = within(rows, addDays(first, -days), addDays(first, -1));
  const before = days === 1 || earlier.length === 0 ? null : totalOf(earlier);
  const note = (key: keyof Figures): string => comparison(now[key], before?.[key] ?? 0, days);
  const price = ecpmOf(now);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Figure
        label="Payout"
        value={formatUsd(now.payout)}
        note={note('payout')}
        help="Your share of what demand partners pay for impressions, in US dollars."
      />
      <Figure
        label="eCPM"
        value={price === null ? NOTHING : formatCpm(price)}
        note="payout of a thousand impressions"
      />
      <Figure
        label="Requests"
        value={formatCount(now.requests)}
        note={note('requests')}
        help="Impressions that were on sale."
      />
      <Figure
        label="Filled"
        value={formatCount(now.filled_requests)}
        note={note('filled_requests')}
      />
      <Figure
        label="Fill rate"
        value={formatShare(now.filled_requests, now.requests)}
        note="filled of all requests"
      />
      <Figure label="Impressions" value={formatCount(now.impressions)} note={note('impressions')} />
      <Figure
        label="Shown of filled"
        value={formatShare(now.impressions, now.filled_requests)}
        note="impressions of filled requests"
        help="An ad that was sold and never shown earns nothing. A share far below 90% calls for a look at how the page or app shows ads."
      />
      <Figure
        label="Clicks"
        value={formatCount(now.clicks)}
        note={`${formatShare(now.clicks, now.impressions)} of impressions`}
      />
    </SimpleGrid>
  );
}

function within(rows: readonly ReportRow[], first: string, last: string): readonly ReportRow[] {
  return rows.filter(({ date = '' }) => date >= first && date <= last);
}

function comparison(now: number, before: number, days: number): string {
  if (days === 1) return 'so far today';
  const change = changeOf(now, before);
  return change === null ? `in ${days} days` : `${change} on the ${days} days before`;
}
