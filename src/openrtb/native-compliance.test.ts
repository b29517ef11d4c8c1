import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeAd } from './fixtures.ts';
import { explainNativeAd, explainNativeSizes } from './native-compliance.ts';
import type { NativeRequest } from './native-request.ts';
import { nativeRequest } from './outgoing-fixtures.ts';
import { readNativeRequest, readNativeResponse } from './read-native.ts';

type Json = Record<string, unknown>;

/** What an ad breaks of a request, its assets and its sizes apart. */
function pointersOf(ad: Json, asked: Json = nativeRequest()): [assets: string[], sizes: string[]] {
  const request = readNativeRequest(JSON.stringify(asked));
  const response = readNativeResponse(JSON.stringify(ad));
  assert.ok(request.ok && response.ok);
  const { value }: { value: NativeRequest } = request;
  return [
    explainNativeAd(response.value, value).map(({ pointer }) => pointer),
    explainNativeSizes(response.value, value).map(({ pointer }) => pointer),
  ];
}

const { assets } = nativeAd();
assert.ok(Array.isArray(assets));

test('an ad is held against the assets that were asked for', () => {
  const assetsOf = (changes: Json): string[] => pointersOf(nativeAd(changes))[0];
  assert.deepEqual(pointersOf(nativeAd()), [[], []]);
  assert.deepEqual(assetsOf({ assets: [...assets, { id: 9, title: { text: 'More' } }] }), []);
  assert.deepEqual(assetsOf({ assets: assets.slice(1) }), ['/assets']);
  assert.deepEqual(assetsOf({ assets: assets.with(0, { id: 1, data: { value: 'x' } }) }), [
    '/assets/0',
  ]);
  assert.equal(assetsOf({ assets: undefined }).length, 4);
});

test('each asset stands once', () => {
  const twice = [...assets, { id: 1, title: { text: 'Again' } }];
  assert.deepEqual(pointersOf(nativeAd({ assets: twice }))[0], ['/assets/4/id']);
});

test('texts are no longer than was asked for, in characters, and not empty where they are required', () => {
  const asked = {
    assets: [
      { id: 1, required: 1, title: { len: 5 } },
      { id: 2, data: { type: 2, len: 3 } },
      { id: 3, data: { type: 3 } },
    ],
  };
  const withTexts = (title: string, ...data: readonly string[]): string[] => {
    const texts = data.map((value, index) => ({ id: index + 2, data: { value } }));
    return pointersOf(
      nativeAd({ assets: [{ id: 1, title: { text: title } }, ...texts] }),
      asked,
    )[0];
  };
  assert.deepEqual(withTexts('🙂🙂🙂🙂🙂', 'abc', 'x'.repeat(500)), []);
  assert.deepEqual(withTexts('123456', 'abcd'), ['/assets/0/title/text', '/assets/1/data/value']);
  assert.deepEqual(withTexts(' ', ''), ['/assets/0/title/text']);
});

test('an image has the exact size, or at least the least, as far as it says its size', () => {
  const sizesOf = (img: Json, found: Json): string[] => {
    const image = { id: 1, img: { url: 'https://cdn.example/a.png', ...found } };
    const ad = nativeAd({ assets: [image] });
    return pointersOf(ad, { assets: [{ id: 1, required: 1, img: { type: 3, ...img } }] })[1];
  };
  const exact = { w: 1200, h: 627 };
  assert.deepEqual(sizesOf(exact, exact), []);
  assert.deepEqual(sizesOf(exact, { w: 1200, h: 628 }), ['/assets/0/img/h']);
  const least = { wmin: 600, hmin: 300 };
  assert.deepEqual(sizesOf(least, { w: 600, h: 1_000 }), []);
  assert.deepEqual(sizesOf(least, { w: 599, h: 299 }), ['/assets/0/img/w', '/assets/0/img/h']);
  assert.deepEqual(sizesOf({ ...exact, ...least }, { w: 600, h: 300 }), []);
  for (const unsaid of [{}, { w: 0, h: 0 }]) assert.deepEqual(sizesOf(exact, unsaid), []);
});
