import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Device } from '../openrtb/device.ts';
import type { User } from '../openrtb/user.ts';
import { applyEffects, regsOf } from './apply-effects.ts';
import { privacyFor } from './effects.ts';
import { readSignals, type SignalSources } from './signals.ts';

// Which fields each effect takes away is tested by privacy-table.test.ts.

/** Device and user as JSON would carry them to a partner. */
function sent(device: Device, user: User, request: SignalSources = {}): unknown {
  const signals = readSignals(request);
  const identity = applyEffects({ device, user, signals }, privacyFor(signals, null));
  return JSON.parse(JSON.stringify(identity));
}

test('what privacy does not limit goes to the partner as it is', () => {
  const device: Device = { ua: 'Mozilla/5.0', ip: '192.0.2.77', os: 'iOS', ifa: 'A-1', js: 1 };
  const user: User = { buyeruid: 'b-1', yob: 1980, data: [{ id: '1' }] };
  assert.deepEqual(sent(device, user), { device, user });
});

test("the exchange's user id, the age of a location, IPv6 and unread extensions are never sent", () => {
  const geo = { country: 'DEU', lastfix: 30, ext: { street: 'Unter den Linden 1' } };
  const device: Device = { ip: '2001:db8::1', geo, ext: { ifv: 'A-1' } };
  const user: User = { id: 'u-1', geo, ext: { eids: [{ source: 'example' }] } };
  const expected = { geo: { country: 'DEU' } };
  assert.deepEqual(sent(device, user), { device: expected, user: expected });
});

test('fields that no schema names do not pass', () => {
  const device = { ua: 'Mozilla/5.0', macsha1: 'f'.repeat(40), ipv6: '2001:db8::1' };
  assert.deepEqual(sent(device, {}), { device: { ua: 'Mozilla/5.0' }, user: {} });
});

test('a mapped IPv4 address is sent as IPv4, an unreadable address not at all', () => {
  assert.deepEqual(sent({ ip: '::ffff:192.0.2.77' }, {}), {
    device: { ip: '192.0.2.77' },
    user: {},
  });
  assert.deepEqual(sent({ ip: 'localhost' }, {}), { device: {}, user: {} });
});

test('an opt-out under US law shortens the address and keeps the location', () => {
  const request = { regs: { us_privacy: '1YYN' } };
  const geo = { lat: 40.712_776, lon: -74.005_974 };
  assert.deepEqual(sent({ ip: '192.0.2.77', ifa: 'A-1', geo }, {}, request), {
    device: { ip: '192.0.2.0', geo },
    user: {},
  });
});

test('signals go out where OpenRTB 2.6 has them, wherever they came from', () => {
  const request = {
    regs: { coppa: 0, gdpr: 0, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] },
    user: { consent: 'CPX' },
    device: { ext: { lmt: '0', dnt: 1 } },
  };
  assert.deepEqual(sent({}, {}, request), {
    device: { lmt: 0, dnt: 1 },
    user: { consent: 'CPX' },
  });
  assert.deepEqual(regsOf(readSignals(request)), {
    coppa: 0,
    gdpr: 0,
    us_privacy: '1YNN',
    gpp: 'DBAA',
    gpp_sid: [7],
  });
  assert.equal(JSON.stringify(regsOf(readSignals({}))), '{}');
});

test('all devices and users have one shape, whatever is taken away', () => {
  const shapes = [{}, { regs: { coppa: 1 } }, { device: { lmt: 1 } }].map((request) => {
    const signals = readSignals(request);
    const identity = { device: { geo: {} }, user: { geo: {} }, signals };
    const { device, user } = applyEffects(identity, privacyFor(signals, null));
    return [device, user, device.geo ?? {}].map((object) => Object.keys(object));
  });
  assert.deepEqual(shapes[1], shapes[0]);
  assert.deepEqual(shapes[2], shapes[0]);
});

test('for any device and user: the originals stay as they are, and children leave no trace', () => {
  const degrees = fc.double({ min: -90, max: 90, noNaN: true });
  const geo = fc.record({ lat: degrees, lon: degrees, country: fc.constant('USA') });
  const device = fc.record({
    ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
    ifa: fc.uuid(),
    geo,
  });
  const user = fc.record({ buyeruid: fc.uuid(), yob: fc.nat(), keywords: fc.string(), geo });
  fc.assert(
    fc.property(device, user, (anyDevice, anyUser) => {
      const before = JSON.stringify([anyDevice, anyUser]);
      const text = JSON.stringify(sent(anyDevice, anyUser, { regs: { coppa: 1 } }));
      assert.equal(JSON.stringify([anyDevice, anyUser]), before);
      assert.doesNotMatch(text, /ifa|buyeruid|yob|keywords|lat|lon/);
      assert.ok(!text.includes(anyDevice.ifa));
    }),
  );
});
