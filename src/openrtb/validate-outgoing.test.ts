import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyJson, damaged, pointsInto } from '../../test/support/schema-arbitrary.ts';
import { nativeRequest, outgoingImp, outgoingRequest, outgoingVideo } from './outgoing-fixtures.ts';
import { validateOutgoingRequest } from './validate-outgoing.ts';
import { runs } from '../../test/support/effort.ts';

type Json = Record<string, unknown>;

function pointersOf(value: unknown): string[] {
  const checked = validateOutgoingRequest(value, '2.5');
  return checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
}

function withImp(changes: Json): Json {
  return outgoingRequest({ imp: [outgoingImp(changes)] });
}

function withVideo(changes: Json): Json {
  return withImp({ banner: undefined, video: outgoingVideo(changes) });
}

function withNative(payload: unknown): Json {
  return withImp({ banner: undefined, native: { request: JSON.stringify(payload), ver: '1.1' } });
}

function withDevice(changes: Json): Json {
  return outgoingRequest({ device: { js: 1, ...changes } });
}

test('requests as the exchange sends them are accepted', () => {
  const fixed = { pmp: { private_auction: 1, deals: [{ id: 'd', at: 3, bidfloor: 3 }] } };
  const ratio = { banner: { format: [{ wratio: 4, hratio: 3, wmin: 120 }] } };
  const site = {
    id: '3002',
    name: 'Front page box',
    page: 'https://planet.example/',
    domain: 'planet.example',
  };
  for (const request of [
    outgoingRequest(),
    outgoingRequest({ app: undefined, site }),
    { ...withImp(fixed), at: undefined },
    withImp(ratio),
    withVideo({}),
    withVideo({ ext: { outstream: 1 } }),
    withNative(nativeRequest()),
    withImp({ video: outgoingVideo() }),
    outgoingRequest({ at: 1, test: 1, bseat: ['x'], wseat: undefined }),
  ]) {
    assert.deepEqual(pointersOf(request), []);
  }
});

test('what the spec does not show is refused, and so is every extension but the listed ones', () => {
  const cases: [value: unknown, pointer: string][] = [
    [outgoingRequest({ ext: { schain: {} } }), '/ext'],
    [outgoingRequest({ imp: [outgoingImp({ rwdd: 1 })] }), '/imp/0/rwdd'],
    [withImp({ ext: { gpid: 'x' } }), '/imp/0/ext'],
    [outgoingRequest({ regs: { ext: { gdpr: 2 } } }), '/regs/ext/gdpr'],
    [outgoingRequest({ regs: { ext: { ccpa: '1' } } }), '/regs/ext/ccpa'],
    [outgoingRequest({ user: { ext: { eids: [] } } }), '/user/ext/eids'],
    [
      outgoingRequest({ source: { ext: { schain: { nodes: [] } } } }),
      '/source/ext/schain/complete',
    ],
    [withVideo({ ext: { plcmt: 1 } }), '/imp/0/video/ext/plcmt'],
    [withDevice({ ipv6: '2001:db8::1' }), '/device/ipv6'],
    [withDevice({ ext: {} }), '/device/ext'],
  ];
  for (const [value, pointer] of cases) assert.ok(pointersOf(value).includes(pointer), pointer);
});

test('what the exchange never sends is refused', () => {
  const cases: [value: unknown, pointer: string][] = [
    [outgoingRequest({ user: { id: 'u' } }), '/user/id'],
    [withDevice({ geo: { lastfix: 5 } }), '/device/geo/lastfix'],
    [withDevice({ ip: '2001:db8::1' }), '/device/ip'],
    [withDevice({ ip: '192.0.2.256' }), '/device/ip'],
    [withImp({ audio: { mimes: ['audio/mp3'] } }), '/imp/0/audio'],
    [outgoingRequest({ allimps: 1 }), '/allimps'],
    [withDevice({ js: 0 }), '/device/js'],
    [outgoingRequest({ cur: ['EUR'] }), '/cur/0'],
    [withImp({ bidfloorcur: 'EUR' }), '/imp/0/bidfloorcur'],
  ];
  for (const [value, pointer] of cases) assert.ok(pointersOf(value).includes(pointer), pointer);
});

test('empty and wrong values are refused', () => {
  const cases: [value: unknown, pointer: string][] = [
    [outgoingRequest({ bcat: [] }), '/bcat'],
    [outgoingRequest({ tmax: null }), '/tmax'],
    [outgoingRequest({ user: {} }), '/user'],
    [outgoingRequest({ at: 3 }), '/at'],
    [outgoingRequest({ wlang: ['EN'] }), '/wlang/0'],
    [withDevice({ ua: '' }), '/device/ua'],
    [withDevice({ devicetype: 8 }), '/device/devicetype'],
    [withDevice({ geo: { country: 'US' } }), '/device/geo/country'],
    [withDevice({ geo: { country: 'XYZ' } }), '/device/geo/country'],
    [withDevice({ language: 'xx' }), '/device/language'],
    [outgoingRequest({ bcat: ['IAB25', 'IAB99'] }), '/bcat/1'],
    [outgoingRequest({ app: { cat: ['483'] } }), '/app/cat/0'],
    [withDevice({ didmd5: 'abc' }), '/device/didmd5'],
    [outgoingRequest({ user: { gender: 'X' } }), '/user/gender'],
    [outgoingRequest({ user: { yob: 87 } }), '/user/yob'],
    [withImp({ tagid: 4001 }), '/imp/0/tagid'],
    [withImp({ secure: 2 }), '/imp/0/secure'],
    [withImp({ metric: [{ type: 'click', value: 2 }] }), '/imp/0/metric/0/value'],
    [
      withImp({
        banner: {
          format: [
            { w: 1, h: 1 },
            { w: 2, h: 2 },
          ],
        },
      }),
      '/imp/0/banner/format',
    ],
    [withImp({ banner: { pos: 9 } }), '/imp/0/banner/pos'],
    [withImp({ pmp: { private_auction: 0, deals: [{ id: 'd' }] } }), '/imp/0/pmp/private_auction'],
    [outgoingRequest({ app: { content: { context: 5 } } }), '/app/content/context'],
    [withVideo({ startdelay: -3 }), '/imp/0/video/startdelay'],
  ];
  for (const [value, pointer] of cases) assert.ok(pointersOf(value).includes(pointer), pointer);
});

test('what spans fields is checked', () => {
  const fixed = [{ id: 'd', at: 3, bidfloor: 3 }];
  const cases: [value: unknown, pointer: string][] = [
    [outgoingRequest({ site: { id: '1' } }), '/app'],
    [outgoingRequest({ app: undefined }), '/site'],
    [outgoingRequest({ bseat: ['x'] }), '/bseat'],
    [outgoingRequest({ imp: [outgoingImp(), outgoingImp()] }), '/imp/1/id'],
    [outgoingRequest({ at: undefined }), '/at'],
    [withImp({ pmp: { deals: fixed } }), '/at'],
    [withImp({ pmp: { deals: [...fixed, { id: 'd', at: 2 }] } }), '/imp/0/pmp/deals/1/id'],
    [withImp({ pmp: { deals: [{ id: 'd', at: 3 }, { id: 'e' }] } }), '/imp/0/pmp/deals/0/bidfloor'],
    [withImp({ pmp: { private_auction: 1 } }), '/imp/0/pmp/deals'],
    [withImp({ banner: undefined }), '/imp/0'],
    [
      withImp({ banner: { format: [{ w: 1, h: 1, wratio: 1, hratio: 1 }] } }),
      '/imp/0/banner/format/0',
    ],
    [withImp({ banner: { format: [{ w: 1 }] } }), '/imp/0/banner/format/0'],
    [withImp({ banner: { w: 1, h: 1, vcm: 1 } }), '/imp/0/banner/vcm'],
    [withVideo({ protocols: undefined }), '/imp/0/video/protocols'],
    [withVideo({ protocols: [2, 3] }), '/imp/0/video/protocols'],
    [withVideo({ minduration: 61 }), '/imp/0/video/minduration'],
    [withVideo({ minbitrate: 5000 }), '/imp/0/video/minbitrate'],
    [withVideo({ companionad: [{ format: [{ w: 1 }] }] }), '/imp/0/video/companionad/0/format/0'],
    [
      withVideo({
        companionad: [
          { id: 'c', w: 1, h: 1 },
          { id: 'c', w: 2, h: 2 },
        ],
      }),
      '/imp/0/video/companionad/1/id',
    ],
    [withDevice({ geo: { lat: 1 } }), '/device/geo'],
    [withDevice({ geo: { accuracy: 5, type: 2 } }), '/device/geo/accuracy'],
    [outgoingRequest({ user: { geo: { ipservice: 1, type: 1 } } }), '/user/geo/ipservice'],
  ];
  for (const [value, pointer] of cases) assert.deepEqual(pointersOf(value), [pointer]);
});

test('the native payload is checked inside its text', () => {
  const title = { id: 1, required: 1, title: { len: 90 } };
  const cases: [payload: unknown, place: RegExp][] = [
    [{ native: nativeRequest() }, /at "\/assets"/],
    [nativeRequest({ assets: [] }), /at "\/assets"/],
    [nativeRequest({ plcmttype: 4 }), /at "\/plcmttype"/],
    [nativeRequest({ context: 1, contextsubtype: 21 }), /at "\/contextsubtype": Found 21/],
    [nativeRequest({ assets: [title, title] }), /at "\/assets\/1\/id"/],
    [nativeRequest({ assets: [{ ...title, required: 2 }] }), /at "\/assets\/0\/required"/],
    [nativeRequest({ assets: [{ ...title, image: { type: 3 } }] }), /at "\/assets\/0\/image"/],
    [
      nativeRequest({ assets: [{ ...title, data: { type: 2 } }] }),
      /at "\/assets\/0": Found title, data; an asset/,
    ],
    [nativeRequest({ assets: [{ id: 1, required: 1 }] }), /at "\/assets\/0": Found none; an asset/],
    [
      nativeRequest({ assets: [{ id: 1, img: { type: 3, w: 9, wmin: 9 } }] }),
      /Found both "w" and "wmin"/,
    ],
  ];
  for (const [payload, place] of cases) {
    const checked = validateOutgoingRequest(withNative(payload), '2.5');
    assert.ok(!checked.ok);
    assert.equal(checked.problems[0]?.pointer, '/imp/0/native/request');
    assert.match(checked.problems[0].message, place);
  }
  const broken = withImp({ banner: undefined, native: { request: '{' } });
  assert.deepEqual(pointersOf(broken), ['/imp/0/native/request']);
});

test('whatever JSON comes, it is accepted or told problems that can be found', () => {
  const documents = fc.constantFrom(outgoingRequest(), withVideo({}), withNative(nativeRequest()));
  fc.assert(
    fc.property(fc.oneof(anyJson, damaged(documents)), (value) => {
      const checked = validateOutgoingRequest(value, '2.5');
      if (checked.ok) return;
      assert.ok(checked.problems.length > 0);
      for (const { pointer } of checked.problems) assert.ok(pointsInto(value, pointer), pointer);
    }),
    { numRuns: runs(50) },
  );
});
