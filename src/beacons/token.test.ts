import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { BEACON_KINDS, type WonImp } from '../events/beacon-record.ts';
import {
  BURL_BYTES_MAX,
  CLICK_URL_BYTES_MAX,
  CLOCK_SKEW_MAX_MS,
  NURL_BYTES_MAX,
  TOKEN_LIFE_MAX_MS,
  type Beacon,
} from './beacon.ts';
import { BEACON_NOW_MS, createBeacon, createKeyRing, createWonImp } from './fixtures.ts';
import { keyRingAt } from './key-ring.ts';
import {
  NONCE_BYTES,
  openToken,
  sealerOf,
  sealToken,
  TOKEN_LENGTH_MAX,
  type NonceSource,
} from './token.ts';

const NOW_MS = BEACON_NOW_MS;
const ring = createKeyRing();

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => Buffer.from(array).toString('hex'));
const flag = fc.constantFrom(0 as const, 1 as const);
const id = fc.maxSafeNat();
const micros = fc.nat({ max: 10_000_000_000 });
const text = fc.string({ unit: 'grapheme', maxLength: 64 });

const impArbitrary: fc.Arbitrary<WonImp> = fc.record(
  {
    auction_id: hex(16),
    imp: fc.nat({ max: 4095 }),
    expires_ms: fc.integer({ min: NOW_MS + 1, max: NOW_MS + TOKEN_LIFE_MAX_MS }),
    test: flag,
    fd: flag,
    publisher_id: id,
    property_id: id,
    zone_id: id,
    demand_partner_id: id,
    lineitem_id: id,
    dealid: text,
    ad_format: fc.constantFrom('banner' as const, 'video' as const, 'native' as const),
    interstitial: flag,
    rewarded: flag,
    app_bundle: text,
    app_site_domain: text,
    country_code: text,
    platform_demand: text,
    platform_supply: text,
    os: text,
    clearing_micros: micros,
    payout_micros: micros,
  },
  { noNullPrototype: true },
);
const address = fc.oneof(fc.webUrl(), fc.constant(''), text);
const beaconArbitrary: fc.Arbitrary<Beacon> = fc
  .record(
    {
      kind: fc.constantFrom(...BEACON_KINDS),
      home: hex(8),
      url: address,
      winUrl: address,
      imp: impArbitrary,
    },
    { noNullPrototype: true },
  )
  .map((beacon) => (beacon.kind === 'view' ? { ...beacon, url: '' } : beacon));
const drawNonce: NonceSource = () => randomBytes(NONCE_BYTES);
const repeated = (length: number): string => `https://b.example/${'x'.repeat(length - 18)}`;

function seal(beacon: Beacon): string {
  return sealToken(beacon, ring, randomBytes(NONCE_BYTES));
}

function reasonOf(token: string, kind: Beacon['kind'] = 'impression', nowMs = NOW_MS): string {
  const opened = openToken(token, kind, ring, nowMs);
  return opened.ok ? 'ok' : opened.reason;
}

describe('a sealed token', () => {
  test('gives back what was sealed, under every kind', () => {
    fc.assert(
      fc.property(beaconArbitrary, (beacon) => {
        const token = seal(beacon);
        assert.match(token, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(openToken(token, beacon.kind, ring, NOW_MS), { ok: true, beacon });
      }),
    );
  });

  test('with any one bit flipped is refused', () => {
    const bytes = Buffer.from(seal(createBeacon()), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.notEqual(reasonOf(flipped.toString('base64url')), 'ok', `bit ${bit}`);
    }
  });

  test('with any one character changed, lost or added is refused', () => {
    const token = seal(createBeacon());
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. %é';
    for (let at = 0; at < token.length; at += 1) {
      const [head, tail] = [token.slice(0, at), token.slice(at + 1)];
      for (const character of characters) {
        if (character !== token[at]) assert.notEqual(reasonOf(head + character + tail), 'ok');
        assert.notEqual(reasonOf(head + character + token.slice(at)), 'ok');
      }
      assert.notEqual(reasonOf(head + tail), 'ok');
      assert.notEqual(reasonOf(head), 'ok');
    }
    for (const character of characters) assert.notEqual(reasonOf(token + character), 'ok');
  });

  test('of one kind is no token of another, whatever its clear bytes are made to say', () => {
    for (const kind of BEACON_KINDS) {
      const token = seal(createBeacon({ kind, url: '' }));
      for (const [index, other] of BEACON_KINDS.entries()) {
        assert.equal(reasonOf(token, other), other === kind ? 'ok' : 'wrong_kind');
        const forged = Buffer.from(token, 'base64url');
        forged[1] = index + 1;
        const expected = other === kind ? 'ok' : 'tampered';
        assert.equal(reasonOf(forged.toString('base64url'), other), expected);
      }
    }
  });

  test('is refused from its expiry on, and when it would live longer than any may', () => {
    const token = seal(createBeacon());
    const { expires_ms } = createWonImp();
    assert.equal(reasonOf(token, 'impression', expires_ms - 1), 'ok');
    assert.equal(reasonOf(token, 'impression', expires_ms), 'expired');
    // What it says is known all the same: a late click still leads somewhere.
    assert.deepEqual(openToken(token, 'impression', ring, expires_ms), {
      ok: false,
      reason: 'expired',
      beacon: createBeacon(),
    });
    const latestMs = NOW_MS + TOKEN_LIFE_MAX_MS + CLOCK_SKEW_MAX_MS;
    const living = (expiresMs: number) =>
      reasonOf(seal(createBeacon({ imp: createWonImp({ expires_ms: expiresMs }) })));
    assert.equal(living(latestMs), 'ok');
    assert.equal(living(latestMs + 1), 'lives_too_long');
  });

  test('is opened by the key that it names, and by no other of that name', () => {
    const token = seal(createBeacon());
    const other = createKeyRing(8);
    assert.deepEqual(openToken(token, 'impression', other, NOW_MS), {
      ok: false,
      reason: 'unknown_key',
    });
    const namesake = keyRingAt([{ id: 7, secret: Buffer.alloc(32, 9), sealsFromMs: 0 }], NOW_MS);
    assert.deepEqual(openToken(token, 'impression', namesake, NOW_MS), {
      ok: false,
      reason: 'tampered',
    });
  });

  test('shows nothing of what it carries', () => {
    const beacon = createBeacon();
    const bytes = Buffer.from(seal(beacon), 'base64url');
    for (const secret of ['2.01', 'bidder', 'Android', 'game']) {
      assert.equal(bytes.includes(secret), false);
    }
    assert.equal(bytes.includes(Buffer.from(beacon.imp.auction_id, 'hex')), false);
  });

  test('takes up to 250 characters without an address, and fits into an address with the longest', (t) => {
    const bare = seal(createBeacon({ kind: 'view' })).length;
    const burl = seal(createBeacon()).length;
    const url = repeated(BURL_BYTES_MAX);
    const longBurl = seal(createBeacon({ url })).length;
    const winUrl = repeated(NURL_BYTES_MAX);
    const longest = seal(createBeacon({ url, winUrl, imp: createWonImp({ fd: 1 }) })).length;
    t.diagnostic(
      `without an address ${bare}, a short burl ${burl}, a burl of 1 KB ${longBurl}, and a nurl of 2 KB ${longest}`,
    );
    assert.ok(bare <= 250 && longBurl <= 1_700 && longest <= 4_500);
  });

  test('is not made with an address that is too long, a nonce or an id of another form', () => {
    const limits = { win: NURL_BYTES_MAX, impression: BURL_BYTES_MAX, click: CLICK_URL_BYTES_MAX };
    for (const kind of ['win', 'impression', 'click'] as const) {
      seal(createBeacon({ kind, url: 'x'.repeat(limits[kind]) }));
      for (const url of ['x'.repeat(limits[kind] + 1), 'é'.repeat(limits[kind] / 2 + 1)]) {
        const expected = new RegExp(`address of a ${kind} has at most ${limits[kind]} bytes`);
        assert.throws(() => seal(createBeacon({ kind, url })), expected);
      }
    }
    assert.throws(() => seal(createBeacon({ kind: 'view', url: 'x' })), /at most 0 bytes/);
    const winUrl = 'x'.repeat(NURL_BYTES_MAX + 1);
    assert.throws(() => seal(createBeacon({ winUrl })), /win notice has at most 2048 bytes/);
    const os = 'x'.repeat(TOKEN_LENGTH_MAX);
    assert.throws(() => seal(createBeacon({ imp: createWonImp({ os }) })), /texts .* are too long/);
    assert.throws(() => sealToken(createBeacon(), ring, randomBytes(NONCE_BYTES - 1)), /12 bytes/);
    for (const auction_id of ['', '00', 'g'.repeat(32), '0'.repeat(34)]) {
      const imp = createWonImp({ auction_id });
      assert.throws(() => seal(createBeacon({ imp })), /hexadecimal/);
    }
    for (const publisher_id of [-1, 1.5, NaN, 2 ** 60]) {
      const imp = createWonImp({ publisher_id });
      assert.throws(() => seal(createBeacon({ imp })), /unsigned integer/);
    }
  });
});

test('the tokens of one win, sealed together, are each the one of its kind', () => {
  const sealedWith: string[] = [];
  const counting: NonceSource = () => {
    const nonce = drawNonce();
    sealedWith.push(Buffer.from(nonce).toString('hex'));
    return nonce;
  };
  fc.assert(
    fc.property(fc.array(beaconArbitrary, { minLength: 1, maxLength: 4 }), (beacons) => {
      const { home, imp } = beacons[0] ?? createBeacon();
      const sealKind = sealerOf({ home, imp }, ring, counting);
      for (const { kind, url, winUrl } of beacons) {
        const opened = openToken(sealKind(kind, url, winUrl), kind, ring, NOW_MS);
        assert.deepEqual(opened, { ok: true, beacon: { kind, home, url, winUrl, imp } });
      }
      const bare = openToken(sealKind('view'), 'view', ring, NOW_MS);
      assert.deepEqual(bare, {
        ok: true,
        beacon: { kind: 'view', home, url: '', winUrl: '', imp },
      });
    }),
  );
  assert.equal(new Set(sealedWith).size, sealedWith.length, 'a nonce for each token');
});

test('nothing that is no token opens, throws, or takes long', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array).toString('base64url')),
        // With a header that is right.
        fc
          .uint8Array({ minLength: 29, maxLength: 400 })
          .map((array) => Buffer.from([1, 2, 0, 7, ...array]).toString('base64url')),
      ),
      (garbage) => {
        assert.notEqual(reasonOf(garbage), 'ok');
      },
    ),
    { numRuns: 2_000 },
  );
  assert.equal(reasonOf('A'.repeat(TOKEN_LENGTH_MAX + 4)), 'malformed');
});
