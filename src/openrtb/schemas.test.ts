import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppSchema } from './app.ts';
import { BannerSchema, FormatSchema } from './banner.ts';
import { BidRequestSchema, RegsSchema, SourceSchema } from './bid-request.ts';
import { BidResponseSchema, BidSchema, SeatBidSchema } from './bid-response.ts';
import { ContentSchema, ProducerSchema } from './content.ts';
import { DataSchema, SegmentSchema } from './data.ts';
import { DeviceSchema, GeoSchema } from './device.ts';
import { ImpSchema, MetricSchema } from './imp.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { NativeAssetRequestSchema, NativeRequestSchema } from './native-request.ts';
import { NativeResponseSchema } from './native-response.ts';
import { NativeSchema } from './native.ts';
import { DealSchema, PmpSchema } from './pmp.ts';
import { PublisherSchema } from './publisher.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { SiteSchema } from './site.ts';
import { UserSchema } from './user.ts';
import { AudioSchema, VideoSchema } from './video.ts';

/** The fields of the spec's section 2 by object: required, recommended (R) and optional (O). */
const SPEC: readonly (readonly [
  SchemaNode,
  required: string,
  recommended: string,
  rest: string,
])[] = [
  [
    nodeOf(BidRequestSchema),
    'id imp',
    'site app device user',
    'test at tmax wseat bseat allimps cur wlang bcat badv bapp source regs ext',
  ],
  [nodeOf(SourceSchema), '', 'fd tid pchain', 'ext'],
  [nodeOf(RegsSchema), '', '', 'coppa ext'],
  [
    nodeOf(ImpSchema),
    'id',
    'displaymanager displaymanagerver',
    'metric banner video audio native pmp instl tagid bidfloor bidfloorcur clickbrowser secure iframebuster exp ext',
  ],
  [nodeOf(MetricSchema), 'type value', 'vendor', 'ext'],
  [
    nodeOf(BannerSchema),
    '',
    'w h format',
    'wmax hmax wmin hmin id btype battr pos mimes topframe expdir api vcm ext',
  ],
  [
    nodeOf(VideoSchema),
    'mimes minduration maxduration',
    'protocols w h startdelay',
    'protocol placement linearity skip skipmin skipafter sequence battr maxextended minbitrate maxbitrate boxingallowed playbackmethod playbackend delivery pos companionad api companiontype ext',
  ],
  [
    nodeOf(AudioSchema),
    'mimes',
    'minduration maxduration protocols startdelay',
    'sequence battr maxextended minbitrate maxbitrate delivery companiontype maxseq feed stitched nvol ext',
  ],
  [nodeOf(NativeSchema), 'request', 'ver', 'api battr ext'],
  [nodeOf(FormatSchema), '', 'w h', 'wratio hratio wmin ext'],
  [nodeOf(PmpSchema), '', '', 'private_auction deals ext'],
  [nodeOf(DealSchema), 'id', '', 'bidfloor bidfloorcur at wseat wadomain ext'],
  [
    nodeOf(SiteSchema),
    '',
    'id',
    'name domain cat sectioncat pagecat page ref search mobile privacypolicy publisher content keywords ext',
  ],
  [
    nodeOf(AppSchema),
    '',
    'id',
    'name bundle domain storeurl cat sectioncat pagecat ver privacypolicy paid publisher content keywords ext',
  ],
  [nodeOf(PublisherSchema), '', '', 'id name cat domain ext'],
  [
    nodeOf(ContentSchema),
    '',
    '',
    'id title series season artist genre album isrc producer url context contentrating userrating keywords language episode prodq videoquality qagmediarating livestream sourcerelationship len embeddable cat data ext',
  ],
  [nodeOf(ProducerSchema), '', '', 'id name domain cat ext'],
  [
    nodeOf(DeviceSchema),
    '',
    'ua geo lmt dnt ip',
    'devicetype make model os osv hwv h w pxratio js language carrier connectiontype ifa didsha1 didmd5 dpidsha1 dpidmd5 ext',
  ],
  [
    nodeOf(GeoSchema),
    '',
    'type',
    'lat lon accuracy lastfix ipservice country region regionfips104 metro city zip utcoffset ext',
  ],
  [nodeOf(UserSchema), '', 'id buyeruid', 'yob gender keywords customdata geo data ext'],
  [nodeOf(DataSchema), '', '', 'id name segment ext'],
  [nodeOf(SegmentSchema), '', '', 'id name value ext'],
  [
    nodeOf(NativeRequestSchema),
    'assets',
    'context plcmttype',
    'ver contextsubtype plcmtcnt seq layout adunit ext',
  ],
  [nodeOf(NativeAssetRequestSchema), 'id', '', 'required title img image data video ext'],
  [nodeOf(BidResponseSchema), 'id', '', 'seatbid bidid cur customdata nbr ext'],
  [nodeOf(SeatBidSchema), 'bid', '', 'seat group ext'],
  [
    nodeOf(BidSchema),
    'id impid price',
    '',
    'adid nurl burl lurl adm adomain iurl cid crid api bundle attr cat dealid h w ext tactic protocol qagmediarating language wratio hratio exp',
  ],
];

function words(text: string): string[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .sort();
}

test('the schemas have the fields and scopes of the spec, no fewer and no more', () => {
  for (const [node, required, recommended, rest] of SPEC) {
    const label = String(node.description);
    const fields = Object.keys(node.properties ?? {}).sort();
    assert.deepEqual(fields, words(`${required} ${recommended} ${rest}`), label);
    assert.deepEqual([...(node.required ?? [])].sort(), words(required), label);
    assert.deepEqual([...(node['x-recommended'] ?? [])].sort(), words(recommended), label);
  }
});

/** Everything that `explain` understands, and what is documentation only. */
const KEYWORDS = new Set(
  words(
    'type enum const minimum maximum minLength maxLength minItems maxItems items properties required description default x-recommended x-outgoing x-only-with x-list x-allowed',
  ),
);

function visit(
  node: SchemaNode,
  path: string,
  look: (node: SchemaNode, path: string) => void,
): void {
  look(node, path);
  if (node.items !== undefined) visit(node.items, `${path}[]`, look);
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    visit(property, `${path}.${name}`, look);
  }
}

test('every field is described, bounded, and written in keywords that errors can explain', () => {
  const roots = [
    IncomingRequestSchema,
    BidRequestSchema,
    BidResponseSchema,
    NativeRequestSchema,
    NativeResponseSchema,
  ];
  for (const root of roots) {
    visit(nodeOf(root), '', (node, path) => {
      for (const keyword of Object.keys(node))
        assert.ok(KEYWORDS.has(keyword), `${path}: ${keyword}`);
      assert.ok(
        node.description !== undefined && node.description !== '',
        `${path} is not described`,
      );
      if (node.const !== undefined) return;
      if (node.type === 'string')
        assert.ok(node.maxLength !== undefined, `${path} has no longest text`);
      if (node.type === 'array')
        assert.ok(node.maxItems !== undefined, `${path} has no longest list`);
      if (node.type === 'integer')
        assert.ok(node.maximum !== undefined, `${path} has no highest value`);
    });
  }
});
