import { ownField } from '../base/fields.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { isRecord } from '../openrtb/schema-node.ts';
import { UserSchema } from '../openrtb/user.ts';

const sendableId = createSendable(UserSchema.properties.buyeruid);

/** The ids of a user at demand partners, by the partners' ids. */
export type Buyeruids = Readonly<Record<string, unknown>>;

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
