/**
 * An OpenRTB request as a publisher's server or a header bidding wrapper sends it to the exchange, in
 * any version. It differs from what the exchange sends in two ways: the ad space must be named, and
 * what the ad space's own configuration can fill may be left out.
 */
import type { Static, TSchema } from 'typebox';
import { BidRequestSchema, RegsSchema, SourceSchema } from './bid-request.ts';
import { array, ext, id, object, optional, required } from './fields.ts';
import { ImpSchema } from './imp.ts';
import { IMPS_MAX } from './limits.ts';
import { NativeSchema } from './native.ts';
import { isRecord, nodeOf } from './schema-node.ts';
import { UserSchema } from './user.ts';
import { VideoSchema } from './video.ts';

/** Video without a duty to say what the ad space's settings say. */
export const IncomingVideoSchema = object('A video on offer.', {
  ...VideoSchema.properties,
  mimes: optional(VideoSchema.properties.mimes),
  // As 2.2 calls it.
  deliver: VideoSchema.properties.delivery,
});

/** Native without a duty to bring the payload, which the ad space's settings make. It may be an object. */
export const IncomingNativeSchema = object('A native ad on offer.', {
  ...NativeSchema.properties,
  request: ext('The native request (section 2.20), a text or an object.'),
});

/** Imp whose `tagid` names the ad space. */
export const IncomingImpSchema = object('An impression on offer.', {
  ...ImpSchema.properties,
  tagid: required(id('Id of the ad space.')),
  video: optional(IncomingVideoSchema),
  native: optional(IncomingNativeSchema),
});
export type IncomingImp = Static<typeof IncomingImpSchema>;

/** The whole request; `validate-incoming.ts` adds the rules that span fields. */
export const IncomingRequestSchema = object('A request for bids.', {
  ...BidRequestSchema.properties,
  imp: required(
    array(IncomingImpSchema, 'The impressions on offer.', { minItems: 1, maxItems: IMPS_MAX }),
  ),
  // What decides about privacy is judged in all places where it may stand (`incoming-privacy.ts`),
  // and a supply chain that cannot be read is a broken one, not none (`describe-source.ts`).
  regs: optional(
    object('Regulations that apply to the request.', {
      ...RegsSchema.properties,
      gdpr: unread(RegsSchema.properties.gdpr),
      us_privacy: unread(RegsSchema.properties.us_privacy),
      gpp: unread(RegsSchema.properties.gpp),
      gpp_sid: unread(RegsSchema.properties.gpp_sid),
    }),
  ),
  user: optional(
    object('The person who sees the ad.', {
      ...UserSchema.properties,
      consent: unread(UserSchema.properties.consent),
    }),
  ),
  source: optional(
    object('Where the request comes from.', {
      ...SourceSchema.properties,
      schain: unread(SourceSchema.properties.schain),
    }),
  ),
});
export type IncomingRequest = Static<typeof IncomingRequestSchema>;

/** Anything, until a named decoder reads it. */
function unread(field: TSchema) {
  const node = nodeOf(field);
  const outgoing = node['x-outgoing'];
  return ext(node.description, isRecord(outgoing) ? { ...node, ...outgoing } : node);
}
