import type { EventType } from './event-types.ts';

/** What an event says, before it has an id and a time. */
export interface EventDraft {
  readonly type: EventType;
  /** As JSON; everybody whom the condition concerns may know all of it. */
  readonly data: object;
}

/** Something that holds at a moment and that somebody wants to hear of once: a bidder fails. */
export interface Condition {
  /** The same as long as it is the same: `bidder 1001`. */
  readonly key: string;
  /** Whom it concerns beside the operator. */
  readonly demandPartnerId: number | null;
  readonly publisherId: number | null;
  /** Whether it concerns the operator. */
  readonly isOperators: boolean;
  /** What is sent when it begins. */
  readonly event: EventDraft;
}

/** All conditions of one kind, as they are at a moment. */
export interface Reading {
  readonly holds: readonly Condition[];
  /** Whether nobody can tell at this moment if a known condition still holds: it stays. */
  readonly keeps?: (known: Condition) => boolean;
  /** When one that still holds is told again, as it is now: where it is news, and not too soon. */
  readonly again?: {
    readonly afterMs: number;
    readonly isNews: (known: Condition, now: Condition) => boolean;
  };
  /** What is sent when a known one is over; null for nothing. */
  readonly over?: (known: Condition) => EventDraft | null;
}

/** A part of the exchange that knows conditions of one kind. */
export interface ConditionSource {
  readonly kind: string;
  /** What comes of it: it is not asked as long as nobody wants any of these. */
  readonly types: readonly EventType[];
  /** How often it is looked at. */
  readonly everyMs: number;
  /** Null where it cannot tell at this moment. */
  read(): Promise<Reading | null>;
}

/** Something of a demand partner, which concerns it and the operator. */
export function partnerCondition(
  demandPartnerId: number,
  key: string,
  event: EventDraft,
): Condition {
  return { key, demandPartnerId, publisherId: null, isOperators: true, event };
}

/** Something that concerns the operator alone. */
export function exchangeCondition(key: string, event: EventDraft): Condition {
  return { key, demandPartnerId: null, publisherId: null, isOperators: true, event };
}
