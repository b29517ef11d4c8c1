import { Button, Group, Paper, Switch, Text, TextInput } from '@mantine/core';
import { useParams, useNavigate } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { roleOf, useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useNow } from '../parts/use-now.ts';
import { useSearchOf, type ChangeSearch } from '../parts/use-search-of.ts';
import type { ListedAuction } from '../../../src/management/auctions/list-schema.ts';
import { AuctionFilters } from './auction-filters.tsx';
import { AuctionTable } from './auction-table.tsx';
import {
  filterCount,
  isNewest,
  olderOf,
  questionOf,
  readAuctionSearch,
  type AuctionSearch,
} from './list-search.ts';
import { auctionsRootOf } from './names.ts';

const PATH = '/api/auctions/';
const LIVE_MS = 5_000;
const MINUTE_MS = 60_000;

/** Recent auctions, the newest first: the operator's, or the parts that are a demand partner's. */
export function AuctionListPage() {
  const { demandPartnerId } = useParams({ strict: false });
  const isOperator = roleOf(useSession()) === 'operator';
  const [search, change] = useSearchOf(readAuctionSearch);
  const nowMs = useNow(MINUTE_MS);
  const isLive = search.live !== undefined && isNewest(search);
  // An operator who looks at a partner sees what that partner took part in.
  const partner =
    isOperator && demandPartnerId !== undefined ? { demand_partner_id: demandPartnerId } : {};
  const asked = useAsk(
    PATH,
    { ...questionOf(search, nowMs), ...partner },
    { untilRows: true, ...(isLive ? { everyMs: LIVE_MS } : {}) },
  );
  const root = auctionsRootOf(demandPartnerId);
  return (
    <>
      <PageHeader
        title="Auctions"
        description={
          demandPartnerId === undefined
            ? 'Who was called, who bid what, and why the best bid won: auction by auction, for two weeks.'
            : 'The auctions that the bidder was called for, or would have been: what it was told, what it answered, and what became of it.'
        }
        actions={<JumpToAuction root={root} />}
      />
      <AuctionFilters
        search={search}
        change={change}
        isOperator={isOperator}
        partnerId={demandPartnerId}
      />
      <Group justify="space-between" mb="xs" mih={36}>
        <Switch
          label={isNewest(search) ? 'Live, every 5 seconds' : 'Live, of the newest alone'}
          checked={isLive}
          disabled={!isNewest(search)}
          onChange={({ currentTarget }) =>
            change({ live: currentTarget.checked ? '1' : undefined })
          }
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<RefreshCw size={14} aria-hidden />}
          loading={asked.isFetching && !isLive}
          onClick={() => void asked.refetch()}
        >
          Refresh
        </Button>
      </Group>
      <Paper p="xs">
        <Loaded asked={asked} skeleton={<TableSkeleton rows={12} />}>
          {(auctions, { next }) => (
            <>
              {auctions.length === 0 ? (
                <NoAuctions search={search} change={change} />
              ) : (
                <AuctionTable
                  auctions={
                    demandPartnerId === undefined
                      ? auctions
                      : ownOf(auctions, Number(demandPartnerId))
                  }
                  root={root}
                  shows={demandPartnerId === undefined ? 'all' : 'own'}
                />
              )}
              <Pages next={next} search={search} change={change} />
            </>
          )}
        </Loaded>
      </Paper>
    </>
  );
}

/** What is one demand partner's: operators are listed everybody's calls and bids. */
function ownOf(auctions: readonly ListedAuction[], partnerId: number): readonly ListedAuction[] {
  const isOwn = ({
    demand_partner: { id },
  }: {
    readonly demand_partner: { readonly id: number };
  }) => id === partnerId;
  return auctions.map((auction) =>
    Object.assign({}, auction, {
      calls: auction.calls.filter(isOwn),
      bids: auction.bids.filter(isOwn),
    }),
  );
}

interface PagesProps {
  readonly next: string | null;
  readonly search: AuctionSearch;
  readonly change: ChangeSearch<AuctionSearch>;
}

/** Steps back in time; the browser's own way back leads to the newer ones. */
function Pages({ next, search, change }: PagesProps) {
  return (
    <Group justify="space-between" mt="xs" px="xs" mih={36}>
      <Button
        variant="default"
        size="xs"
        disabled={isNewest(search)}
        onClick={() =>
          change({ from: undefined, to: undefined, before: undefined }, { isStep: true })
        }
      >
        Newest
      </Button>
      {next === null && (
        <Text size="sm" c="dimmed">
          These are all of that time.
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        disabled={next === null}
        onClick={() => {
          if (next === null) return;
          change(olderOf(next), { isStep: true });
          window.scrollTo({ top: 0 });
        }}
      >
        Older
      </Button>
    </Group>
  );
}

interface NoAuctionsProps {
  readonly search: AuctionSearch;
  readonly change: ChangeSearch<AuctionSearch>;
}

function NoAuctions({ search, change }: NoAuctionsProps) {
  const isFiltered = filterCount(search) > 0;
  return (
    <EmptyState
      title={isFiltered ? 'No auction is like that' : 'No auctions in this time'}
      action={
        isFiltered ? undefined : (
          <Button variant="default" onClick={() => change({ window: '12h', day: undefined })}>
            Look at 12 hours
          </Button>
        )
      }
    >
      {isFiltered
        ? 'Take a filter out, or look at a longer time.'
        : 'They are listed a few seconds after they are held. Look at a longer time, or at another day.'}
    </EmptyState>
  );
}

/** An auction, or one of its bid requests: `BidRequest.id` begins with the id of its auction. */
const ID = /^([0-9a-f]{32})\d*$/;

/** Opens an auction by an id that somebody has from their log. */
function JumpToAuction({ root }: { readonly root: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = ID.exec(typed.trim().toLowerCase())?.[1];
        if (id !== undefined) void navigate({ to: `${root}/${id}` });
        else setProblem('An id is 32 digits and letters from a to f.');
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Auction id or BidRequest.id"
          placeholder="Auction id or BidRequest.id"
          w={{ base: 240, sm: 300 }}
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setProblem(null);
          }}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          Open
        </Button>
      </Group>
    </form>
  );
}
