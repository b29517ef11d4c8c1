import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFormats, KINDS, NEW_DRAFT, settingsOf } from './draft.ts';

test('formats are told with the first of their sizes', () => {
  const banner = { sizes: ['300x250', '320x50', '728x90', '160x600', '970x250'] };
  assert.equal(
    describeFormats({ banner, video: { w: 640, h: 360 }, native: { title: 90 } }),
    'banner 300x250, 320x50, 728x90 and 2 more; video 640x360; native',
  );
});

test('a kind takes back what another kind has set', () => {
  for (const { value } of KINDS) {
    const kept = { ...NEW_DRAFT, ...settingsOf(value), ...settingsOf('native') };
    const { banner, video, native, rewarded, interstitial, pos } = kept;
    assert.deepEqual(
      [banner, video, rewarded, interstitial, pos],
      [null, null, false, false, null],
    );
    assert.notEqual(native, null);
  }
});
