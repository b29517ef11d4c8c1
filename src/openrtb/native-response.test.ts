import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { NativeRequestSchema } from './native-request.ts';
import { NativeResponseSchema } from './native-response.ts';
import { nativeRequest } from './outgoing-fixtures.ts';

const ad = {
  ver: '1.1',
  link: { url: 'https://advertiser.example/', clicktrackers: ['https://bidder.example/click'] },
  imptrackers: ['https://bidder.example/seen'],
  assets: [
    { id: 1, title: { text: 'Shoes for sailors' } },
    { id: 3, img: { url: 'https://cdn.bidder.example/shoes.png', w: 1200, h: 627 } },
    { id: 4, data: { value: 'They float.' } },
  ],
};

test('a native ad needs a link, and an image its URL', () => {
  const shape = Compile(NativeResponseSchema);
  assert.ok(shape.Check(ad));
  assert.ok(!shape.Check({ ...ad, link: undefined }));
  assert.ok(!shape.Check({ ...ad, assets: [{ id: 3, img: { w: 1 } }] }));
});

test("a publisher's native request may spell the image key both ways", () => {
  const shape = Compile(NativeRequestSchema);
  assert.ok(shape.Check(nativeRequest()));
  assert.ok(shape.Check(nativeRequest({ assets: [{ id: 1, image: { type: 3, w: 1, h: 1 } }] })));
  assert.ok(!shape.Check(nativeRequest({ assets: [] })));
});
