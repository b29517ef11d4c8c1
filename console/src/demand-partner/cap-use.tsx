import { Paper, Text } from '@mantine/core';
import { Bars, type Bar } from '../parts/bars.tsx';
import { formatCount, formatDecimal, formatShare, formatUsd } from '../parts/format.ts';
import { rangeOf } from '../parts/ranges.ts';
import { useNow } from '../parts/use-now.ts';
import type { Capping } from './capping.ts';
import { sumKpis, type KpiSums } from './kpis.ts';
import { useKpis } from './use-kpis.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 10_000;

interface CapUseProps {
  readonly partnerId: string;
  readonly lineItemId: number;
  /** As it is in force, whatever is typed at present. */
  readonly capping: Capping;
}

/** How much of its limits a line item has used today; nothing where it has none. */
export function CapUse({ partnerId, lineItemId, capping }: CapUseProps) {
  const asked = useKpis(partnerId, rangeOf('today'), [lineItemId]);
  const nowMs = useNow(EVERY_MS);
  if (asked.data === undefined) return null;
  const bars = usesOf(capping, sumKpis(asked.data.body), nowMs);
  if (bars.length === 0) return null;
  return (
    <Paper p="md">
      <Text size="sm" fw={600} mb="xs">
        Used today of the limits in force
      </Text>
      <Bars label="Used today of the limits in force" bars={bars} most={1} />
    </Paper>
  );
}

function usesOf(capping: Capping, sums: KpiSums, nowMs: number): Bar[] {
  const bars: Bar[] = [];
  const add = (key: string, label: string, use: Use): void => {
    const { used, limit, format } = use;
    if (limit === undefined || limit === null) return;
    const share = Math.min(1, used / limit);
    const text = `${format(used)} of ${format(limit)}, ${formatShare(used, limit)}`;
    bars.push({ key, label, value: share, text, color: share >= 0.95 ? 'orange' : 'lagoon' });
  };
  const seconds = Math.max(1, (nowMs % DAY_MS) / 1_000);
  add('qps', 'Bid requests per second, on average', {
    used: sums.dsp_requests / seconds,
    limit: capping.max_qps,
    format: formatDecimal,
  });
  add('impressions', 'Impressions', {
    used: sums.impressions,
    limit: capping.max_daily_impressions,
    format: formatCount,
  });
  add('spend', 'Spend', {
    used: sums.gross_revenue,
    limit: capping.max_daily_spend,
    format: formatUsd,
  });
  return bars;
}

interface Use {
  readonly used: number;
  readonly limit: number | null | undefined;
  readonly format: (value: number) => string;
}
