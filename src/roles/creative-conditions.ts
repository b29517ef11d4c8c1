import { ownField } from '../base/fields.ts';
import type { CreativeFinder } from '../management/creatives/routes.ts';
import { showInstant } from '../management/shown.ts';
import type { Condition, ConditionSource } from '../subscriptions/condition.ts';

/** What reads the creatives of ninety days. */
const EVERY_MS = 60_000;
/** The creatives seen last that are looked at. */
const CREATIVES_MAX = 500;
/** Those that an event names: the newest. */
const NAMED_MAX = 10;
/** A bidder may send a new creative with each bid: whoever reviews is told of all of an hour at once. */
const AGAIN_AFTER_MS = 3_600_000;

type Creative = Awaited<ReturnType<CreativeFinder>>['creatives'][number];

/** What of one partner waits for one reviewer. */
interface Waiting {
  readonly demandPartnerId: number;
  /** Null for what the operator reviews. */
  readonly publisherId: number | null;
  readonly creatives: Creative[];
  newestMs: number;
}

/**
 * Creatives that await review: one condition for each demand partner and reviewer. Newer ones are told
 * of again, an hour after the last time at the earliest.
 */
export function creativeSource(findCreatives: CreativeFinder): ConditionSource {
  return {
    kind: 'creative',
    types: ['creative.awaiting_review'],
    everyMs: EVERY_MS,
    read: async () => {
      const page = { limit: CREATIVES_MAX, offset: 0 };
      const { creatives, total } = await findCreatives({ pending: true }, page);
      const isAll = total <= CREATIVES_MAX;
      return {
        holds: gather(creatives).map((waiting) => conditionOf(waiting, isAll)),
        // One that is not among them may still wait.
        keeps: () => !isAll,
        again: {
          afterMs: AGAIN_AFTER_MS,
          isNews: (known, now) => newestOf(now) > newestOf(known),
        },
      };
    },
  };
}

function gather(creatives: readonly Creative[]): Waiting[] {
  const found = new Map<string, Waiting>();
  for (const creative of creatives) {
    for (const place of creative.places) {
      if (place.verdict !== 'pending') continue;
      const publisherId = place.by === 'operator' ? null : place.publisher_id;
      const { demand_partner_id: demandPartnerId } = creative;
      const key = `${demandPartnerId} ${publisherId}`;
      const waiting = found.get(key) ?? {
        demandPartnerId,
        publisherId,
        creatives: [],
        newestMs: 0,
      };
      found.set(key, waiting);
      if (waiting.creatives.at(-1) !== creative) waiting.creatives.push(creative);
      waiting.newestMs = Math.max(waiting.newestMs, place.first_seen_ms);
    }
  }
  return [...found.values()];
}

function conditionOf(
  { demandPartnerId, publisherId, creatives, newestMs }: Waiting,
  isAll: boolean,
): Condition {
  const newest = creatives.toSorted((a, b) => b.first_seen_ms - a.first_seen_ms);
  const data = {
    demand_partner_id: demandPartnerId,
    publisher_id: publisherId,
    by: publisherId === null ? 'operator' : 'publisher',
    waiting: creatives.length,
    is_all: isAll,
    newest_seen_at: showInstant(newestMs),
    creatives: newest
      .slice(0, NAMED_MAX)
      .map(({ crid, adomain, ad_format }) => ({ crid, adomain, ad_format })),
  };
  return {
    key: `creative ${demandPartnerId} ${publisherId ?? ''}`,
    demandPartnerId,
    publisherId,
    isOperators: publisherId === null,
    event: { type: 'creative.awaiting_review', data },
  };
}

/** Instants are written so that they sort as texts. */
function newestOf({ event: { data } }: Condition): string {
  return String(ownField(data, 'newest_seen_at'));
}
