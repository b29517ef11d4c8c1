import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEVICES, inApp, type Device } from './devices.ts';

const first = (os: Device['os']): Device => {
  const device = DEVICES.find((item) => item.os === os);
  assert.ok(device);
  return device;
};

test('the table has phones, tablets, computers and a television, each user agent once', () => {
  assert.deepEqual(new Set(DEVICES.map(({ devicetype }) => devicetype)), new Set([2, 3, 4, 5]));
  assert.equal(new Set(DEVICES.map(({ ua }) => ua)).size, DEVICES.length);
  for (const browser of ['Chrome/', 'Firefox/', 'Edg/', 'Version/18.5 Safari/', 'iPhone', 'iPad']) {
    assert.ok(
      DEVICES.some(({ ua }) => ua.includes(browser)),
      browser,
    );
  }
});

test('a web view says so on Android, and on iOS by what it leaves out', () => {
  assert.match(inApp(first('Android')), /; wv\) AppleWebKit.* Version\/4\.0 Chrome\//);
  assert.match(inApp(first('iOS')), /\(KHTML, like Gecko\) Mobile\/15E148$/);
  assert.equal(inApp(first('Windows')), first('Windows').ua);
});
