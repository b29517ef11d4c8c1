/**
 * OpenRTB 2.5 and 2.2: the public entry of `rialto/openrtb`, and what `package.json` exports. It
 * stands for the library's users outside; inside the project modules are imported by themselves.
 * `docs/guides/openrtb-library.md` shows its use.
 */

// Validators, in both directions.
export { validateIncomingRequest } from './validate-incoming.ts';
export { validateOutgoingRequest } from './validate-outgoing.ts';
export {
  validateBidResponse,
  type MalformedBid,
  type ReceivedBid,
  type ReceivedResponse,
} from './validate-response.ts';
export { explainNativeAd, explainNativeSizes } from './native-compliance.ts';
export { readNativeRequest, readNativeResponse } from './read-native.ts';
export { kindOfMarkup, protocolOfVast, versionOfVast, type MarkupKind } from './markup.ts';
export { createSendable } from './sendable.ts';
export { describeProblems, type Checked, type Problem } from '../base/problem.ts';
export type { OpenRtbVersion } from './version.ts';

// The objects of 2.5, and of what publishers send.
export {
  BidRequestSchema,
  RegsSchema,
  SourceSchema,
  type BidRequest,
  type Regs,
  type Source,
} from './bid-request.ts';
export {
  IncomingImpSchema,
  IncomingRequestSchema,
  type IncomingImp,
  type IncomingRequest,
} from './incoming-request.ts';
export { ImpSchema, MetricSchema, type Imp, type Metric } from './imp.ts';
export { BannerSchema, CompanionSchema, FormatSchema, type Banner, type Format } from './banner.ts';
export { AudioSchema, VideoSchema, type Audio, type Video } from './video.ts';
export { NativeSchema, type Native } from './native.ts';
export { DealSchema, PmpSchema, type Deal, type Pmp } from './pmp.ts';
export { SiteSchema, type Site } from './site.ts';
export { AppSchema, type App } from './app.ts';
export { PublisherSchema, type Publisher } from './publisher.ts';
export { ContentSchema, ProducerSchema, type Content, type Producer } from './content.ts';
export { DeviceSchema, GeoSchema, type Device, type Geo } from './device.ts';
export { UserSchema, type User } from './user.ts';
export { DataSchema, SegmentSchema, type Data, type Segment } from './data.ts';
export {
  BidRequestExt22Schema,
  RegsExtSchema,
  SourceExtSchema,
  UserExtSchema,
  VideoExtSchema,
} from './outgoing-ext.ts';

// The answers.
export {
  Bid22Schema,
  BidResponseSchema,
  BidSchema,
  SeatBidSchema,
  type Bid,
  type Bid22,
  type BidResponse,
  type SeatBid,
} from './bid-response.ts';

// Native 1.1, which travels as text.
export {
  NativeAssetRequestSchema,
  NativeRequestSchema,
  type NativeAssetRequest,
  type NativeRequest,
} from './native-request.ts';
export {
  NativeAssetSchema,
  NativeResponseSchema,
  type NativeAsset,
  type NativeResponse,
} from './native-response.ts';

// What 2.2 has otherwise.
export {
  Banner22Schema,
  Companion22Schema,
  BidRequest22Schema,
  Device22Schema,
  Geo22Schema,
  Imp22Schema,
  ImpExt22Schema,
  Site22Schema,
  User22Schema,
  Video22Schema,
  type Banner22,
  type BidRequest22,
  type Device22,
  type Geo22,
  type Imp22,
  type Site22,
  type User22,
  type Video22,
} from './bid-request-22.ts';

// All objects and lists as tables, and what the annotations of a schema say.
export { OBJECTS, type ProtocolObject } from './objects.ts';
export { INDUSTRY_LISTS, LISTS } from './lists.ts';
export { listedValues, meaningOf, type EnumeratedList } from './enumerated-list.ts';
export { Origin, type Filling } from './filling.ts';
export { nodeOf, type OnlyWith, type SchemaNode } from './schema-node.ts';

// The lists one by one: a const object of the values, and their meanings.
export * from './audio-lists.ts';
export * from './content-lists.ts';
export * from './creative-lists.ts';
export * from './device-lists.ts';
export * from './native-lists.ts';
export * from './video-lists.ts';
export { describeNoBidReason, NO_BID_REASONS, NoBidReason } from './no-bid-reason.ts';
export { describeLossReason, LOSS_REASONS, LossReason } from './loss-reason.ts';

// Codes.
export {
  belongsToCategory,
  CONTENT_CATEGORIES,
  nameOfCategory,
  parentOfCategory,
} from './content-taxonomy.ts';
export { ALPHA_2_LANGUAGES, ALPHA_3_COUNTRIES } from './iso-codes.ts';
