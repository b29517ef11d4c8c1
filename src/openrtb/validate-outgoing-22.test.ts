import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeRequest, outgoingImp22, outgoingRequest22 } from './outgoing-fixtures.ts';
import { isRecord } from './schema-node.ts';
import { validateOutgoingRequest } from './validate-outgoing.ts';

type Json = Record<string, unknown>;

function pointersOf(value: unknown): string[] {
  const checked = validateOutgoingRequest(value, '2.2');
  return checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);
}

function withImp(changes: Json): Json {
  return outgoingRequest22({ imp: [outgoingImp22(changes)] });
}

/** The fixture with fields added to an object that it has. */
function withMore(name: 'site' | 'device' | 'user', more: Json): Json {
  const request = outgoingRequest22();
  const object = request[name];
  return { ...request, [name]: { ...(isRecord(object) ? object : {}), ...more } };
}

test('requests as the exchange sends them to a bidder of version 2.2 are accepted', () => {
  const deals = [{ id: 'd', at: 3, bidfloor: 3 }];
  for (const request of [
    outgoingRequest22(),
    outgoingRequest22({ site: undefined, app: { id: '3001', name: '' }, at: 1 }),
    withImp({ banner: undefined }),
    withImp({ video: undefined, ext: undefined }),
    { ...withImp({ pmp: { private_auction: 1, deals } }), at: undefined },
  ]) {
    assert.deepEqual(pointersOf(request), []);
  }
});

test('every field that section 10 takes away is refused', () => {
  const cases: [value: unknown, pointer: string][] = [
    ...[
      { test: 1 },
      { bseat: ['x'] },
      { wlang: ['en'] },
      { bapp: ['com.x'] },
      { source: { fd: 0 } },
    ].map((more): [unknown, string] => [
      outgoingRequest22({ ...more, wseat: undefined }),
      `/${Object.keys(more).join()}`,
    ]),
    ...[
      { metric: [{ type: 'viewability', value: 0.7 }] },
      { audio: { mimes: ['audio/mp3'] } },
      { native: { request: JSON.stringify(nativeRequest()) } },
      { clickbrowser: 1 },
      { exp: 60 },
    ].map((more): [unknown, string] => [withImp(more), `/imp/0/${Object.keys(more).join()}`]),
    ...[{ format: [{ w: 1, h: 1 }] }, { vcm: 1 }].map((more): [unknown, string] => [
      withImp({ banner: { w: 1, h: 1, ...more } }),
      `/imp/0/banner/${Object.keys(more).join()}`,
    ]),
    ...['skip', 'skipmin', 'skipafter', 'placement', 'playbackend'].map(
      (name): [unknown, string] => [withVideo({ [name]: 1 }), `/imp/0/video/${name}`],
    ),
    [withVideo({ delivery: [1] }), '/imp/0/video/delivery'],
    [withVideo({ companionad: [{ w: 1, h: 1, vcm: 1 }] }), '/imp/0/video/companionad/0/vcm'],
    ...['lmt', 'hwv', 'h', 'w', 'pxratio'].map((name): [unknown, string] => [
      withMore('device', { [name]: 1 }),
      `/device/${name}`,
    ]),
    ...['accuracy', 'lastfix', 'ipservice', 'utcoffset'].flatMap((name): [unknown, string][] => [
      [withMore('device', { geo: { type: 1, [name]: 1 } }), `/device/geo/${name}`],
      [withMore('user', { geo: { type: 1, [name]: 1 } }), `/user/geo/${name}`],
    ]),
    [withMore('site', { mobile: 1 }), '/site/mobile'],
    [withMore('user', { id: 'u' }), '/user/id'],
  ];
  for (const [value, pointer] of cases) assert.deepEqual(pointersOf(value), [pointer]);
});

function withVideo(changes: Json): Json {
  const { video } = outgoingImp22();
  return withImp({ video: { ...(isRecord(video) ? video : {}), ...changes } });
}

test('the supply chain is the one extension of a request of 2.2, which has no source', () => {
  const node = { asi: 'rialto.example', sid: '2001', hp: 1 };
  const schain = { ver: '1.0', complete: 1, nodes: [node] };
  assert.deepEqual(pointersOf(outgoingRequest22({ ext: { schain } })), []);
  assert.deepEqual(pointersOf(outgoingRequest22({ ext: { schain: { ...schain, complete: 2 } } })), [
    '/ext/schain/complete',
  ]);
  assert.deepEqual(pointersOf(outgoingRequest22({ ext: { gdpr: 1 } })), ['/ext/gdpr']);
});

test('an impression offers a banner, a video, or a native ad in its extension', () => {
  const native = (payload: unknown): Json => ({
    ext: { native: { request: JSON.stringify(payload) } },
  });
  const place = '/imp/0/ext/native/request';
  const bare = { banner: undefined, video: undefined, ext: undefined };
  assert.deepEqual(pointersOf(withImp(bare)), ['/imp/0']);
  assert.deepEqual(pointersOf(withImp({ ...bare, ...native(nativeRequest()) })), []);
  assert.deepEqual(pointersOf(withImp(native(nativeRequest({ assets: [] })))), [place]);
  assert.deepEqual(pointersOf(withImp({ ext: { rwdd: 1 } })), ['/imp/0/ext/rwdd']);
});

test('what spans fields is checked in 2.2 as well', () => {
  const cases: [value: unknown, pointer: string][] = [
    [outgoingRequest22({ app: { id: '1' } }), '/app'],
    [withImp({ banner: { wmin: 2, wmax: 1 } }), '/imp/0/banner/wmin'],
    [withImp({ banner: { hmin: 2, hmax: 1 } }), '/imp/0/banner/hmin'],
    [outgoingRequest22({ at: undefined }), '/at'],
    [outgoingRequest22({ imp: [outgoingImp22(), outgoingImp22()] }), '/imp/1/id'],
    [withVideo({ minbitrate: 5000 }), '/imp/0/video/minbitrate'],
    [withMore('device', { geo: { lat: 1 } }), '/device/geo'],
  ];
  for (const [value, pointer] of cases) assert.deepEqual(pointersOf(value), [pointer]);
});
