import { Button, Collapse, Group, Select, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LOSS_REASONS } from '../../../src/openrtb/loss-reason.ts';
import type { ChangeSearch } from '../parts/use-search-of.ts';
import { addDays, today } from '../parts/days.ts';
import { EntityFilter } from '../parts/entity-filter.tsx';
import { LineItemFilter } from '../parts/line-item-filter.tsx';
import { Choice, NumberFilter, TextFilter } from './filter-fields.tsx';
import { AD_FORMATS, filterCount, OUTCOMES, type AuctionSearch } from './list-search.ts';
import { lookOf } from './outcome.tsx';

interface FiltersProps {
  readonly search: AuctionSearch;
  readonly change: ChangeSearch<AuctionSearch>;
  readonly isOperator: boolean;
  /** Whose list it is; undefined for everybody's. */
  readonly partnerId: string | undefined;
}

/** Raw records are kept so long. */
const DAYS = 14;
const NO_PAGE = { from: undefined, to: undefined, before: undefined };
const LOSSES = Object.entries(LOSS_REASONS)
  .map(([value, label]) => ({ value, label: `${value}: ${label}` }))
  .toSorted((one, other) => Number(one.value) - Number(other.value));

/** What narrows the list of auctions; all of it is kept in the address. */
export function AuctionFilters({ search, change, isOperator, partnerId }: FiltersProps) {
  const moreCount = countOfMore(search);
  const [isOpen, { toggle }] = useDisclosure(moreCount > 0);
  const narrow: ChangeSearch<AuctionSearch> = (changed) => change({ ...NO_PAGE, ...changed });
  return (
    <search aria-label="Filters of the auctions">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
        <TimeFilter search={search} narrow={narrow} />
        <Choice
          label="A bid request’s outcome"
          value={search.outcome}
          data={OUTCOMES.map((value) => ({ value, label: lookOf(value).words }))}
          onChange={(value) => narrow({ outcome: OUTCOMES.find((each) => each === value) })}
        />
        <Choice
          label="What became of a bid"
          value={search.loss_reason === undefined ? undefined : String(search.loss_reason)}
          data={LOSSES}
          onChange={(value) => narrow({ loss_reason: value === null ? undefined : Number(value) })}
        />
        {partnerId === undefined ? (
          <NumberFilter
            label="Line item id"
            value={search.lineitem_id}
            onCommit={(value) => narrow({ lineitem_id: value })}
          />
        ) : (
          <LineItemFilter
            label="Line item"
            partnerId={partnerId}
            value={search.lineitem_id}
            onChange={(value) => narrow({ lineitem_id: value })}
          />
        )}
      </SimpleGrid>
      <Collapse expanded={isOpen} id="more-filters">
        <MoreFilters {...{ search, narrow, isOperator, partnerId }} />
      </Collapse>
      <Group gap="xs" mb="md">
        <Button
          variant="subtle"
          size="xs"
          aria-expanded={isOpen}
          aria-controls="more-filters"
          onClick={toggle}
        >
          {isOpen ? 'Fewer filters' : `More filters${moreCount > 0 ? ` (${moreCount})` : ''}`}
        </Button>
        {filterCount(search) > 0 && (
          <Button variant="subtle" size="xs" onClick={() => narrow(cleared(search))}>
            Clear the filters
          </Button>
        )}
      </Group>
    </search>
  );
}

interface PartProps {
  readonly search: AuctionSearch;
  readonly narrow: ChangeSearch<AuctionSearch>;
}

function TimeFilter({ search, narrow }: PartProps) {
  const now = today();
  const days = Array.from({ length: DAYS }, (_, ago) => addDays(now, -ago));
  return (
    <Select
      label="Time (UTC)"
      allowDeselect={false}
      value={search.day ?? search.window ?? '1h'}
      data={[
        {
          group: 'Until now',
          items: [
            { value: '1h', label: 'Last hour' },
            { value: '6h', label: 'Last 6 hours' },
            { value: '12h', label: 'Last 12 hours' },
          ],
        },
        {
          group: 'A day',
          items: days.map((date, ago) => ({
            value: date,
            label: ago === 0 ? `${date} (today)` : date,
          })),
        },
      ]}
      onChange={(value) => {
        const isDay = value !== null && days.includes(value);
        const hours = value === '6h' || value === '12h' ? value : undefined;
        narrow({ window: hours, day: isDay ? value : undefined });
      }}
    />
  );
}

function MoreFilters({
  search,
  narrow,
  isOperator,
  partnerId,
}: PartProps & Omit<FiltersProps, 'change'>) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
      <Choice
        label="Ad format"
        value={search.ad_format}
        data={AD_FORMATS.map((value) => ({ value, label: value }))}
        onChange={(value) => narrow({ ad_format: AD_FORMATS.find((each) => each === value) })}
      />
      <TextFilter
        label="Country"
        placeholder="USA (ISO 3166-1 alpha-3)"
        value={search.country}
        pattern={/^[A-Z]{3}$/}
        wrong="Three letters, such as USA"
        onCommit={(value) => narrow({ country: value })}
      />
      <TextFilter
        label="Reason of a bid request"
        placeholder="http_500"
        value={search.reason}
        pattern={/^.{1,100}$/}
        wrong="At most 100 characters"
        onCommit={(value) => narrow({ reason: value })}
      />
      {isOperator ? (
        <EntityFilter
          label="Publisher"
          kind="publishers"
          value={search.publisher_id}
          onChange={(value) => narrow({ publisher_id: value })}
        />
      ) : (
        <NumberFilter
          label="Publisher id"
          value={search.publisher_id}
          onCommit={(value) => narrow({ publisher_id: value })}
        />
      )}
      <NumberFilter
        label="Ad space id"
        value={search.ad_space_id}
        onCommit={(value) => narrow({ ad_space_id: value })}
      />
      {isOperator && partnerId === undefined && (
        <EntityFilter
          label="Demand partner"
          kind="demand-partners"
          value={search.demand_partner_id}
          onChange={(value) => narrow({ demand_partner_id: value })}
        />
      )}
      {isOperator && (
        <Choice
          label="Filled"
          value={search.filled}
          data={[
            { value: 'true', label: 'filled' },
            { value: 'false', label: 'not filled' },
          ]}
          onChange={(value) =>
            narrow({ filled: value === 'true' || value === 'false' ? value : undefined })
          }
        />
      )}
    </SimpleGrid>
  );
}

const MORE = [
  'ad_format',
  'country',
  'reason',
  'publisher_id',
  'ad_space_id',
  'demand_partner_id',
  'filled',
] as const;

function countOfMore(search: AuctionSearch): number {
  return MORE.filter((key) => search[key] !== undefined).length;
}

function cleared(search: AuctionSearch): { readonly [Key in keyof AuctionSearch]?: undefined } {
  const { window, day, live, from, to, before, ...filters } = search;
  return Object.fromEntries(Object.keys(filters).map((key) => [key, undefined]));
}
