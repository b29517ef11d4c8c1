import { ownField } from '../base/fields.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { UserSchema } from '../openrtb/user.ts';

const sendableId = createSendable(UserSchema.properties.buyeruid);

/**
 * What a partner calls the user: a publisher's server, or a header bidding wrapper, names it for each
 * demand partner in `user.ext.prebid.buyeruids`, by the partner's id. A partner gets its own alone.
 */
export function buyeruidOf(user: object | undefined, demandPartnerId: number): string | undefined {
  const ids = ownField(ownField(ownField(user, 'ext'), 'prebid'), 'buyeruids');
  return ids === undefined ? undefined : sendableId(ownField(ids, String(demandPartnerId)));
}
