import type { ShownDemandPartner } from '../../../src/management/demand-partners/schema.ts';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import type { BidderHealth } from '../../../src/management/bidder-health/schema.ts';

/** Something without which a demand partner buys nothing, or less. */
export interface Need {
  readonly title: string;
  readonly text: string;
  /** Below the partner's pages: `/bidder`. Null where it is not theirs to do. */
  readonly page: string | null;
  readonly label: string;
}

interface NeedParts {
  readonly partner: Pick<ShownDemandPartner, 'status' | 'stopped'>;
  readonly hasBidder: boolean;
  readonly lineItems: readonly Pick<ShownLineItem, 'status'>[];
  /** Null as long as it is not known. */
  readonly health: Pick<BidderHealth, 'state' | 'sentence' | 'action'> | null;
}

/** What is said of a bidder that somebody should look at. */
const HEALTH_TITLES: Readonly<Partial<Record<BidderHealth['state'], string>>> = {
  unreliable: 'The bidder loses calls',
  failing: 'The bidder is failing',
  held_back: 'The bidder is held back',
};

/** What needs action, what stands in the way of the rest first. */
export function needsOf({ partner, hasBidder, lineItems, health }: NeedParts): readonly Need[] {
  const needs: Need[] = [];
  if (partner.stopped !== null) {
    const text = `The operator says: ${partner.stopped.reason}`;
    needs.push({
      title: 'All calls to the bidder are stopped',
      text,
      page: '/bidder',
      label: 'Bidder',
    });
  }
  if (partner.status !== 'ACTIVE') {
    const text = 'Nothing is sent to its bidder. The operator of the exchange can activate it.';
    const title = `This demand partner is ${partner.status.toLowerCase()}`;
    needs.push({ title, text, page: null, label: '' });
  }
  if (!hasBidder) {
    const text = 'The exchange does not know yet where to ask for bids.';
    needs.push({ title: 'No bidder is set', text, page: '/bidder', label: 'Set the bidder' });
  }
  if (!lineItems.some(({ status }) => status === 'ACTIVE')) {
    const text = 'Without one no bid request is sent.';
    needs.push({ title: 'No line item is active', text, page: '/line-items', label: 'Line items' });
  }
  const title = health === null ? undefined : HEALTH_TITLES[health.state];
  if (health !== null && title !== undefined) {
    const text = [health.sentence, health.action ?? ''].join(' ').trim();
    needs.push({ title, text, page: '/bidder', label: 'Bidder' });
  }
  return needs;
}
