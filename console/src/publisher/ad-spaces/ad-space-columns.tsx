import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';
import { Id } from '../../parts/copyable.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { formatCount, formatCpm, formatPart, formatUsd, type Format } from '../../parts/format.ts';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { propertyHref, type Property } from '../properties/use-properties.ts';
import { ecpmOf, totalOf, type Figures } from '../report.ts';
import { BREAKING } from '../breaking.ts';
import { StatusMenu } from '../../parts/status/status-menu.tsx';
import type { PublisherPlace } from '../use-publisher.ts';
import { describeFormats } from './draft.ts';

export interface AdSpaceRow {
  readonly adSpace: ShownAdSpace;
  readonly property: Pick<Property, 'id' | 'type' | 'name' | 'status'>;
  /** Null until they are there. */
  readonly figures: Figures | null;
}

/** An ad space with where it is and what it brought. */
export function rowOf(
  adSpace: ShownAdSpace,
  properties: readonly Property[],
  figures: ReadonlyMap<number, Figures> | null,
): AdSpaceRow {
  const { app_id: appId, site_id: siteId } = adSpace;
  const id = appId ?? siteId ?? 0;
  const known = properties.find((each) => each.id === id);
  return {
    adSpace,
    property: known ?? {
      id,
      type: appId === null ? 'site' : 'app',
      name: `${appId === null ? 'Site' : 'App'} ${id}`,
      status: 'ACTIVE',
    },
    figures: figures === null ? null : (figures.get(adSpace.id) ?? totalOf([])),
  };
}

/** The columns of the list. */
export function columnsOf({ root, api }: PublisherPlace): readonly Column<AdSpaceRow>[] {
  return [
    {
      id: 'name',
      header: 'Ad space',
      value: ({ adSpace }) => adSpace.name,
      cell: ({ adSpace: { id, name } }) => (
        <>
          <Anchor
            component={Link}
            to={`${root}/ad-spaces/${id}`}
            size="sm"
            lineClamp={3}
            style={BREAKING}
          >
            {name}
          </Anchor>
          <div>
            <Id value={id} what={`the id of ${name}`} />
          </div>
        </>
      ),
    },
    {
      id: 'property',
      header: 'App or site',
      value: ({ property }) => property.name,
      cell: ({ property }) => (
        <Group gap={6}>
          <Anchor
            component={Link}
            to={propertyHref(root, property)}
            size="sm"
            lineClamp={3}
            style={BREAKING}
          >
            {property.name}
          </Anchor>
          {property.status !== 'ACTIVE' && <StatusBadge status={property.status} />}
        </Group>
      ),
    },
    {
      id: 'format',
      header: 'Format',
      value: ({ adSpace }) => describeFormats(adSpace),
      cell: Formats,
    },
    numeric('floor', 'Floor', ({ adSpace }) => adSpace.floor, formatCpm),
    numeric('requests', 'Requests', ({ figures }) => figures?.requests ?? null, formatCount),
    numeric(
      'fill',
      'Fill rate',
      ({ figures }) =>
        figures === null || figures.requests === 0
          ? null
          : figures.filled_requests / figures.requests,
      formatPart,
    ),
    numeric('payout', 'Payout', ({ figures }) => figures?.payout ?? null, formatUsd),
    numeric(
      'ecpm',
      'eCPM',
      ({ figures }) => (figures === null ? null : ecpmOf(figures)),
      formatCpm,
    ),
    {
      id: 'status',
      header: 'Status',
      value: ({ adSpace }) => adSpace.status,
      cell: ({ adSpace: { id, name, status } }) => (
        <Group gap={4} wrap="nowrap">
          <StatusBadge status={status} />
          <StatusMenu path={`${api}/ad-spaces/${id}/`} name={name} status={status} />
        </Group>
      ),
    },
  ];
}

/** A column of figures, of which some may not be known yet. */
function numeric(
  id: string,
  header: string,
  value: (row: AdSpaceRow) => number | null,
  format: Format,
): Column<AdSpaceRow> {
  return { id, header, value, format };
}

function Formats({ adSpace }: AdSpaceRow) {
  return (
    <Group gap={4}>
      <Text size="sm" miw="7.5rem">
        {describeFormats(adSpace)}
      </Text>
      {adSpace.interstitial && (
        <Badge variant="default" miw="max-content">
          interstitial
        </Badge>
      )}
      {adSpace.rewarded && (
        <Badge variant="default" miw="max-content">
          rewarded
        </Badge>
      )}
      {adSpace.auction === 'first_price' && (
        <Badge variant="default" miw="max-content">
          first price
        </Badge>
      )}
    </Group>
  );
}
