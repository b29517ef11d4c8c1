/**
 * An OpenRTB 2.5 request as a publisher's server or a header bidding wrapper sends it to the
 * exchange. It differs from what the exchange sends in two ways: the ad space must be named, and
 * what the ad space's own configuration can fill may be left out.
 */
import type { Static, TSchema } from 'typebox';
import { BidRequestSchema } from './bid-request.ts';
import { advisory, array, ext, id, object, optional } from './fields.ts';
import { ImpSchema } from './imp.ts';
import { IMPS_MAX } from './limits.ts';
import { NativeSchema } from './native.ts';
import { nodeOf } from './schema-node.ts';
import { VideoSchema } from './video.ts';

/** Video without a duty to say what the ad space's settings say. */
export const IncomingVideoSchema = object(
  'A video on offer.',
  {
    ...VideoSchema.properties,
    mimes: optional(VideoSchema.properties.mimes),
    minduration: optional(VideoSchema.properties.minduration),
    maxduration: optional(VideoSchema.properties.maxduration),
    // As 2.2 calls it.
    deliver: VideoSchema.properties.delivery,
  },
  [],
  advisoryOf(VideoSchema, 'deliver'),
);

/** Native without a duty to bring the payload, which the ad space's settings make. It may be an object. */
export const IncomingNativeSchema = object(
  'A native ad on offer.',
  {
    ...NativeSchema.properties,
    request: ext('The native request (section 2.20), a text or an object.'),
  },
  [],
  advisoryOf(NativeSchema),
);

/** Imp whose `tagid` names the ad space. */
export const IncomingImpSchema = object(
  'An impression on offer.',
  {
    ...ImpSchema.properties,
    tagid: id('Id of the ad space.'),
    video: optional(IncomingVideoSchema),
    native: optional(IncomingNativeSchema),
  },
  [],
  advisoryOf(ImpSchema),
);
export type IncomingImp = Static<typeof IncomingImpSchema>;

/** The whole request; `validate-incoming.ts` adds the rules that span fields. */
export const IncomingRequestSchema = object(
  'A request for bids.',
  {
    ...BidRequestSchema.properties,
    imp: array(IncomingImpSchema, 'The impressions on offer.', { minItems: 1, maxItems: IMPS_MAX }),
  },
  [],
  advisoryOf(BidRequestSchema),
);
export type IncomingRequest = Static<typeof IncomingRequestSchema>;

/** What nothing depends on in an object that a request is sent in, nothing depends on here. */
function advisoryOf(schema: TSchema, ...more: readonly string[]) {
  return advisory(...(nodeOf(schema)['x-advisory'] ?? []), ...more);
}
