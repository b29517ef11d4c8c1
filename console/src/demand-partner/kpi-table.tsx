import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { today } from '../parts/days.ts';
import { formatCount, formatCpm, formatPart, formatUsd, type Format } from '../parts/format.ts';
import { cpmOf, sumKpis, type KpiSums } from './kpis.ts';

interface Figure {
  readonly id: string;
  readonly header: string;
  readonly value: (sums: KpiSums) => number | null;
  readonly format: Format;
}

/** All figures, one row for each day. */
export function KpiTable({ rows }: { readonly rows: readonly Kpi[] }) {
  const columns = columnsOf(today());
  const sums = sumKpis(rows);
  const [first] = rows;
  return (
    <DataTable
      label="Figures by day"
      columns={columns}
      rows={rows}
      rowKey={({ date }) => date}
      sortedBy={{ id: 'date', desc: true }}
      total={
        first === undefined || rows.length < 2
          ? undefined
          : { label: 'All days', row: { ...first, ...sums } }
      }
    />
  );
}

const FIGURES: readonly Figure[] = [
  figure('dsp_requests', 'Bid requests'),
  figure('no_bids', 'No bid'),
  figure('timeouts', 'Timeouts'),
  figure('errors', 'Errors'),
  figure('throttled', 'Held back'),
  figure('bids', 'Bids'),
  figure('bids_in_auction', 'In auction'),
  figure('wins', 'Wins'),
  {
    id: 'win_rate',
    header: 'Win rate',
    value: ({ wins, bids }) => (bids === 0 ? null : wins / bids),
    format: formatPart,
  },
  figure('impressions', 'Impressions'),
  figure('clicks', 'Clicks'),
  {
    id: 'spend',
    header: 'Spend',
    value: ({ gross_revenue: spend }) => spend,
    format: formatUsd,
  },
  { id: 'cpm', header: 'CPM', value: cpmOf, format: formatCpm },
];

function columnsOf(now: string): Column<Kpi>[] {
  return [
    {
      id: 'date',
      header: 'Day (UTC)',
      value: ({ date }) => date,
      cell: ({ date }) => (
        <span style={{ whiteSpace: 'nowrap' }}>{date === now ? `${date} so far` : date}</span>
      ),
    },
    ...FIGURES,
  ];
}

function figure(id: keyof KpiSums, header: string): Figure {
  return { id, header, value: (sums) => sums[id], format: formatCount };
}
