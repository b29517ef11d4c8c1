import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { damaged, documentOf, pointsInto } from '../../test/support/schema-arbitrary.ts';
import { nativeAd } from './fixtures.ts';
import { NativeRequestSchema } from './native-request.ts';
import { NativeResponseSchema } from './native-response.ts';
import { nativeRequest } from './outgoing-fixtures.ts';
import { readNativeRequest, readNativeResponse } from './read-native.ts';
import { nodeOf } from './schema-node.ts';
import { runs } from '../../test/support/effort.ts';

type Json = Record<string, unknown>;

/** The fixture with its images under the other key. */
function spelledImage(): Json {
  const { assets } = nativeAd();
  assert.ok(Array.isArray(assets));
  return nativeAd({
    assets: assets.map(({ img, ...others }: Json) => (img ? { ...others, image: img } : others)),
  });
}

test('an ad is the same under a root and without it, its images under either key', () => {
  const ad = { ok: true, value: nativeAd() };
  assert.deepEqual(readNativeResponse(JSON.stringify(nativeAd())), ad);
  assert.deepEqual(readNativeResponse(JSON.stringify({ native: nativeAd() })), ad);
  assert.deepEqual(readNativeResponse(JSON.stringify(spelledImage())), ad);
  assert.deepEqual(readNativeResponse(JSON.stringify({ native: spelledImage() })), ad);
});

test('a request is the same under a root and without it, its images under either key', () => {
  const request = { ok: true, value: nativeRequest() };
  const image = { id: 2, required: 1, image: { type: 1, w: 80, h: 80 } };
  const img = { id: 2, required: 1, img: { type: 1, w: 80, h: 80 } };
  assert.deepEqual(readNativeRequest(JSON.stringify(nativeRequest())), request);
  assert.deepEqual(readNativeRequest(JSON.stringify({ native: nativeRequest() })), request);
  assert.deepEqual(readNativeRequest(JSON.stringify(nativeRequest({ assets: [image] }))), {
    ok: true,
    value: nativeRequest({ assets: [img] }),
  });
});

test('what nothing depends on is dropped where it cannot be read', () => {
  const asset = {
    id: 2,
    required: null,
    img: { url: 'https://a.example/x.png', w: '80', h: null },
  };
  const untidy = nativeAd({ ver: 1, jstracker: null, assets: [asset] });
  assert.deepEqual(readNativeResponse(JSON.stringify(untidy)), {
    ok: true,
    value: nativeAd({ assets: [{ id: 2, img: { url: 'https://a.example/x.png' } }] }),
  });
});

test('what is no native ad is told with its pointer', () => {
  const title = { text: 'x' };
  const cases: [text: string, pointer: string][] = [
    ['{', ''],
    ['[]', ''],
    ['null', ''],
    [JSON.stringify(nativeAd({ link: undefined })), '/link'],
    [JSON.stringify(nativeAd({ link: { url: '' } })), '/link/url'],
    [JSON.stringify(nativeAd({ assets: {} })), '/assets'],
    [JSON.stringify(nativeAd({ assets: [{ title }] })), '/assets/0/id'],
    [JSON.stringify(nativeAd({ assets: [{ id: 1, img: {} }] })), '/assets/0/img/url'],
    [JSON.stringify(nativeAd({ assets: [{ id: 1, title, data: { value: 'x' } }] })), '/assets/0'],
  ];
  for (const [text, pointer] of cases) {
    const checked = readNativeResponse(text);
    assert.ok(!checked.ok, text);
    assert.equal(checked.problems[0]?.pointer, pointer, text);
  }
});

test('whatever comes, it is read or told problems that can be found', () => {
  const documents = [NativeRequestSchema, NativeResponseSchema].map((schema) =>
    fc.oneof(documentOf(nodeOf(schema)), damaged(documentOf(nodeOf(schema)))),
  );
  fc.assert(
    fc.property(fc.oneof(...documents), fc.boolean(), (document, isWrapped) => {
      const text = JSON.stringify(isWrapped ? { native: document } : document) ?? 'null';
      for (const checked of [readNativeRequest(text), readNativeResponse(text)]) {
        if (checked.ok) continue;
        assert.ok(checked.problems.length > 0);
        const read: unknown = JSON.parse(text);
        const inside = isWrapped ? document : read;
        for (const { pointer } of checked.problems) {
          const spellings = [pointer, pointer.replace('/img', '/image')];
          const leads = [inside, read].some((value) =>
            spellings.some((spelled) => pointsInto(value, spelled)),
          );
          assert.ok(leads, pointer);
        }
      }
    }),
    { numRuns: runs(30) },
  );
});
