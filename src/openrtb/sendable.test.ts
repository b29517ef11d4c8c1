import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import fc from 'fast-check';
import { anyJson, damaged, documentOf } from '../../test/support/schema-arbitrary.ts';
import { AppSchema } from './app.ts';
import { BannerSchema } from './banner.ts';
import { BidRequestSchema, SourceSchema } from './bid-request.ts';
import { ContentSchema } from './content.ts';
import { DeviceSchema, GeoSchema } from './device.ts';
import { ImpSchema } from './imp.ts';
import { IncomingRequestSchema, IncomingVideoSchema } from './incoming-request.ts';
import { PmpSchema } from './pmp.ts';
import { nodeOf } from './schema-node.ts';
import { createSendable } from './sendable.ts';
import { SiteSchema } from './site.ts';
import { strictSchema } from './strict-schema.ts';
import { UserSchema } from './user.ts';
import { VideoSchema } from './video.ts';
import { validateOutgoingRequest } from './validate-outgoing.ts';
import { runs } from '../../test/support/effort.ts';

/** What is kept of a value: nothing, as undefined, or the rest. */
function keep(schema: Type.TSchema, value: unknown): unknown {
  return createSendable(schema)(value);
}

test('fields that the spec names are kept; others, extensions, nulls and blanks are not', () => {
  const sent = { id: '7', title: 'Storm', series: '', season: null, cat: ['', 'IAB12'], len: 0 };
  const more = { networks: { id: 'n' }, ext: { any: 1 }, data: [], producer: {}, artist: 5 };
  const kept = { id: '7', title: 'Storm', cat: ['IAB12'], len: 0 };
  assert.deepEqual(keep(ContentSchema, { ...sent, ...more }), kept);
});

test('of what holds nothing that may be sent, nothing is left', () => {
  const empty = { producer: { name: '', ext: {} }, data: [{ segment: [{ ext: 1 }] }], cat: [''] };
  assert.equal(keep(ContentSchema, empty), undefined);
  for (const value of [undefined, null, 5, 'x', [], {}]) {
    assert.equal(keep(ContentSchema, value), undefined);
  }
});

test('a name that is left blank on purpose stays blank', () => {
  assert.deepEqual(keep(AppSchema, { name: '', ver: '' }), { name: '' });
});

test('values that no list names are dropped, from lists one by one', () => {
  const banner = { pos: 9, topframe: 2, api: [3, 99, 5, '6'], btype: [17], battr: [16, 17] };
  assert.deepEqual(keep(BannerSchema, banner), { api: [3, 5], battr: [16] });
  const video = { placement: 0, linearity: 2, startdelay: -3, delivery: [3], skip: 1 };
  assert.deepEqual(keep(IncomingVideoSchema, video), { linearity: 2, skip: 1 });
});

test('what the exchange never sends, or not in this form, is dropped', () => {
  const user = { id: 'u', buyeruid: 'b', gender: 'female', yob: 87, geo: { lastfix: 4 } };
  assert.deepEqual(keep(UserSchema, user), { buyeruid: 'b' });
  const device = { ip: '2001:db8::1', language: 'EN', didmd5: 'abc', js: 0, pxratio: Infinity };
  assert.equal(keep(DeviceSchema, device), undefined);
  assert.deepEqual(keep(GeoSchema, { country: 'US', region: 'NY', city: 'Paris' }), {
    region: 'NY',
  });
});

test('of an extension the described fields are kept', () => {
  const video = { mimes: ['video/mp4'], ext: { outstream: 1, any: 1 } };
  assert.deepEqual(keep(VideoSchema, video), { mimes: ['video/mp4'], ext: { outstream: 1 } });
  assert.equal(keep(Type.Pick(VideoSchema, ['ext']), { ext: { outstream: 0 } }), undefined);
});

test('a required field that may not be sent takes its object along, and no more', () => {
  const node = { asi: 'planet.example', sid: '2001', hp: 1 };
  const chain = (nodes: unknown[]): unknown => ({
    tid: 't',
    schain: { ver: '1.0', complete: 1, nodes },
  });
  assert.deepEqual(keep(SourceSchema, chain([node, { ...node, hp: 2 }])), chain([node]));
  assert.deepEqual(keep(SourceSchema, chain([{ ...node, sid: '' }])), { tid: 't' });
  const pmp = { deals: [{ id: '' }, { id: 'd', at: 9 }] };
  assert.deepEqual(keep(PmpSchema, pmp), { deals: [{ id: 'd' }] });
});

test('a field that means nothing without another one is dropped where that is missing', () => {
  assert.deepEqual(keep(GeoSchema, { lat: 40.7, lon: 'west', zip: '10007' }), { zip: '10007' });
  assert.equal(keep(GeoSchema, { lon: -74, accuracy: 5, ipservice: 1, type: 9 }), undefined);
  const gps = { lat: 40.7, lon: -74, type: 1, accuracy: 5 };
  assert.deepEqual(keep(GeoSchema, { ...gps, ipservice: 1 }), gps);
});

test('of a list that is too long the first entries are kept', () => {
  const format = [
    { w: '300', h: null },
    { w: 300, h: 250 },
    { w: 300, h: 600 },
  ];
  assert.deepEqual(keep(BannerSchema, { format }), { format: [{ w: 300, h: 250 }] });
});

test('a content context that is a text becomes the number that it is in 2.6', () => {
  assert.deepEqual(keep(ContentSchema, { context: 5 }), { context: 5 });
  assert.deepEqual(keep(ContentSchema, { context: '5' }), { context: 5 });
  assert.equal(keep(ContentSchema, { context: 8 }), undefined);
  assert.equal(keep(ContentSchema, { prodq: '1' }), undefined);
});

test('a text is measured in characters and not cut', () => {
  const flag = '🏴'.repeat(64);
  assert.deepEqual(keep(DeviceSchema, { ua: flag }), { ua: flag });
  const codes = Type.Object({ zip: Type.Optional(Type.String({ maxLength: 64 })) });
  assert.deepEqual(keep(codes, { zip: flag }), { zip: flag });
  assert.equal(keep(codes, { zip: `${flag}x` }), undefined);
});

test('a field called __proto__ is an unknown field', () => {
  const kept = keep(GeoSchema, JSON.parse('{"zip":"1","__proto__":{"metro":"501"}}'));
  assert.deepEqual(kept, { zip: '1' });
  assert.equal(Object.getPrototypeOf(kept), Object.prototype);
});

test('a schema that says nothing of what may be sent is refused at start', () => {
  assert.throws(() => createSendable(Type.Object({ any: Type.Unknown() })), /does not say/);
});

/** Documents as publishers send them, as the exchange sends them, and with something broken. */
function untidy(schema: Type.TSchema): fc.Arbitrary<unknown> {
  const read = documentOf(nodeOf(schema));
  const sent = documentOf(strictSchema(nodeOf(schema)));
  return fc.oneof(read, sent, damaged(read), damaged(sent), anyJson);
}

test('whatever comes, nothing is left or what the strict schema allows, once and for all', () => {
  for (const schema of [
    IncomingRequestSchema,
    BidRequestSchema,
    ImpSchema,
    AppSchema,
    SiteSchema,
    DeviceSchema,
    UserSchema,
  ]) {
    const sendable = createSendable(schema);
    const strict = Compile(Type.Unsafe(strictSchema(nodeOf(schema))));
    fc.assert(
      fc.property(untidy(schema), (value) => {
        const before = JSON.stringify(value);
        const kept = sendable(value);
        assert.equal(JSON.stringify(value), before);
        if (kept === undefined) return;
        assert.ok(strict.Check(kept), JSON.stringify(kept));
        assert.deepEqual(sendable(kept), kept);
      }),
      { numRuns: runs(10) },
    );
  }
});

test('what may be sent as it is stays whole', () => {
  for (const schema of [ContentSchema, BannerSchema, SourceSchema, UserSchema, PmpSchema]) {
    const sendable = createSendable(schema);
    const node = strictSchema(nodeOf(schema));
    const strict = Compile(Type.Unsafe(node));
    const { properties: { geo: _g, ...properties } = {}, ...rest } = node;
    fc.assert(
      fc.property(documentOf({ ...rest, properties }), (value) => {
        fc.pre(strict.Check(value));
        assert.equal(JSON.stringify(sendable(value)), JSON.stringify(value));
      }),
      { numRuns: runs(20) },
    );
  }
});

test('a device and a user of which only that is kept pass the strict validator', () => {
  const device = createSendable(DeviceSchema);
  const user = createSendable(UserSchema);
  fc.assert(
    fc.property(untidy(DeviceSchema), untidy(UserSchema), (sentDevice, sentUser) => {
      const request = {
        id: 'r',
        imp: [{ id: '1', banner: { w: 1, h: 1 } }],
        site: { id: '1' },
        at: 2,
        device: device(sentDevice),
        user: user(sentUser),
      };
      const checked = validateOutgoingRequest(request, '2.6');
      assert.ok(checked.ok, JSON.stringify(checked));
    }),
    { numRuns: runs(30) },
  );
});
