import { useMemo } from 'react';
import { TimeChart } from '../parts/time-chart.tsx';
import type { Metric, Sums } from './sides.ts';

interface ReportChartProps {
  readonly metric: Metric;
  readonly days: { readonly days: readonly string[]; readonly sums: readonly Sums[] };
  readonly onPick: (day: string) => void;
}

/** One figure over the days. */
export function ReportChart({ metric, days: { days, sums }, onPick }: ReportChartProps) {
  const series = useMemo(
    () => [
      {
        label: metric.label,
        color: 'lagoon',
        values: sums.map((each) => metric.value(each)),
        format: metric.format,
        isBars: days.length < 40,
      },
    ],
    [metric, sums, days.length],
  );
  return (
    <TimeChart
      label={`${metric.label} by day`}
      times={days}
      series={series}
      height={220}
      onPick={(index) => {
        const day = days[index];
        if (day !== undefined) onPick(day);
      }}
    />
  );
}
