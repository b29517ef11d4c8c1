import { Table } from '@mantine/core';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { today } from '../parts/days.ts';
import { formatCount, formatCpm, formatPart, formatUsd, NOTHING } from '../parts/format.ts';
import { cpmOf, sumKpis, type KpiSums } from './kpis.ts';

interface Figure {
  readonly id: string;
  readonly header: string;
  readonly value: (sums: KpiSums) => number | null;
  readonly format: (value: number) => string;
}

/** All figures, one row for each day. */
export function KpiTable({ rows }: { readonly rows: readonly Kpi[] }) {
  const columns = columnsOf(today());
  const sums = sumKpis(rows);
  return (
    <DataTable
      label="Figures by day"
      columns={columns}
      rows={rows}
      rowKey={({ date }) => date}
      sortedBy={{ id: 'date', desc: true }}
      footer={
        rows.length < 2 ? undefined : (
          <Table.Tr fw={600}>
            <Table.Th scope="row">All days</Table.Th>
            {FIGURES.map(({ id, value, format }) => (
              <Table.Td key={id} className="numeric">
                {shown(value(sums), format)}
              </Table.Td>
            ))}
          </Table.Tr>
        )
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
    ...FIGURES.map(({ id, header, value, format }) => ({
      id,
      header,
      isNumeric: true,
      value,
      cell: (row: Kpi) => shown(value(row), format),
    })),
  ];
}

function figure(id: keyof KpiSums, header: string): Figure {
  return { id, header, value: (sums) => sums[id], format: formatCount };
}

function shown(value: number | null, format: (value: number) => string): string {
  return value === null ? NOTHING : format(value);
}
