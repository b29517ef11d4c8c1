import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Banner } from '../openrtb/banner.ts';
import { bannerSizesOf } from './banner-sizes.ts';

const box = { w: 300, h: 250 };
const tall = { w: 160, h: 600 };
const wide = { w: 970, h: 90 };

test("the sizes of a request hold in place of the ad space's, each once, its w and h first", () => {
  const sizesFor = (banner: Banner) => bannerSizesOf(banner, [box, tall]);
  assert.deepEqual(sizesFor({ format: [wide] }), [wide]);
  assert.deepEqual(sizesFor(wide), [wide]);
  assert.deepEqual(sizesFor({ format: [wide, box, wide] }), [wide, box]);
  assert.deepEqual(sizesFor({ ...box, format: [wide, box, tall] }), [box, wide, tall]);
  assert.deepEqual(sizesFor({ ...wide, wmin: 100, wmax: 400 }), [wide]);
});

test('a request without a size in pixels has those of the ad space', () => {
  const sizesFor = (banner: Banner) => bannerSizesOf(banner, [box, tall]);
  assert.deepEqual(sizesFor({}), [box, tall]);
  assert.deepEqual(sizesFor({ w: 0, h: 0 }), [box, tall]);
  assert.deepEqual(sizesFor({ w: 970 }), [box, tall]);
  assert.deepEqual(sizesFor({ format: [{ wratio: 4, hratio: 3, wmin: 100 }, {}] }), [box, tall]);
});

test('a range of sizes, as 2.2 asks for one, takes those of the ad space that are in it', () => {
  const sizesFor = (banner: Banner) => bannerSizesOf(banner, [wide, box, tall]);
  assert.deepEqual(sizesFor({ wmax: 400 }), [box, tall]);
  assert.deepEqual(sizesFor({ wmin: 200, wmax: 400, hmin: 1, hmax: 250 }), [box]);
  assert.deepEqual(sizesFor({ wmin: 2_000 }), [wide, box, tall]);
});

test('an ad space or a request without a banner has no sizes of one, and a request not more than a hundred', () => {
  assert.deepEqual(bannerSizesOf(undefined, [box]), []);
  assert.deepEqual(bannerSizesOf(box, []), []);
  const format = Array.from({ length: 1_000 }, (_, index) => ({ w: index + 1, h: 50 }));
  assert.equal(bannerSizesOf({ format }, [box]).length, 100);
});
