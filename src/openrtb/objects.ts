/**
 * Every object of the protocol with its schema in each version, in the order of the spec's section 2:
 * what documents the fields and checks them is driven by this table.
 */
import type { TObject } from 'typebox';
import { AppSchema } from './app.ts';
import { BannerSchema, CompanionSchema, FormatSchema } from './banner.ts';
import { BidRequestSchema, RegsSchema, SourceSchema } from './bid-request.ts';
import { BidResponseSchema, BidSchema, SeatBidSchema } from './bid-response.ts';
import { ChannelSchema, ContentSchema, NetworkSchema, ProducerSchema } from './content.ts';
import { DataSchema, SegmentSchema } from './data.ts';
import { BrandVersionSchema, DeviceSchema, GeoSchema, UserAgentSchema } from './device.ts';
import { ImpSchema, MetricSchema, RefreshSchema, RefSettingsSchema } from './imp.ts';
import {
  NativeAssetRequestSchema,
  NativeDataRequestSchema,
  NativeImageRequestSchema,
  NativeRequestSchema,
  NativeTitleRequestSchema,
} from './native-request.ts';
import { NativeSchema } from './native.ts';
import { DealSchema, PmpSchema } from './pmp.ts';
import { DurFloorsSchema } from './pods.ts';
import { PublisherSchema } from './publisher.ts';
import { schemaIn } from './schema-in.ts';
import { isRecord, nodeOf, type SchemaNode } from './schema-node.ts';
import { SiteSchema } from './site.ts';
import { SupplyChainNodeSchema, SupplyChainSchema } from './supply-chain.ts';
import { EidSchema, UidSchema, UserSchema } from './user.ts';
import { VERSIONS, type OpenRtbVersion } from './versions.ts';
import { AudioSchema, VideoSchema } from './video.ts';

/** An object of the protocol. */
export interface ProtocolObject {
  /** As the spec names it; the extension of an object is `Object.ext`. */
  readonly name: string;
  /** Section of the spec. */
  readonly section: string;
  /** The table of all versions; none of what an extension carries. */
  readonly schema?: SchemaNode;
  /** Its schemas by version; none where the version does not have it. */
  readonly versions: { readonly [Version in OpenRtbVersion]?: SchemaNode };
}

export const OBJECTS: readonly ProtocolObject[] = [
  ...object('BidRequest', '2.1', BidRequestSchema),
  ...object('Source', '2.2', SourceSchema, '2.5'),
  ...object('SupplyChain', 'OpenRTB 2.6, 3.2.25', SupplyChainSchema),
  ...object('SupplyChainNode', 'OpenRTB 2.6, 3.2.26', SupplyChainNodeSchema),
  ...object('Regs', '2.3', RegsSchema),
  ...object('Imp', '2.4', ImpSchema),
  ...object('Metric', '2.5', MetricSchema, '2.5'),
  ...object('Banner', '2.6', BannerSchema),
  ...object('Companion', '2.6', CompanionSchema),
  ...object('Video', '2.7', VideoSchema),
  ...object('DurFloors', 'OpenRTB 2.6, 3.2.35', DurFloorsSchema, '2.6'),
  ...object('Audio', '2.8', AudioSchema, '2.5'),
  ...object('Native', '2.9', NativeSchema),
  ...object('Format', '2.10', FormatSchema, '2.5'),
  ...object('Pmp', '2.11', PmpSchema),
  ...object('Deal', '2.12', DealSchema),
  ...object('Refresh', 'OpenRTB 2.6, 3.2.33', RefreshSchema, '2.6'),
  ...object('RefSettings', 'OpenRTB 2.6, 3.2.34', RefSettingsSchema, '2.6'),
  ...object('Site', '2.13', SiteSchema),
  ...object('App', '2.14', AppSchema),
  ...object('Publisher', '2.15', PublisherSchema),
  ...object('Content', '2.16', ContentSchema),
  ...object('Producer', '2.16', ProducerSchema),
  ...object('Network', 'OpenRTB 2.6, 3.2.23', NetworkSchema, '2.6'),
  ...object('Channel', 'OpenRTB 2.6, 3.2.24', ChannelSchema, '2.6'),
  ...object('Device', '2.17', DeviceSchema),
  ...object('UserAgent', 'OpenRTB 2.6, 3.2.29', UserAgentSchema, '2.6'),
  ...object('BrandVersion', 'OpenRTB 2.6, 3.2.30', BrandVersionSchema, '2.6'),
  ...object('Geo', '2.18', GeoSchema),
  ...object('User', '2.19', UserSchema),
  ...object('EID', 'OpenRTB 2.6, 3.2.27', EidSchema, '2.5'),
  ...object('UID', 'OpenRTB 2.6, 3.2.28', UidSchema, '2.5'),
  ...object('Data', '2.19', DataSchema),
  ...object('Segment', '2.19', SegmentSchema),
  ...object('Native request', '2.20', NativeRequestSchema),
  ...object('Native asset', '2.20', NativeAssetRequestSchema),
  ...object('Native title', '2.20', NativeTitleRequestSchema),
  ...object('Native image', '2.20', NativeImageRequestSchema),
  ...object('Native data', '2.20', NativeDataRequestSchema),
  ...object('BidResponse', '2.21', BidResponseSchema),
  ...object('SeatBid', '2.21', SeatBidSchema),
  ...object('Bid', '2.21', BidSchema),
];

/** An object with the first version that has it, and what its extension carries in some of them. */
function object(
  name: string,
  section: string,
  schema: TObject,
  since: OpenRtbVersion = '2.2',
): ProtocolObject[] {
  const versions = VERSIONS.filter((version) => version >= since);
  const own = versions.map((version) => [version, schemaIn(schema, version)] as const);
  const carried = own.flatMap(([version, { properties }]) => {
    const ext = properties?.['ext']?.['x-outgoing'];
    return isRecord(ext)
      ? [[version, { ...ext, description: `Extension of ${name}.` }] as const]
      : [];
  });
  const objects = [{ name, section, schema: nodeOf(schema), versions: Object.fromEntries(own) }];
  if (carried.length === 0) return objects;
  return [...objects, { name: `${name}.ext`, section, versions: Object.fromEntries(carried) }];
}
