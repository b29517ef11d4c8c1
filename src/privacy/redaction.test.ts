import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Redaction } from './redaction.ts';

/** Every field of a device and a user that names a person, each with a value that is its own. */
const IDS = {
  ifa: 'AEBE52E7-03EE-455A-B3C4-E57283966239',
  didsha1: '1fb1a0c1e0c9d6e9b6a4a9f4c1d2e3f405162738',
  didmd5: '0123456789abcdef0123456789abcdef',
  dpidsha1: '2fb1a0c1e0c9d6e9b6a4a9f4c1d2e3f405162738',
  dpidmd5: '1123456789abcdef0123456789abcdef',
  macsha1: '3fb1a0c1e0c9d6e9b6a4a9f4c1d2e3f405162738',
  macmd5: '2123456789abcdef0123456789abcdef',
  ifv: '6D92078A-8246-4BA4-AE5B-76104861E7DC',
  userId: 'user/55816b39711f9b5a?',
  buyeruid: 'buyer "ü" 545678765467876567898765678987654',
  customdata: 'custom-data-of-a-buyer',
  eid: 'XY1000bIVBVah9ium-sZ3ykhPiXQbEcUpn4GjCtxrrw2BRDGM',
  prebid: 'prebid-buyer-id',
  email: 'someone@mail.example',
} as const;
const ADDRESSES = { ip: '203.0.113.77', ipv6: '2001:db8:85a3:8d3:1319:8a2e:370:7348' } as const;
const PLACES = { lat: 52.370216, lon: -4.895168, home: 40.712776 } as const;
const SECRETS = [...Object.values(IDS), ...Object.values(ADDRESSES)];

const DEVICE = {
  ua: 'Mozilla/5.0',
  ifa: IDS.ifa,
  didsha1: IDS.didsha1,
  didmd5: IDS.didmd5,
  dpidsha1: IDS.dpidsha1,
  dpidmd5: IDS.dpidmd5,
  macsha1: IDS.macsha1,
  macmd5: IDS.macmd5,
  ip: ADDRESSES.ip,
  ipv6: ADDRESSES.ipv6,
  make: 'Apple',
  geo: { lat: PLACES.lat, lon: PLACES.lon, country: 'NLD', zip: '1012' },
  ext: { ifv: IDS.ifv, atts: 3 },
};
const USER = {
  id: IDS.userId,
  buyeruid: IDS.buyeruid,
  customdata: IDS.customdata,
  yob: 1984,
  geo: { lat: PLACES.home, country: 'USA' },
  data: [{ id: 'provider-1', segment: [{ id: 'segment-1' }] }],
  ext: {
    consent: 'CONSENT-STRING',
    eids: [{ source: 'ids.example', uids: [{ id: IDS.eid, atype: 1 }] }],
    prebid: { buyeruids: { 1001: IDS.prebid } },
    email: IDS.email,
  },
};

function redactionOf(device: unknown = DEVICE, user: unknown = USER): Redaction {
  const redaction = new Redaction();
  redaction.device(device);
  redaction.user(user);
  return redaction;
}

test('what names a person is taken out of device and user, and all else stays', () => {
  const redaction = new Redaction();
  assert.deepEqual(redaction.device(DEVICE), {
    ...DEVICE,
    ifa: '***',
    didsha1: '***',
    didmd5: '***',
    dpidsha1: '***',
    dpidmd5: '***',
    macsha1: '***',
    macmd5: '***',
    ip: '203.0.113.0',
    ipv6: '2001:db8:85a3::',
    geo: { ...DEVICE.geo, lat: 52.37, lon: -4.9 },
    ext: { ifv: '***', atts: 3 },
  });
  assert.deepEqual(redaction.user(USER), {
    ...USER,
    id: '***',
    buyeruid: '***',
    customdata: '***',
    geo: { lat: 40.71, country: 'USA' },
    ext: {
      consent: 'CONSENT-STRING',
      eids: [{ source: 'ids.example', uids: [{ id: '***', atype: 1 }] }],
      prebid: { buyeruids: { 1001: '***' } },
      email: '***',
    },
  });
});

/** How a bidder may write a value into its answer. */
const WRITINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => encodeURIComponent(value),
  (value) => JSON.stringify(value),
  (value) => `http://x.example/?id=${encodeURIComponent(value)}&x`,
];

test('no value is left in a text, however it is written there and whatever stands around it', () => {
  const redaction = redactionOf();
  const piece = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom(...SECRETS), fc.constantFrom(...WRITINGS))
      .map(([value, write]) => write(value)),
  );
  const property = fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(400), (pieces, length) => {
    const text = redaction.text(pieces.join(' '), length);
    assert.ok(text.isWellFormed());
    const small = text.toLowerCase();
    for (const value of SECRETS) {
      for (const write of WRITINGS) assert.ok(!small.includes(write(value).toLowerCase()), value);
      // Nor its beginning, where the text is cut.
      assert.ok(!small.endsWith(` ${value.slice(0, 5).toLowerCase()}`), value);
    }
  });
  fc.assert(property);
});

test('addresses and coordinates in a text become as coarse as where they come from', () => {
  const redaction = redactionOf();
  const text = `ip=203.0.113.77 at 52.370216,-4.895168 or 4.895168 from ${ADDRESSES.ipv6}`;
  const coarse = 'ip=203.0.113.0 at 52.37,-4.9 or 4.9 from 2001:db8:85a3::';
  assert.equal(redaction.text(text, 1000), coarse);
});

test('an id without its dashes is the same id', () => {
  const text = redactionOf().text(`x${IDS.ifa.replaceAll('-', '').toLowerCase()}y`, 100);
  assert.equal(text, 'x***y');
});

test('a text without anything personal stays as it is, cut to its length', () => {
  const redaction = redactionOf();
  assert.equal(redaction.text('bid 17 of seat a-1', 100), 'bid 17 of seat a-1');
  assert.equal(redaction.text('bid 17', 3), 'bid');
  assert.equal(redaction.text('a😀', 2), 'a\ufffd');
  assert.equal(redaction.text('', 10), '');
});

test('a value across the cut is taken out whole', () => {
  const redaction = redactionOf();
  assert.equal(redaction.text(`id ${IDS.ifa} more`, 10), 'id ***');
});

test('what was as coarse before is neither changed nor looked for', () => {
  const device = { ip: '203.0.113.0', geo: { lat: 52.37, lon: 4.9 } };
  const redaction = new Redaction();
  assert.deepEqual(redaction.device(device), device);
  assert.equal(redaction.text('203.0.113.0 at 52.37,4.9', 100), '203.0.113.0 at 52.37,4.9');
});

test('too short a value is taken out where it stands, and not looked for in texts', () => {
  const redaction = new Redaction();
  assert.deepEqual(redaction.user({ id: '17' }), { id: '***' });
  assert.equal(redaction.text('bid 17', 100), 'bid 17');
});

test('an address that is none is taken out, and so is what hides behind a list', () => {
  const redaction = new Redaction();
  assert.deepEqual(redaction.device({ ip: 'localhost' }), { ip: '***' });
  assert.deepEqual(redaction.user({ ext: { ids: ['abcdef', 123456] } }), {
    ext: { ids: ['***', '***'] },
  });
  assert.equal(redaction.text('123456 abcdef', 100), '*** ***');
});

test('with more ids than can be looked for nothing is let through', () => {
  const uids = Array.from({ length: 201 }, (_, index) => ({ id: `person-${index}` }));
  const redaction = redactionOf({}, { ext: { eids: [{ uids }] } });
  assert.equal(redaction.text('anything at all', 100), '***');
  assert.equal(redaction.text('', 100), '');
});

test('what is no object is nobody', () => {
  const redaction = new Redaction();
  for (const value of [undefined, null, 5, 'text']) {
    assert.equal(redaction.device(value), value);
    assert.equal(redaction.user(value), value);
  }
});

test('an address that was mapped into IPv6 is found as the IPv4 address that bidders get', () => {
  const redaction = new Redaction();
  redaction.device({ ip: '::ffff:81.2.69.160', ipv6: '2001:DB8:7:0:0:0:0:1' });
  const text = 'i=81.2.69.160&j=::FFFF:81.2.69.160&k=2001:db8:7::1';
  assert.equal(redaction.text(text, 100), 'i=81.2.69.0&j=81.2.69.0&k=2001:db8:7::');
});

test('an id that came without its dashes is found with them', () => {
  const redaction = new Redaction();
  redaction.device({ ifa: 'AEBE52E703EE455AB3C4E57283966239' });
  assert.equal(redaction.text('aebe52e7-03ee-455a-b3c4-e57283966239', 100), '***');
});

test('a device nested a hundred thousand levels deep is redacted to its bottom', () => {
  let device: object = { ifa: IDS.ifa };
  for (let level = 0; level < 50_000; level += 1) device = { ext: [device] };
  const redaction = new Redaction();
  let clean = redaction.device(device);
  while (typeof clean === 'object' && clean !== null && !('ifa' in clean)) {
    [clean] = Object.values(clean);
  }
  assert.deepEqual(clean, { ifa: '***' });
  assert.equal(redaction.text(`seen: ${IDS.ifa}`, 100), 'seen: ***');
});
