import type { Pulse } from '../../analytics/traffic.ts';
import type { BidderHealth } from '../bidder-health/schema.ts';
import type { Attention } from './schema.ts';

/** What is known of traffic and of bidders. */
export interface MarketFigures {
  /** Of the last day, and of the last five minutes. */
  readonly pulse: Pulse;
  readonly bidders: readonly Pick<
    BidderHealth,
    'demand_partner_id' | 'name' | 'state' | 'sentence' | 'action'
  >[];
}

/** Ad requests of five minutes of which none is sold, and that is no accident. */
const UNSOLD_MIN = 100;

const CODES: Readonly<Partial<Record<BidderHealth['state'], Attention['code']>>> = {
  unreliable: 'bidder_unreliable',
  failing: 'bidder_failing',
  held_back: 'bidder_failing',
  stopped: 'bidder_stopped',
};

/** What is wrong with traffic and with bidders. */
export function ofMarket({ pulse, bidders }: MarketFigures): Attention[] {
  const found: Attention[] = [];
  if (pulse.requests > 0 && pulse.recentRequests === 0) {
    found.push({
      code: 'no_traffic',
      node: null,
      message: `No ad request has come in the last five minutes; on the day before there were ${pulse.requests.toLocaleString('en-US')}.`,
      action:
        'See whether publishers reach the exchange, and whether its nodes hand over their records.',
    });
  }
  if (pulse.recentRequests >= UNSOLD_MIN && pulse.recentFilled === 0) {
    found.push({
      code: 'nothing_sold',
      node: null,
      message: `None of ${pulse.recentRequests.toLocaleString('en-US')} ad requests of the last five minutes was sold.`,
      action: 'Look at the health of the bidders, and at an auction: it says why bids lost.',
    });
  }
  for (const bidder of bidders) {
    const { state, demand_partner_id: id, sentence, action } = bidder;
    const code = CODES[state];
    if (code === undefined) continue;
    found.push({
      code,
      node: null,
      demand_partner_id: id,
      message: `Demand partner ${id}: ${sentence}`,
      action: action ?? 'Send the bidder a test request.',
    });
  }
  return found;
}
