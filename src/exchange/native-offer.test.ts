import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { incomingNative } from '../../test/support/incoming-arbitrary.ts';
import { outgoingImp, outgoingRequest } from '../openrtb/outgoing-fixtures.ts';
import type { NativeRequest } from '../openrtb/native-request.ts';
import { validateOutgoingRequest } from '../openrtb/validate-outgoing.ts';
import { nativeOfferOf, type NativeOffer } from './native-offer.ts';

const POINTER = '/imp/0/native/request';
const OWN_REQUEST: NativeRequest = {
  ver: '1.1',
  context: 1,
  contextsubtype: 11,
  plcmttype: 1,
  plcmtcnt: 1,
  seq: 0,
  assets: [{ id: 1, required: 1, title: { len: 90 } }],
};
const own: NativeOffer = {
  request: OWN_REQUEST,
  text: JSON.stringify(OWN_REQUEST),
  leftOut: [],
};

function offerOf(said: unknown) {
  return nativeOfferOf(said, { own, pointer: POINTER });
}

function requestOf(said: unknown): NativeRequest {
  const offered = offerOf(said);
  assert.ok(offered.ok, JSON.stringify(offered));
  assert.deepEqual(JSON.parse(offered.value.text), offered.value.request);
  return offered.value.request;
}

function pointersOf(said: unknown): string[] {
  const offered = offerOf(said);
  return offered.ok ? [] : offered.problems.map(({ pointer }) => pointer);
}

const title = { id: 7, title: { len: 25 } };

test('without a request of its own an impression asks for what its ad space asks for', () => {
  for (const said of [undefined, null, '']) {
    assert.deepEqual(offerOf(said), { ok: true, value: own });
  }
});

test('a request replaces the assets of the ad space, as text or object, with or without its root', () => {
  const said = { ver: '1.1', assets: [title] };
  const wanted = { ...OWN_REQUEST, assets: [title] };
  for (const each of [said, { native: said }]) {
    assert.deepEqual(requestOf(each), wanted);
    assert.deepEqual(requestOf(JSON.stringify(each)), wanted);
  }
});

test('a request of native 1.2 goes out as 1.1, required as it says and without its videos', () => {
  const offered = offerOf({
    ver: '1.2',
    context: 2,
    contextsubtype: 20,
    plcmttype: 4,
    plcmtcnt: 3,
    seq: 2,
    aurlsupport: 1,
    privacy: 1,
    eventtrackers: [{ event: 1, methods: [1, 2] }],
    assets: [
      { id: 101, required: 0, title: { len: 90, ext: {} } },
      { id: 102, required: 1, image: { type: 3, w: 1200, h: 627, wmin: 600, hmin: 0, mimes: [] } },
      { id: 103, img: { type: 1, w: 80, h: 80 } },
      { id: 104, required: 1, data: { type: 2, len: 140 } },
      { id: 105, required: 1, video: { mimes: ['video/mp4'] } },
      { id: 106, data: { type: 501 } },
      { id: 107, title: {} },
    ],
  });
  assert.ok(offered.ok, JSON.stringify(offered));
  assert.deepEqual(offered.value.request, {
    ver: '1.1',
    context: 2,
    contextsubtype: 20,
    plcmttype: 1,
    plcmtcnt: 1,
    seq: 0,
    assets: [
      { id: 101, required: 0, title: { len: 90 } },
      { id: 102, required: 1, img: { type: 3, wmin: 600, h: 627 } },
      { id: 103, img: { type: 1, w: 80, h: 80 } },
      { id: 104, required: 1, data: { type: 2, len: 140 } },
      { id: 107, title: { len: 140 } },
    ],
  });
  const at = (index: number): string => `${POINTER}/assets/${index}`;
  assert.deepEqual(
    offered.value.leftOut.map(({ pointer }) => pointer),
    [at(4), at(5)],
  );
});

test('a request that cannot be read is told with its pointer; a text has no inside', () => {
  assert.deepEqual(pointersOf('{'), [POINTER]);
  assert.deepEqual(pointersOf(7), [POINTER]);
  assert.deepEqual(pointersOf({}), [`${POINTER}/assets`]);
  assert.deepEqual(pointersOf('{}'), [POINTER]);
  assert.deepEqual(pointersOf({ native: { assets: [] } }), [`${POINTER}/native/assets`]);
  assert.deepEqual(pointersOf({ assets: [{ id: 1 }] }), [`${POINTER}/assets/0`]);
  assert.deepEqual(pointersOf({ assets: [{ title: { len: 9 } }] }), [`${POINTER}/assets/0/id`]);
  assert.deepEqual(pointersOf({ assets: [title, title] }), [`${POINTER}/assets/1/id`]);
  const both = { ...title, data: { type: 1 } };
  assert.deepEqual(pointersOf({ assets: [both] }), [`${POINTER}/assets/0`]);
  assert.deepEqual(pointersOf({ assets: [{ id: 1, video: {} }] }), [POINTER]);
});

test('a request that is longer than any bidder is sent is refused with its pointer', () => {
  const mimes = ['image/jpeg', 'image/png', 'image/webp'];
  const assets = Array.from({ length: 1_000 }, (_, id) => ({
    id,
    img: { type: 3, w: 1200, mimes },
  }));
  assert.deepEqual(pointersOf({ assets }), [POINTER]);
});

test('whatever native request is accepted goes out as one of 1.1', () => {
  fc.assert(
    fc.property(incomingNative, (said) => {
      const offered = offerOf(said);
      assert.ok(offered.ok, JSON.stringify(offered));
      const native = { request: offered.value.text, ver: '1.1' };
      const request = outgoingRequest({ imp: [outgoingImp({ native })] });
      const checked = validateOutgoingRequest(request, '2.5');
      assert.ok(checked.ok, JSON.stringify(checked));
    }),
    { numRuns: 500 },
  );
});
