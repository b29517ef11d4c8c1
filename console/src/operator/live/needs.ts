import type { Attention } from '../../../../src/management/status/schema.ts';
import type { BidderHealth } from '../../../../src/management/bidder-health/schema.ts';

/** One thing that needs somebody. */
export interface Need {
  readonly key: string;
  /** What is the matter. */
  readonly message: string;
  /** What to do. */
  readonly action: string;
  /** The page to do it on. */
  readonly href: string;
  readonly link: string;
  /** Money is lost while it lasts. */
  readonly isUrgent: boolean;
}

interface NeedsParts {
  readonly attention: readonly Attention[];
  readonly health: readonly Pick<
    BidderHealth,
    'demand_partner_id' | 'state' | 'sentence' | 'action'
  >[];
  readonly pendingCreatives: number;
}

/** What somebody has to look at, while nothing is lost yet. */
const CAN_WAIT: ReadonlySet<string> = new Set([
  'journal_backlog',
  'notices_late',
  'bidder_stopped',
  'bidder_unreliable',
  'certificate_expiring',
]);

const BAD_STATES: ReadonlySet<string> = new Set(['unreliable', 'failing', 'held_back', 'stopped']);

/** What needs somebody: the system first, then demand partners, then creatives that wait. */
export function needsOf({ attention, health, pendingCreatives }: NeedsParts): readonly Need[] {
  // A certificate says nothing of how the bidder does today.
  const ofHealth = attention.filter(({ code }) => !code.startsWith('certificate_'));
  const told = new Set(ofHealth.map(({ demand_partner_id: id }) => id));
  return [
    ...attention.map((each) => attentionNeed(each)),
    // What the system's attention says of a partner already is not said twice.
    ...health
      .filter(({ state, demand_partner_id: id }) => BAD_STATES.has(state) && !told.has(id))
      .map((each) => healthNeed(each)),
    ...(pendingCreatives > 0 ? [creativesNeed(pendingCreatives)] : []),
  ];
}

function attentionNeed(each: NeedsParts['attention'][number]): Need {
  const { code, node, message, action, demand_partner_id: partner } = each;
  const place =
    partner === undefined
      ? { href: '/operator/status', link: 'See the system status' }
      : { href: `/operator/demand-partners/${partner}`, link: 'Open the demand partner' };
  return {
    key: `${code} ${node ?? ''} ${partner ?? ''}`,
    message,
    action,
    ...place,
    isUrgent: !CAN_WAIT.has(code),
  };
}

function healthNeed(each: NeedsParts['health'][number]): Need {
  return {
    key: `health ${each.demand_partner_id}`,
    message: each.sentence,
    action: each.action ?? 'Look at its bidder.',
    href: `/operator/demand-partners/${each.demand_partner_id}`,
    link: 'Open the demand partner',
    isUrgent: each.state !== 'stopped',
  };
}

function creativesNeed(count: number): Need {
  return {
    key: 'creatives',
    message:
      count === 1
        ? '1 creative waits for a review.'
        : `${count.toLocaleString('en-US')} creatives wait for a review.`,
    action: 'Approve or block them: until then their bids lose.',
    href: '/operator/creatives?view=pending',
    link: 'Review creatives',
    isUrgent: false,
  };
}
