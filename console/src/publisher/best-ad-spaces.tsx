import { Anchor, Paper, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import type { Asked } from '../api/use-ask.ts';
import { Bars } from '../parts/bars.tsx';
import { addDays } from '../parts/days.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatCpm, formatUsd } from '../parts/format.ts';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { BREAKING } from './breaking.ts';
import { ecpmOf, useReport } from './report.ts';
import { usePublisher } from './use-publisher.ts';

const SHOWN = 5;

interface BestAdSpacesProps {
  readonly days: number;
  readonly last: string;
  readonly adSpaces: Asked<readonly ShownAdSpace[]>;
}

/** The ad spaces that earned the most in a period. */
export function BestAdSpaces({ days, last, adSpaces }: BestAdSpacesProps) {
  const { id, root } = usePublisher();
  const report = useReport(id, { first: addDays(last, 1 - days), last, groupBy: 'zone_id' });
  const names = new Map(adSpaces.data?.body.map((each) => [each.id, each.name]));
  return (
    <Paper p="md" component="section" aria-label="Best ad spaces">
      <Title order={2} mb="sm">
        Best ad spaces, {days === 1 ? 'today' : `${days} days`}
      </Title>
      <Loaded asked={report} skeleton={<Lines count={SHOWN} />}>
        {({ data }) => {
          const best = data.toSorted((a, b) => b.payout - a.payout).slice(0, SHOWN);
          if (best.length === 0) {
            return (
              <EmptyState title="No impressions in this period">
                Ad spaces are listed here once their ads were shown.
              </EmptyState>
            );
          }
          return (
            <Bars
              label="Payout of the best ad spaces"
              bars={best.map((row) => {
                const zone = row.zone_id ?? 0;
                const price = ecpmOf(row);
                return {
                  key: String(zone),
                  label: (
                    <Anchor
                      component={Link}
                      to={`${root}/ad-spaces/${zone}`}
                      inherit
                      lineClamp={2}
                      style={BREAKING}
                    >
                      {names.get(zone) ?? `Ad space ${zone}`}
                    </Anchor>
                  ),
                  value: row.payout,
                  text: `${formatUsd(row.payout)}${price === null ? '' : ` at ${formatCpm(price)} CPM`}`,
                };
              })}
            />
          );
        }}
      </Loaded>
    </Paper>
  );
}
