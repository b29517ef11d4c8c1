import type { BidSum, CallSum, FunnelSums } from '../../analytics/funnel.ts';
import { describeLossReason } from '../../openrtb/loss-reason.ts';
import type { DaySpan } from '../day-span.ts';
import { lossAction } from '../losses/actions.ts';
import { tellCall } from './call-actions.ts';
import type { Funnel, FunnelDrop, FunnelStep } from './schema.ts';

/** @param lineItemId null for all of the partner's together. */
export function funnelOf(sums: FunnelSums, span: DaySpan, lineItemId: number | null): Funnel {
  const drops = [...callDrops(sums.calls), ...bidDrops(sums.bids), ...winDrops(sums)];
  return {
    start_date: span.startDate,
    end_date: span.endDate,
    lineitem_id: lineItemId,
    steps: stepsOf(sums),
    drops: drops.filter(({ count }) => count > 0).toSorted(byStep),
  };
}

const ORDER: readonly FunnelDrop['before'][] = [
  'sent',
  'answered',
  'bids',
  'in_auction',
  'won',
  'billed',
];

function byStep(a: FunnelDrop, b: FunnelDrop): number {
  return ORDER.indexOf(a.before) - ORDER.indexOf(b.before) || b.count - a.count;
}

function stepsOf({ calls, bids, wins, impressions }: FunnelSums): FunnelStep[] {
  const of = (...outcomes: readonly CallSum['outcome'][]): number =>
    calls.reduce((sum, each) => sum + (outcomes.includes(each.outcome) ? each.calls : 0), 0);
  const sent = of('bid', 'no_bid', 'timeout', 'error');
  const inAuction = sumOf(bids, 'inAuction');
  const step = (
    name: FunnelStep['step'],
    count: number,
    carried = 0,
    requests: number | null = null,
  ): FunnelStep => {
    const { unit, meaning } = STEPS[name];
    return { step: name, count, unit, requests, carried_over: Math.max(0, carried), meaning };
  };
  return [
    step('matched', sent + of('throttled')),
    step('sent', sent),
    step('answered', of('bid', 'no_bid')),
    step('bids', sumOf(bids, 'bids'), 0, of('bid')),
    step('in_auction', inAuction),
    step('won', wins, wins - wonBids(bids)),
    step('billed', impressions, impressions - wins),
  ];
}

const STEPS: Readonly<Record<FunnelStep['step'], Pick<FunnelStep, 'unit' | 'meaning'>>> = {
  matched: {
    unit: 'bid requests',
    meaning: 'Bid requests that targeting allowed, those included that were held back.',
  },
  sent: { unit: 'bid requests', meaning: 'Bid requests that were sent to your bidder.' },
  answered: { unit: 'bid requests', meaning: 'Bid requests that were answered in time.' },
  bids: {
    unit: 'bids',
    meaning: 'Bids in the answers; one answer may have several.',
  },
  in_auction: { unit: 'bids', meaning: 'Bids that were valid, above the floor, and competed.' },
  won: {
    unit: 'bids',
    meaning: 'Bids that won; where the publisher decides, once a beacon has confirmed it.',
  },
  billed: { unit: 'impressions', meaning: 'Impressions that were counted, which is what you pay.' },
};

function sumOf(bids: readonly BidSum[], what: 'bids' | 'inAuction'): number {
  return bids.reduce((sum, each) => sum + each[what], 0);
}

/** Of the auctions, confirmed or not. */
function wonBids(bids: readonly BidSum[]): number {
  return bids.reduce((sum, each) => sum + (each.lossReason === 0 ? each.inAuction : 0), 0);
}

const NOT_REACHED = {
  throttled: 'sent',
  timeout: 'answered',
  error: 'answered',
  no_bid: 'bids',
} as const;

function callDrops(calls: readonly CallSum[]): FunnelDrop[] {
  const timeouts = calls.reduce(
    (sum, each) => sum + (each.outcome === 'timeout' ? each.calls : 0),
    0,
  );
  const others = calls.filter(({ outcome }) => outcome !== 'timeout');
  const all = [...others, { outcome: 'timeout', reason: '', calls: timeouts } as const];
  return all.flatMap(({ outcome, reason, calls: count }): FunnelDrop[] => {
    if (outcome === 'bid') return [];
    return [
      {
        before: NOT_REACHED[outcome],
        code: reason === '' ? outcome : reason,
        count,
        unit: 'bid requests',
        ...tellCall({ outcome, reason }),
        auction_filter: outcome === 'timeout' ? { outcome } : { outcome, reason },
      },
    ];
  });
}

function bidDrops(bids: readonly BidSum[]): FunnelDrop[] {
  return bids.flatMap(({ lossReason, bids: all, inAuction }) => {
    const lost = lossReason === 0 ? 0 : inAuction;
    return (
      [
        ['in_auction', all - inAuction],
        ['won', lost],
      ] as const
    ).map(([before, count]): FunnelDrop => ({
      before,
      code: String(lossReason),
      count,
      unit: 'bids',
      meaning: describeLossReason(lossReason),
      action: lossAction(lossReason),
      auction_filter: { loss_reason: lossReason },
    }));
  });
}

function winDrops({ bids, wins, impressions }: FunnelSums): FunnelDrop[] {
  const drop = { unit: 'bids', auction_filter: { loss_reason: 0 } } as const;
  return [
    {
      ...drop,
      before: 'won',
      code: 'not_confirmed',
      count: wonBids(bids) - wins,
      meaning:
        'The bid came first where the publisher decides, and no beacon has confirmed it yet.',
      action:
        'Wait an hour, or your `exp`; ask the operator about publishers that seldom take your bids.',
    },
    {
      ...drop,
      before: 'billed',
      code: 'no_impression',
      count: wins - impressions,
      meaning: 'The bid won, and its impression has not been counted yet or never will be.',
      action:
        'Wait four hours; then check that your markup loads fast and calls nothing that stops it from being shown.',
    },
  ];
}
