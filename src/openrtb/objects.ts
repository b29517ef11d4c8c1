/**
 * Every object of the protocol with its schema in both versions, in the order of the spec's section 2:
 * what documents the fields and checks them is driven by this table.
 */
import type { TObject } from 'typebox';
import { AppSchema } from './app.ts';
import { BannerSchema, CompanionSchema, FormatSchema } from './banner.ts';
import {
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
} from './bid-request-22.ts';
import { BidRequestSchema, RegsSchema, SourceSchema } from './bid-request.ts';
import { Bid22Schema, BidResponseSchema, BidSchema, SeatBidSchema } from './bid-response.ts';
import { ContentSchema, ProducerSchema } from './content.ts';
import { DataSchema, SegmentSchema } from './data.ts';
import { DeviceSchema, GeoSchema } from './device.ts';
import { ImpSchema, MetricSchema } from './imp.ts';
import {
  NativeAssetRequestSchema,
  NativeDataRequestSchema,
  NativeImageRequestSchema,
  NativeRequestSchema,
  NativeTitleRequestSchema,
} from './native-request.ts';
import { NativeSchema } from './native.ts';
import {
  BidRequestExt22Schema,
  RegsExtSchema,
  SourceExtSchema,
  UserExtSchema,
  VideoExtSchema,
} from './outgoing-ext.ts';
import { DealSchema, PmpSchema } from './pmp.ts';
import { PublisherSchema } from './publisher.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { AudioSchema, VideoSchema } from './video.ts';

/** An object of the protocol. */
export interface ProtocolObject {
  /** As the spec names it; the extension of an object is `Object.ext`. */
  readonly name: string;
  /** Section of the spec. */
  readonly section: string;
  /** Its schemas by version; null where the version does not have it. */
  readonly v25: TObject | null;
  readonly v22: TObject | null;
}

export const OBJECTS: readonly ProtocolObject[] = [
  { name: 'BidRequest', section: '2.1', v25: BidRequestSchema, v22: BidRequest22Schema },
  { name: 'BidRequest.ext', section: '10', v25: null, v22: BidRequestExt22Schema },
  { name: 'Source', section: '2.2', v25: SourceSchema, v22: null },
  { name: 'Source.ext', section: '2.2', v25: SourceExtSchema, v22: null },
  inBoth('Regs', '2.3', RegsSchema),
  inBoth('Regs.ext', '2.3', RegsExtSchema),
  { name: 'Imp', section: '2.4', v25: ImpSchema, v22: Imp22Schema },
  { name: 'Imp.ext', section: '10', v25: null, v22: ImpExt22Schema },
  { name: 'Metric', section: '2.5', v25: MetricSchema, v22: null },
  { name: 'Banner', section: '2.6', v25: BannerSchema, v22: Banner22Schema },
  { name: 'Companion', section: '2.6', v25: CompanionSchema, v22: Companion22Schema },
  { name: 'Video', section: '2.7', v25: VideoSchema, v22: Video22Schema },
  inBoth('Video.ext', '2.7', VideoExtSchema),
  { name: 'Audio', section: '2.8', v25: AudioSchema, v22: null },
  inBoth('Native', '2.9', NativeSchema),
  { name: 'Format', section: '2.10', v25: FormatSchema, v22: null },
  inBoth('Pmp', '2.11', PmpSchema),
  inBoth('Deal', '2.12', DealSchema),
  { name: 'Site', section: '2.13', v25: SiteSchema, v22: Site22Schema },
  inBoth('App', '2.14', AppSchema),
  inBoth('Publisher', '2.15', PublisherSchema),
  inBoth('Content', '2.16', ContentSchema),
  inBoth('Producer', '2.16', ProducerSchema),
  { name: 'Device', section: '2.17', v25: DeviceSchema, v22: Device22Schema },
  { name: 'Geo', section: '2.18', v25: GeoSchema, v22: Geo22Schema },
  { name: 'User', section: '2.19', v25: UserSchema, v22: User22Schema },
  inBoth('User.ext', '2.19', UserExtSchema),
  inBoth('Data', '2.19', DataSchema),
  inBoth('Segment', '2.19', SegmentSchema),
  inBoth('Native request', '2.20', NativeRequestSchema),
  inBoth('Native asset', '2.20', NativeAssetRequestSchema),
  inBoth('Native title', '2.20', NativeTitleRequestSchema),
  inBoth('Native image', '2.20', NativeImageRequestSchema),
  inBoth('Native data', '2.20', NativeDataRequestSchema),
  inBoth('BidResponse', '2.21', BidResponseSchema),
  inBoth('SeatBid', '2.21', SeatBidSchema),
  { name: 'Bid', section: '2.21', v25: BidSchema, v22: Bid22Schema },
];

/** An object that section 10 leaves as it is. */
function inBoth(name: string, section: string, schema: TObject): ProtocolObject {
  return { name, section, v25: schema, v22: schema };
}
