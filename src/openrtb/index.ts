/**
 * OpenRTB 2.6, 2.5 and 2.2: the public entry of `rialto/openrtb`, and what `package.json` exports. It
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
export { VERSIONS, type OpenRtbVersion } from './versions.ts';
export type { Variation } from './schema-node.ts';
export { schemaIn } from './schema-in.ts';
export {
  convertBidRequest,
  convertBidResponse,
  createConverter,
  type Converted,
  type Lost,
} from './convert.ts';

// The objects, each with the fields of all versions, and what publishers send.
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
export {
  ImpSchema,
  MetricSchema,
  RefreshSchema,
  RefSettingsSchema,
  type Imp,
  type Metric,
} from './imp.ts';
export { BannerSchema, CompanionSchema, FormatSchema, type Banner, type Format } from './banner.ts';
export { AudioSchema, VideoExtSchema, VideoSchema, type Audio, type Video } from './video.ts';
export { NativeSchema, type Native } from './native.ts';
export { DealSchema, PmpSchema, type Deal, type Pmp } from './pmp.ts';
export { SiteSchema, type Site } from './site.ts';
export { AppSchema, type App } from './app.ts';
export { PublisherSchema, type Publisher } from './publisher.ts';
export {
  ChannelSchema,
  ContentSchema,
  NetworkSchema,
  ProducerSchema,
  type Content,
  type Producer,
} from './content.ts';
export {
  BrandVersionSchema,
  DeviceSchema,
  GeoSchema,
  UserAgentSchema,
  type Device,
  type Geo,
  type UserAgent,
} from './device.ts';
export { EidSchema, UidSchema, UserSchema, type Eid, type User } from './user.ts';
export { DataSchema, SegmentSchema, type Data, type Segment } from './data.ts';
export { SupplyChainNodeSchema, SupplyChainSchema, type SupplyChain } from './supply-chain.ts';
export { DurFloorsSchema } from './pods.ts';

// The answers.
export {
  BidResponseSchema,
  BidSchema,
  SeatBidSchema,
  type Bid,
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
export * from './later-lists.ts';
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
