import type { NoticeEvent } from '../events/delivery-record.ts';

/** What became of notices, counted since this process began. */
export interface NoticeOutcomes {
  /** Answered, whatever the answer was but for 5xx. */
  delivered: number;
  /** Tried as long as notices are, without an answer; a loss once. */
  givenUp: number;
  /** Losses that were not tried: their destination fails or takes no more. */
  dropped: number;
}

/** How the notices of one demand partner fare. */
export interface PartnerFigures {
  readonly demandPartnerId: number;
  /** Win and billing notices that are not done yet. */
  readonly waiting: number;
  /** Destinations that fail at present. */
  readonly failing: number;
  /** Win and billing notices that were given up since this process began. */
  readonly givenUp: number;
}

/** What the courier tells of its notices. */
export interface NoticeFigures {
  readonly outcomes: Readonly<Record<NoticeEvent, Readonly<NoticeOutcomes>>>;
  /** Not done yet; of losses those that are held. */
  readonly pending: Readonly<Record<NoticeEvent, number>>;
  /** Since when the oldest win or billing notice in the store is due. */
  readonly oldestSeconds: number;
  /** Calls that were made. */
  readonly tries: number;
  /** Lanes, which are destinations of a partner, that fail at present. */
  readonly failingDestinations: number;
  /** The partners of whom there is something to tell, as many as a status may name. */
  readonly partners: PartnerFigures[];
  /** Time that the event loop spent in the store. */
  readonly storeSeconds: number;
}

/** Outcomes before anything has happened. */
export function noOutcomes(): Record<NoticeEvent, NoticeOutcomes> {
  const none = (): NoticeOutcomes => ({ delivered: 0, givenUp: 0, dropped: 0 });
  return { win: none(), billing: none(), loss: none() };
}
