import { ownField } from '../base/fields.ts';
import { NO_MATCH, type Matches } from '../matching/match.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { isRecord } from '../openrtb/schema-node.ts';
import { UserSchema } from '../openrtb/user.ts';

const sendableId = createSendable(UserSchema.properties.buyeruid);
const sendableData = createSendable(UserSchema.properties.customdata);

/** The ids of a user at demand partners, by the partners' ids. */
export type Buyeruids = Readonly<Record<string, unknown>>;

/** What is known of a user's ids at all partners. */
export interface BuyerIds {
  /** As the request names them. */
  readonly named: Buyeruids | undefined;
  /** As the partners themselves have set them in the exchange's cookie. */
  readonly matches: Matches;
}

/** What a partner gets of it: its own. */
export interface OwnIds {
  readonly buyeruid: string | undefined;
  readonly customdata: string | undefined;
}

const NO_MATCHES: Matches = new Map();

/**
 * Brings together what a request says of a user's ids and what the browser's cookie has. Undefined
 * where neither has anything, as in most requests.
 */
export function gatherBuyerIds(
  user: object | undefined,
  matches: Matches = NO_MATCHES,
): BuyerIds | undefined {
  const named = readBuyeruids(user);
  return named === undefined && matches.size === 0 ? undefined : { named, matches };
}

/**
 * The partner's own id and data of the user, and nobody else's. The request's id goes before the
 * cookie's: whoever names one in a request knows who sits in front of it.
 */
export function ownIds({ named, matches }: BuyerIds, demandPartnerId: number): OwnIds {
  const { uid, customdata } = matches.get(demandPartnerId) ?? NO_MATCH;
  return {
    buyeruid: buyeruidOf(named, demandPartnerId) ?? sendableId(uid === '' ? undefined : uid),
    customdata: sendableData(customdata === '' ? undefined : customdata),
  };
}

/**
 * What partners call the user: a publisher's server, or a header bidding wrapper, names it for each
 * demand partner in `user.ext.prebid.buyeruids`. Undefined where nothing stands there.
 */
export function readBuyeruids(user: object | undefined): Buyeruids | undefined {
  if (user === undefined) return undefined;
  const ids = ownField(ownField(ownField(user, 'ext'), 'prebid'), 'buyeruids');
  return isRecord(ids) ? ids : undefined;
}

/** The partner's own id of the user, and nobody else's. */
export function buyeruidOf(
  ids: Buyeruids | undefined,
  demandPartnerId: number,
): string | undefined {
  return sendableId(ownField(ids, String(demandPartnerId)));
}
