import { Figure, Figures } from '../parts/figure.tsx';
import { formatCount, formatCpm, formatShare, formatUsd, NOTHING } from '../parts/format.ts';
import { cpmOf, type KpiSums } from './kpis.ts';

/** What came of it, in six figures. */
export function KpiFigures({ sums }: { readonly sums: KpiSums }) {
  const { gross_revenue: spend, dsp_requests: requests, bids, wins, impressions, clicks } = sums;
  const cpm = cpmOf(sums);
  return (
    <Figures>
      <Figure
        label="Spend"
        value={formatUsd(spend)}
        help="What the impressions that were counted cost, at their clearing prices."
      />
      <Figure
        label="Bids"
        value={formatCount(bids)}
        note={`on ${formatCount(requests)} bid requests`}
      />
      <Figure
        label="Win rate"
        value={formatShare(wins, bids)}
        note={`${formatCount(wins)} wins`}
        help="Wins of all bids, also of those that did not take part in the auction."
      />
      <Figure
        label="Impressions"
        value={formatCount(impressions)}
        note={`${formatShare(impressions, wins)} of wins`}
        help="Wins that were shown, and for which you are billed."
      />
      <Figure label="Average CPM" value={cpm === null ? NOTHING : formatCpm(cpm)} />
      <Figure
        label="Clicks"
        value={formatCount(clicks)}
        note={`${formatShare(clicks, impressions)} of impressions`}
      />
    </Figures>
  );
}
