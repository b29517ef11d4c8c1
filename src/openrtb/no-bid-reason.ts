import { meaningOf, type EnumeratedList } from './enumerated-list.ts';

/** List 5.24: the `nbr` of a bid response. */
export const NoBidReason = {
  UnknownError: 0,
  TechnicalError: 1,
  InvalidRequest: 2,
  KnownWebSpider: 3,
  SuspectedNonHumanTraffic: 4,
  CloudDatacenterOrProxyIp: 5,
  UnsupportedDevice: 6,
  BlockedPublisherOrSite: 7,
  UnmatchedUser: 8,
} as const;
export type NoBidReason = (typeof NoBidReason)[keyof typeof NoBidReason];

export const NO_BID_REASONS: EnumeratedList<NoBidReason> = {
  section: '5.24',
  title: 'No-bid reasons',
  meanings: {
    [NoBidReason.UnknownError]: 'Unknown error',
    [NoBidReason.TechnicalError]: 'Technical error',
    [NoBidReason.InvalidRequest]: 'Invalid request',
    [NoBidReason.KnownWebSpider]: 'Known web spider',
    [NoBidReason.SuspectedNonHumanTraffic]: 'Suspected non-human traffic',
    [NoBidReason.CloudDatacenterOrProxyIp]: 'Cloud, datacenter or proxy IP',
    [NoBidReason.UnsupportedDevice]: 'Unsupported device',
    [NoBidReason.BlockedPublisherOrSite]: 'Blocked publisher or site',
    [NoBidReason.UnmatchedUser]: 'Unmatched user',
  },
};

/** What a bidder's `nbr` means; bidders also send numbers that the list does not name. */
export function describeNoBidReason(code: number): string {
  return meaningOf(NO_BID_REASONS, code) ?? `No-bid reason ${code}, which list 5.24 does not name`;
}
