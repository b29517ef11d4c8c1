import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { BEACON_NOW_MS as AT_MS, createKeyRing, createWonImp } from '../beacons/fixtures.ts';
import { NONCE_BYTES, openToken } from '../beacons/token.ts';
import type { BeaconKind, WonImp } from '../events/beacon-record.ts';
import { createSeal } from './seal.ts';

const HOME = '0123456789abcdef';
const keys = { ring: createKeyRing() };
const notices = { nurl: 'http://b.example/won', burl: 'http://b.example/bill' };

function sealed(imp: WonImp) {
  const drawNonce = (): Uint8Array => randomBytes(NONCE_BYTES);
  const trackerUrl = 'https://track.example';
  return createSeal({ trackerUrl, home: HOME, keys, drawNonce })(imp, notices);
}

function opened(address: string | null, path: string, kind: BeaconKind) {
  const prefix = `https://track.example/${path}/`;
  assert.ok(address !== null && address.startsWith(prefix), `${address}`);
  const result = openToken(address.slice(prefix.length), kind, keys.ring, AT_MS);
  assert.ok(result.ok, JSON.stringify(result));
  return result.beacon;
}

test('a final winner has an impression that bills, a view and a click, and no win to confirm', () => {
  const imp = createWonImp({ fd: 0, expires_ms: AT_MS + 60_000 });
  const beacons = sealed(imp);
  assert.equal(beacons.win, null);
  const impression = opened(beacons.impression, 'imp', 'impression');
  assert.deepEqual(impression, {
    kind: 'impression',
    home: HOME,
    url: notices.burl,
    winUrl: '',
    imp,
  });
  assert.equal(opened(beacons.view, 'view', 'view').url, '');
  assert.equal(opened(beacons.click, 'click', 'click').url, '');
});

test('where the publisher decides, win and impression both make the win notice due', () => {
  const beacons = sealed(createWonImp({ fd: 1, expires_ms: AT_MS + 60_000 }));
  assert.equal(opened(beacons.win, 'win', 'win').url, notices.nurl);
  const impression = opened(beacons.impression, 'imp', 'impression');
  assert.deepEqual([impression.url, impression.winUrl], [notices.burl, notices.nurl]);
});

test('a click that leads somewhere is a token of its own, which makes nothing else due', () => {
  const beacons = sealed(createWonImp({ expires_ms: AT_MS + 60_000 }));
  const target = 'https://shop.example/?a=1';
  assert.equal(opened(beacons.clickTo(target), 'click', 'click').url, target);
  assert.equal(beacons.clickTo('javascript:alert(1)'), null);
  assert.equal(beacons.clickTo(`https://shop.example/${'a'.repeat(3_000)}`), null);
});

test('no price can be read from an address', () => {
  const imp = createWonImp({ clearing_micros: 1_234_567, payout_micros: 7_654_321 });
  const beacons = sealed(imp);
  for (const address of [beacons.impression, beacons.view, beacons.click]) {
    const token = address.slice(address.lastIndexOf('/') + 1);
    const text = Buffer.from(token, 'base64url').toString('latin1') + token;
    for (const secret of ['1234567', '7654321', imp.auction_id, imp.country_code, 'b.example']) {
      assert.ok(!text.includes(secret), secret);
    }
  }
});
