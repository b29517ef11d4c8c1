import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeAd, trackedNativeAd } from './native-answer.ts';

const BEACONS = { impression: 'https://t/imp', view: 'https://t/view', click: 'https://t/click' };

test('our trackers join those of the ad, in its link and in links of its assets', () => {
  const markup = JSON.stringify({
    native: {
      ver: '1.1',
      link: { url: 'https://shop.example', clicktrackers: ['https://b/click'] },
      assets: [{ id: 1, title: { text: 'A' }, link: { url: 'https://other.example' } }, { id: 2 }],
      imptrackers: ['https://b/imp'],
    },
  });
  assert.deepEqual(trackedNativeAd(markup, BEACONS), {
    ver: '1.1',
    link: {
      url: 'https://shop.example',
      clicktrackers: ['https://b/click', BEACONS.click],
    },
    assets: [
      {
        id: 1,
        title: { text: 'A' },
        link: { url: 'https://other.example', clicktrackers: [BEACONS.click] },
      },
      { id: 2 },
    ],
    imptrackers: ['https://b/imp', BEACONS.impression],
    eventtrackers: [{ event: 2, method: 1, url: BEACONS.view }],
  });
});

test('an ad without a root, and one that has our click address already', () => {
  const link = { url: 'https://shop.example', clicktrackers: [BEACONS.click] };
  const markup = JSON.stringify({ link });
  assert.deepEqual(nativeAd(markup), { link });
  assert.deepEqual(trackedNativeAd(markup, BEACONS), {
    link,
    imptrackers: [BEACONS.impression],
    eventtrackers: [{ event: 2, method: 1, url: BEACONS.view }],
  });
});

test('fields of the prototype are data like any other', () => {
  const tracked = trackedNativeAd('{"link":{"url":"x"},"__proto__":{"a":1}}', BEACONS);
  assert.equal(Reflect.get(tracked, 'a'), undefined);
  assert.match(JSON.stringify(tracked), /"__proto__":\{"a":1\}/);
});
