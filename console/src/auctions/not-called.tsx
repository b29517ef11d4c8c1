import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type {
  LineItemView,
  OperatorAuction,
  PartnerAuction,
} from '../../../src/management/auctions/schema.ts';
import { Id } from '../parts/copyable.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { nameOf } from './names.ts';

const REASONS = {
  not_active: 'not active',
  no_bidder: 'no bidder',
  no_line_items: 'no line items',
  targeting: 'targeting',
  location_withheld: 'location withheld',
  unexplained: 'not explained',
} as const;

/** Who was not called, and which line items refused what. */
export function NotCalled({ auction }: { readonly auction: OperatorAuction }) {
  const { not_called: partners, not_called_dropped: dropped } = auction;
  if (partners.length === 0) return null;
  return (
    <Paper p="md" component="section" aria-label="Not called">
      <Title order={2} mb="sm">
        Not called
      </Title>
      <Stack gap="md">
        {partners.map((partner) => (
          <div key={partner.demand_partner.id}>
            <Group gap="xs">
              <Title order={3}>
                <bdi>{nameOf(partner.demand_partner)}</bdi>
              </Title>
              <Badge variant="light" color="gray" autoContrast tt="none">
                {REASONS[partner.reason]}
              </Badge>
            </Group>
            {/* Where targeting refused, its sentence is those of its line items. */}
            {partner.reason === 'targeting' ? (
              <LineItems items={partner.line_items} />
            ) : (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {partner.sentence}
              </Text>
            )}
          </div>
        ))}
        {dropped > 0 && (
          <Text size="sm" c="dimmed">
            {dropped} more are not shown.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The line items of a demand partner that were not asked for. */
export function NotMatched({ auction }: { readonly auction: PartnerAuction }) {
  if (auction.not_matched.length === 0) return null;
  return (
    <Paper p="md" component="section" aria-label="Line items that did not match">
      <Title order={2} mb="sm">
        Line items that did not match
      </Title>
      <LineItems items={auction.not_matched} />
    </Paper>
  );
}

function LineItems({ items }: { readonly items: readonly LineItemView[] }) {
  return (
    <Stack component="ul" className="plain-list" gap="xs" mt={4}>
      {items.map((item) => (
        <li key={item.id}>
          <Group gap="xs">
            <Id value={item.id} what={`the id of line item ${item.id}`} />
            {item.status !== 'ACTIVE' && <StatusBadge status={item.status} />}
            {[...new Set(item.refusals.map(({ key }) => key))].toSorted().map((key) => (
              <Badge key={key} variant="outline" color="gray" tt="none">
                {key}
              </Badge>
            ))}
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {item.sentence}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
