import type { FoundDelivery } from '../../analytics/find-auction.ts';
import { nameOf, type Names } from './names.ts';
import type { AuctionParts, NoticePart } from './parts.ts';
import type { BeaconView, NoticeView } from './schema.ts';
import { impressions, timeOf, timeText } from './wording.ts';

/** What happened to won impressions. */
export function viewBeacons({ beacons }: AuctionParts): BeaconView[] {
  return beacons.map(({ kind, imp, at_ms: atMs }) => ({
    kind,
    imp,
    at: timeOf(atMs),
    sentence: `${timeText(atMs)}: ${BEACON_CLAUSES[kind]} ${impressions([imp])}.`,
  }));
}

const BEACON_CLAUSES: Readonly<Record<BeaconView['kind'], string>> = {
  win: 'the publisher confirmed the win of',
  impression: 'the ad was shown, which is what is paid for, for',
  view: 'the ad was in view for',
  click: 'somebody clicked the ad of',
};

/** A notice as the records make it due, before it is known what became of it. */
interface DueNotice {
  readonly event: NoticeView['event'];
  readonly imp: number;
  readonly bid: number | null;
  readonly partnerId: number;
  readonly dueMs: number;
  readonly url: string;
  /** A loss unless the publisher takes the bid before it is due. */
  readonly isHeld: boolean;
}

/**
 * The notices that an auction and its beacons made due, and what became of them. The courier records
 * deliveries of wins and bills; losses it calls once, as best it can.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function viewNotices(parts: AuctionParts, names: Names, nowMs: number): NoticeView[] {
  return dueNotices(parts).map((due) => {
    const { event, imp, bid, partnerId, dueMs, url } = due;
    const delivery = due.event === 'loss' ? null : deliveryOf(due, parts.deliveries);
    const state = delivery?.outcome ?? stateOf(due, parts, nowMs);
    const partner = names.partner(partnerId);
    return {
      event,
      demand_partner: partner,
      imp,
      bid,
      url,
      due_at: timeOf(dueMs),
      state,
      tries: delivery?.tries ?? null,
      status: delivery === null || delivery.status === 0 ? null : delivery.status,
      done_at: delivery === null ? null : timeOf(delivery.at_ms),
      sentence: `${nameOf(partner)}'s ${event} notice for ${impressions([imp])} ${describeState(state, due, delivery)}.`,
    };
  });
}

function dueNotices({ atMs, isTest, notices, beacons }: AuctionParts): DueNotice[] {
  if (isTest) return [];
  const ofAuction = notices.map((notice) => dueByAuction(notice, atMs));
  const ofBeacons: DueNotice[] = [];
  for (const beacon of beacons) {
    const isCalled = beacon.kind === 'win' || beacon.kind === 'impression';
    if (!isCalled || beacon.notice_url === '') continue;
    ofBeacons.push({
      event: beacon.kind === 'win' ? 'win' : 'billing',
      imp: beacon.imp,
      bid: null,
      partnerId: beacon.demand_partner_id,
      dueMs: beacon.at_ms,
      url: beacon.notice_url,
      isHeld: false,
    });
  }
  return [...ofAuction, ...ofBeacons];
}

function dueByAuction(notice: NoticePart, atMs: number): DueNotice {
  const { event, imp, bid, demand_partner_id, unless_won_by_ms, url } = notice;
  const isHeld = event === 'loss' && unless_won_by_ms > 0;
  const dueMs = isHeld ? unless_won_by_ms : atMs;
  return { event, imp, bid, partnerId: demand_partner_id, dueMs, url, isHeld };
}

/** One that was delivered stands before one that was given up, and the first before the others. */
function deliveryOf(
  { event, imp }: DueNotice,
  deliveries: readonly FoundDelivery[],
): FoundDelivery | null {
  const own = deliveries.filter((each) => each.event === event && each.imp === imp);
  return own.find(({ outcome }) => outcome === 'delivered') ?? own[0] ?? null;
}

/** Of a notice without a record of its delivery. */
function stateOf(
  { event, imp, dueMs, isHeld }: DueNotice,
  { beacons }: AuctionParts,
  nowMs: number,
): NoticeView['state'] {
  if (event !== 'loss') return 'pending';
  if (!isHeld) return 'called_once';
  if (beacons.some((beacon) => beacon.kind === 'win' && beacon.imp === imp)) return 'not_due';
  return nowMs < dueMs ? 'held' : 'called_once';
}

function describeState(
  state: NoticeView['state'],
  { dueMs }: DueNotice,
  delivery: FoundDelivery | null,
): string {
  const done = delivery === null ? '' : ` at ${timeText(delivery.at_ms)}`;
  const tries = delivery?.tries === 1 ? '1 try' : `${delivery?.tries ?? 0} tries`;
  switch (state) {
    case 'delivered':
      return `was delivered${done} after ${tries}${answered(delivery)}`;
    case 'given_up':
      return `was given up${done} after ${tries}${answered(delivery)}`;
    case 'pending':
      return `has been due since ${timeText(dueMs)}, and is not known to be delivered yet`;
    case 'called_once':
      return `was due at ${timeText(dueMs)}; losses are called once, and what came of it is not recorded`;
    case 'held':
      return `is due at ${timeText(dueMs)} unless the publisher takes the bid before`;
    case 'not_due':
      return 'is not due, because the publisher has taken the bid';
  }
}

function answered(delivery: FoundDelivery | null): string {
  if (delivery === null || delivery.status === 0) return ' without an answer';
  return `, the last answered with HTTP status ${delivery.status}`;
}
