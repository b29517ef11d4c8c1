import { ActionIcon, Anchor, Badge, Group, Menu, Text, Tooltip } from '@mantine/core';
import { Ban, Check, Code, Ellipsis, Undo2 } from 'lucide-react';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import { CopyIcon } from '../../parts/copyable.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { formatCount } from '../../parts/format.ts';
import { UtcTime } from '../../parts/utc-time.tsx';
import { decisionBehind, type Place, type SeenHere } from './decisions.ts';
import type { useDecisions } from './use-decisions.ts';

interface Actions {
  readonly reviews: readonly ShownCreativeReview[];
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly onOpen: (seen: SeenHere) => void;
  readonly onBlock: (seen: SeenHere) => void;
}

/** The columns of the creatives that were seen. */
export function columnsOf(actions: Actions): readonly Column<SeenHere>[] {
  return [
    {
      id: 'crid',
      header: 'Creative',
      value: ({ creative }) => creative.crid,
      cell: (seen) => <Creative seen={seen} onOpen={actions.onOpen} />,
    },
    {
      id: 'advertiser',
      header: 'Advertiser',
      value: ({ creative }) => creative.adomain.join(', '),
      cell: ({ creative: { adomain } }) => (
        <Text size="sm" lineClamp={2} maw={240} style={ANYWHERE}>
          {adomain.length === 0 ? 'not said' : adomain.join(', ')}
        </Text>
      ),
    },
    {
      id: 'partner',
      header: 'Partner',
      value: ({ creative }) => creative.demand_partner_id,
      isNumeric: true,
    },
    {
      id: 'wins',
      header: 'Wins',
      value: ({ place }) => place.wins,
      format: formatCount,
    },
    {
      id: 'first',
      header: 'First seen',
      value: ({ place }) => place.first_seen_at,
      cell: ({ place }) => <Time at={place.first_seen_at} />,
    },
    {
      id: 'last',
      header: 'Last seen',
      value: ({ place }) => place.last_seen_at,
      cell: ({ place }) => <Time at={place.last_seen_at} />,
    },
    {
      id: 'state',
      header: 'State',
      value: ({ place }) => place.verdict,
      cell: ({ place }) => <State place={place} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      value: () => null,
      isSortable: false,
      cell: (seen) => <ActionMenu seen={seen} {...actions} />,
    },
  ];
}

const ANYWHERE = { overflowWrap: 'anywhere', minWidth: '8rem' } as const;

function Time({ at }: { readonly at: string }) {
  return (
    <Text size="sm" className="nowrap">
      <UtcTime at={at} />
    </Text>
  );
}

interface CreativeProps {
  readonly seen: SeenHere;
  readonly onOpen: (seen: SeenHere) => void;
}

function Creative({ seen, onOpen }: CreativeProps) {
  const { crid, ad_format: format, w, h } = seen.creative;
  return (
    <>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpen(seen)}>
          <Text span inherit lineClamp={2} maw={280} style={ANYWHERE}>
            {crid}
          </Text>
        </Anchor>
        <CopyIcon value={crid} what="the creative’s id" />
      </Group>
      <Text size="xs" c="dimmed">
        {format}
        {w > 0 && h > 0 ? ` ${w}x${h}` : ''}
      </Text>
    </>
  );
}

const STATES = {
  none: { label: 'shown', color: 'gray' },
  pending: { label: 'waits', color: 'orange' },
  blocked: { label: 'blocked', color: 'red' },
  approved: { label: 'approved', color: 'teal' },
} as const;

/** Where a creative stands, who says so, and why. */
export function State({ place: { verdict, by, domain, reason } }: { readonly place: Place }) {
  const { label, color } = STATES[verdict];
  const about = domain === '' ? '' : ` (${domain})`;
  const said = verdict === 'pending' ? 'for the' : 'by the';
  return (
    <>
      <Badge variant="light" color={color} autoContrast miw="max-content">
        {label}
      </Badge>
      {by !== '' && (
        <Text size="xs" c="dimmed" lineClamp={3} maw={220} style={ANYWHERE}>
          {said} {by}
          {about}
          {reason === '' ? '' : `: ${reason}`}
        </Text>
      )}
    </>
  );
}

function ActionMenu({ seen, reviews, decisions, onOpen, onBlock }: Actions & CreativeProps) {
  const { creative, place } = seen;
  const decision = decisionBehind(reviews, seen);
  const subject = { demand_partner: creative.demand_partner_id, crid: creative.crid };
  const isApprovable = place.verdict === 'pending' || place.verdict === 'none';
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label="Look at the markup">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Look at the markup"
          onClick={() => onOpen(seen)}
        >
          <Code size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={decisions.isPending}
            aria-label="Actions for the creative"
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {decision !== undefined && (
            <Menu.Item
              leftSection={<Undo2 size={14} aria-hidden />}
              onClick={() => decisions.takeBack(decision)}
            >
              {place.verdict === 'blocked' ? 'Unblock' : 'Take the approval back'}
            </Menu.Item>
          )}
          {isApprovable && (
            <Menu.Item
              leftSection={<Check size={14} aria-hidden />}
              onClick={() => decisions.decide(subject, 'approved')}
            >
              Approve
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Ban size={14} aria-hidden />} onClick={() => onBlock(seen)}>
            Block…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
