import { Skeleton, Text, Tooltip } from '@mantine/core';
import type { Report } from '../../api/report.ts';
import { useAskReport } from '../../api/use-ask.ts';
import { addDays, today } from '../../parts/days.ts';
import { NOTHING, formatPart, formatUsd } from '../../parts/format.ts';

const DAYS = 7;

/** Each figure comes by itself: they are alike all the same. */
const formatPayout = formatUsd.with(2);
const formatFill = formatPart.with(1);

interface WeekProps {
  readonly publisherId: number;
}

/** What a publisher got in the last seven full days. */
export function WeekPayout({ publisherId }: WeekProps) {
  return (
    <WeekFigure publisherId={publisherId}>
      {(days) => formatPayout(sum(days, ({ payout }) => payout))}
    </WeekFigure>
  );
}

/** The share of its ad requests that were sold. */
export function WeekFill({ publisherId }: WeekProps) {
  return (
    <WeekFigure publisherId={publisherId}>
      {(days) => {
        const requests = sum(days, ({ requests: count = 0 }) => count);
        const filled = sum(days, ({ filled_requests: count = 0 }) => count);
        return requests === 0 ? NOTHING : formatFill(filled / requests);
      }}
    </WeekFigure>
  );
}

function WeekFigure({
  publisherId,
  children,
}: WeekProps & { readonly children: (days: Report['data']) => string }) {
  const day = today();
  // One call answers both figures: the same question is asked once.
  const report = useAskReport(`/api/publishers/${publisherId}/report/`, {
    start_date: addDays(day, -DAYS),
    end_date: addDays(day, -1),
    group_by: 'date',
    format: 'json',
  });
  if (report.data !== undefined) return children(report.data.body.data);
  if (report.error !== null) {
    return (
      <Tooltip label={report.error.message}>
        <Text span size="sm">
          {NOTHING}
        </Text>
      </Tooltip>
    );
  }
  return <Skeleton height={14} width={56} ml="auto" />;
}

function sum(days: Report['data'], pick: (day: Report['data'][number]) => number): number {
  return days.reduce((total, day) => total + pick(day), 0);
}
