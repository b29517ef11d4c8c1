import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { EntityName } from '../../parts/entity-name.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { ShownCreative } from '../../../../src/management/creatives/schema.ts';

const COLORS: Readonly<Record<string, string>> = {
  blocked: 'red',
  approved: 'teal',
  pending: 'orange',
  none: 'gray',
};

/** What keeps a creative from being shown comes first. */
const VERDICTS = ['blocked', 'pending', 'approved', 'none'];

/** The columns of lists of creatives; `nameOf` knows demand partners. */
export function creativeColumns(nameOf: (id: number) => string): readonly Column<ShownCreative>[] {
  return [
    {
      id: 'crid',
      header: 'Creative',
      value: ({ crid }) => crid,
      cell: ({ demand_partner_id: partner, crid }) => (
        <Anchor
          size="sm"
          className="break-anywhere"
          miw={170}
          maw={320}
          lineClamp={3}
          renderRoot={(props) => (
            <Link
              from="/operator/creatives"
              to="."
              resetScroll={false}
              search={(before) => ({ ...before, crid, of: partner })}
              {...props}
            />
          )}
        >
          {crid}
        </Anchor>
      ),
    },
    {
      id: 'partner',
      header: 'Demand partner',
      value: ({ demand_partner_id: id }) => nameOf(id),
      cell: ({ demand_partner_id: id }, name) => (
        <EntityName name={name} id={id} href={`/operator/demand-partners/${id}`} />
      ),
    },
    {
      id: 'adomain',
      header: 'Advertiser',
      value: ({ adomain }) => adomain.join(', '),
      cell: ({ adomain }) => (
        <Text size="sm" miw={120} className="break-anywhere" lineClamp={2}>
          {adomain.join(', ')}
        </Text>
      ),
    },
    {
      id: 'format',
      header: 'Format',
      value: (creative) => formatOf(creative),
    },
    {
      id: 'bytes',
      header: 'Markup',
      value: ({ markup_bytes: bytes }) => bytes,
      isNumeric: true,
      cell: ({ markup_bytes: bytes }) => formatBytes(bytes),
    },
    {
      id: 'wins',
      header: 'Wins',
      value: ({ wins }) => wins,
      format: formatCount,
    },
    {
      id: 'pending',
      header: 'Lost waiting',
      value: ({ pending }) => pending,
      format: formatCount,
    },
    {
      id: 'verdict',
      header: 'May be shown',
      value: (creative) => verdictsOf(creative).join(', '),
      cell: (creative) => <Verdicts creative={creative} />,
    },
    {
      id: 'last_seen',
      header: 'Last seen',
      value: ({ last_seen_at: at }) => at,
      cell: ({ last_seen_at: at }) => (
        <span className="nowrap">
          <UtcTime at={at} />
        </span>
      ),
    },
  ];
}

/** `banner 300x250`, or the format alone where there is no size. */
export function formatOf({ ad_format: format, w, h }: ShownCreative): string {
  return w > 0 && h > 0 ? `${format} ${w}x${h}` : format;
}

/** A verdict in words: of most creatives nothing was decided. */
export function VerdictBadge({ verdict }: { readonly verdict: string }) {
  return (
    <Badge variant="light" color={COLORS[verdict] ?? 'gray'} autoContrast miw="max-content">
      {verdict === 'none' ? 'not decided' : verdict}
    </Badge>
  );
}

/** Different publishers may have decided differently. */
function Verdicts({ creative }: { readonly creative: ShownCreative }) {
  return (
    <Group gap={4}>
      {verdictsOf(creative).map((verdict) => (
        <VerdictBadge key={verdict} verdict={verdict} />
      ))}
    </Group>
  );
}

function verdictsOf({ places }: ShownCreative): readonly string[] {
  const present = new Set<string>(places.map(({ verdict }) => verdict));
  return VERDICTS.filter((verdict) => present.has(verdict));
}
