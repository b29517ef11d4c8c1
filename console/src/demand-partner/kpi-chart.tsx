import { useMemo } from 'react';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { formatShort, formatUsd } from '../parts/format.ts';
import { TimeChart, type Series } from '../parts/time-chart.tsx';
import { sumKpisBy } from './kpis.ts';

interface KpiChartProps {
  readonly label: string;
  readonly rows: readonly Kpi[];
  readonly height?: number;
  /** Called with the index of the day that was clicked on. */
  readonly onPick?: (index: number) => void;
}

/** Spend and impressions, day by day. */
export function KpiChart({ label, rows, height, onPick }: KpiChartProps) {
  const { times, series } = useMemo(() => {
    const days = sumKpisBy(rows, 'date');
    const sums = [...days.values()];
    const made: Series[] = [
      {
        label: 'Spend',
        color: 'lagoon',
        isBars: true,
        values: sums.map(({ gross_revenue: spend }) => spend),
        format: formatUsd,
      },
      {
        label: 'Impressions (right)',
        color: 'orange',
        isRight: true,
        values: sums.map(({ impressions }) => impressions),
        format: formatShort,
      },
    ];
    return { times: [...days.keys()], series: made };
  }, [rows]);
  return (
    <TimeChart
      label={label}
      times={times}
      series={series}
      {...(height === undefined ? {} : { height })}
      {...(onPick === undefined ? {} : { onPick })}
    />
  );
}
