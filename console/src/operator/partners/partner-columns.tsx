import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import {
  formatCount,
  formatDecimal,
  formatPart,
  formatUsd,
  NOTHING,
  type Format,
} from '../../parts/format.ts';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { ShownDemandPartner } from '../../../../src/management/demand-partners/schema.ts';
import type { BidderHealth } from '../../../../src/management/bidder-health/schema.ts';
import { EntityName } from '../../parts/entity-name.tsx';
import { KillSwitch } from './kill-switch.tsx';

/** A partner, with how its bidder does where that is known. */
export interface PartnerRow {
  readonly partner: ShownDemandPartner;
  readonly health: BidderHealth | undefined;
}

/** The columns of the list of demand partners. */
export const partnerColumns: readonly Column<PartnerRow>[] = [
  {
    id: 'name',
    header: 'Demand partner',
    value: ({ partner }) => partner.name,
    cell: ({ partner: { id, name } }) => (
      <EntityName name={name} id={id} href={`/operator/demand-partners/${id}`} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ partner }) => partner.status,
    cell: ({ partner }) => <StatusBadge status={partner.status} />,
  },
  {
    id: 'bidder',
    header: 'Bidder',
    value: (row) => stateOf(row),
    cell: (row) => {
      const state = stateOf(row);
      return state === '' ? NOTHING : <StatusBadge status={state} />;
    },
  },
  numeric('qps', 'QPS', ({ qps }) => qps, formatDecimal),
  numeric(
    'failures',
    'Failures',
    ({ timeout_share: late, error_share: failed }) =>
      late === null && failed === null ? null : (late ?? 0) + (failed ?? 0),
    formatPart,
  ),
  {
    ...numeric('throttled', 'Throttled', (health) => throttledBy(health), formatCount),
    cell: ({ health }, text) => <Throttled health={health} text={text} />,
  },
  numeric('spend', 'Spend', ({ spend }) => spend, formatUsd),
  {
    id: 'actions',
    header: 'Actions',
    value: () => null,
    isSortable: false,
    cell: ({ partner, health }) => (
      <Group gap="xs" wrap="nowrap" w="max-content">
        {health?.state !== 'not_set_up' && <KillSwitch partner={partner} size="xs" />}
        <Anchor
          size="sm"
          aria-label={`Its pages: ${partner.name}`}
          renderRoot={(props) => <Link to={`/demand-partners/${partner.id}`} {...props} />}
        >
          Its pages
        </Anchor>
      </Group>
    ),
  },
];

/** The stop is known at once; the rest is a few seconds old. */
function stateOf({ partner, health }: PartnerRow): string {
  if (partner.stopped !== null) return 'stopped';
  return health?.state ?? '';
}

function throttledBy({ throttled }: BidderHealth): number {
  return throttled.reduce((sum, { count }) => sum + count, 0);
}

/** How many calls were held back, and mostly why. */
function Throttled({
  health,
  text,
}: {
  readonly health: BidderHealth | undefined;
  readonly text: string;
}) {
  return (
    <>
      {text}
      {health?.throttled[0] !== undefined && (
        <Text size="xs" c="dimmed" maw={180} ml="auto" style={{ whiteSpace: 'normal' }}>
          {health.throttled[0].text}
        </Text>
      )}
    </>
  );
}

function numeric(
  id: string,
  header: string,
  value: (health: BidderHealth) => number | null,
  format: Format,
): Column<PartnerRow> {
  return {
    id,
    header,
    value: ({ health }) => (health === undefined ? null : value(health)),
    format,
  };
}
