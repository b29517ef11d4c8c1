import assert from 'node:assert/strict';
import { createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { BEACON_KINDS, type WonImp } from '../events/beacon-record.ts';
import {
  beaconOf,
  BURL_BYTES_MAX,
  CLICK_URL_BYTES_MAX,
  CLOCK_SKEW_MAX_MS,
  NURL_BYTES_MAX,
  TOKEN_LIFE_MAX_MS,
  type Beacon,
  type SealedWin,
} from './beacon.ts';
import {
  BEACON_NOW_MS,
  createBeacon,
  createKeyRing,
  createSealedWin,
  createWonImp,
  sealBeacon,
} from './fixtures.ts';
import { keyRingAt } from './key-ring.ts';
import { encodePayload, PAYLOAD_BYTES_MAX } from './payload.ts';
import { NONCE_BYTES, openToken, sealWin, TOKEN_LENGTH_MAX, type NonceSource } from './token.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

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
const winArbitrary: fc.Arbitrary<SealedWin> = fc.record(
  { home: hex(8), burl: address, nurl: address, clickUrl: address, imp: impArbitrary },
  { noNullPrototype: true },
);
const kindArbitrary = fc.constantFrom(...BEACON_KINDS);
const drawNonce: NonceSource = () => randomBytes(NONCE_BYTES);
const repeated = (length: number): string => `https://b.example/${'x'.repeat(length - 18)}`;

const KIND_AT = 1;
const KIND_TAG_BYTES = 16;

function seal(beacon: Beacon): string {
  return sealBeacon(beacon, ring, drawNonce());
}

/** The tokens of one win, as bytes. */
function tokensOf(win: SealedWin): Record<Beacon['kind'], Buffer> {
  const sealKind = sealWin(win, ring, drawNonce);
  const bytes = (kind: Beacon['kind']) => Buffer.from(sealKind(kind), 'base64url');
  return {
    win: bytes('win'),
    impression: bytes('impression'),
    view: bytes('view'),
    click: bytes('click'),
  };
}

function reasonOf(token: string, kind: Beacon['kind'] = 'impression', nowMs = NOW_MS): string {
  const opened = openToken(token, kind, ring, nowMs);
  return opened.ok ? 'ok' : opened.reason;
}

describe('a sealed token', () => {
  test('gives back what was sealed, under every kind', () => {
    fc.assert(
      fc.property(winArbitrary, kindArbitrary, (win, kind) => {
        const token = sealWin(win, ring, drawNonce)(kind);
        assert.match(token, /^[A-Za-z0-9_-]+$/);
        const beacon = beaconOf(kind, win);
        assert.deepEqual(openToken(token, kind, ring, NOW_MS), { ok: true, beacon });
      }),
    );
  });

  test('is what its description says, taken apart with nothing but node:crypto', () => {
    const win = createSealedWin();
    const { id: keyId, secret } = ring.current;
    const kindKey = createHmac('sha256', secret).update('rialto beacon kind').digest();
    for (const [index, kind] of BEACON_KINDS.entries()) {
      const bytes = tokensOf(win)[kind];
      const part = (from: number, to?: number): Buffer => bytes.subarray(from, to);
      assert.deepEqual([...part(0, 4)], [2, index + 1, keyId >> 8, keyId & 0xff]);
      const nonceAndTag = [part(4, 16), part(-32, -16)] as const;
      const signed = Buffer.concat([part(0, 4), ...nonceAndTag]);
      const kindTag = createHmac('sha256', kindKey).update(signed).digest().subarray(0, 16);
      assert.deepEqual(part(-16), kindTag);
      const decipher = createDecipheriv('aes-256-gcm', secret, nonceAndTag[0]);
      decipher.setAAD(Buffer.from([2, keyId >> 8, keyId & 0xff])).setAuthTag(nonceAndTag[1]);
      const payload = Buffer.concat([decipher.update(part(16, -32)), decipher.final()]);
      assert.deepEqual(payload, encodePayload(win));
    }
  });

  test('with any one bit flipped is refused, whatever address it is brought to', () => {
    const tokens = tokensOf(createSealedWin());
    for (const kind of BEACON_KINDS) {
      const bytes = tokens[kind];
      assert.equal(reasonOf(bytes.toString('base64url'), kind), 'ok');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const forged = flipped.toString('base64url');
        for (const called of BEACON_KINDS) {
          assert.notEqual(reasonOf(forged, called), 'ok', `bit ${bit} of a ${kind}`);
        }
      }
    }
  });

  test('of any win with any one bit of it flipped is refused', () => {
    const anywhere = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(winArbitrary, kindArbitrary, anywhere, (win, kind, share) => {
        const bytes = tokensOf(win)[kind];
        const bit = Math.floor(share * bytes.length * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.notEqual(reasonOf(bytes.toString('base64url'), kind), 'ok');
      }),
    );
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
    const tokens = tokensOf(createSealedWin());
    for (const kind of BEACON_KINDS) {
      for (const [index, other] of BEACON_KINDS.entries()) {
        const token = tokens[kind].toString('base64url');
        assert.equal(reasonOf(token, other), other === kind ? 'ok' : 'wrong_kind');
        const forged = Buffer.from(tokens[kind]);
        forged[KIND_AT] = index + 1;
        const expected = other === kind ? 'ok' : 'tampered';
        assert.equal(reasonOf(forged.toString('base64url'), other), expected);
      }
    }
  });

  test('has a kind tag that is worth nothing on a token of another kind, or of another win', () => {
    const tokens = tokensOf(createSealedWin());
    const others = tokensOf(createSealedWin());
    const withTagOf = (token: Buffer, tagged: Buffer): string => {
      const tagAt = token.length - KIND_TAG_BYTES;
      return Buffer.concat([
        token.subarray(0, tagAt),
        tagged.subarray(tagged.length - KIND_TAG_BYTES),
      ]).toString('base64url');
    };
    for (const kind of BEACON_KINDS) {
      for (const other of BEACON_KINDS) {
        const expected = other === kind ? 'ok' : 'tampered';
        assert.equal(reasonOf(withTagOf(tokens[kind], tokens[other]), kind), expected);
        assert.equal(reasonOf(withTagOf(tokens[kind], others[other]), kind), 'tampered');
      }
    }
  });

  test('is refused when the ciphertext of another is put between its clear bytes and its tags', () => {
    const token = tokensOf(createSealedWin()).impression;
    const other = tokensOf(createSealedWin()).impression;
    const [from, to] = [16, token.length - 32];
    assert.notDeepEqual(token.subarray(from, to), other.subarray(from, to));
    // The kind tag is right, for it is over what stands around the ciphertext: GCM's own tag tells.
    other.copy(token, from, from, to);
    assert.equal(reasonOf(token.toString('base64url')), 'tampered');
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
    const win = createSealedWin();
    for (const bytes of Object.values(tokensOf(win))) {
      for (const secret of ['2.01', 'bidder', 'Android', 'game', 'shop']) {
        assert.equal(bytes.includes(secret), false);
      }
      assert.equal(bytes.includes(Buffer.from(win.imp.auction_id, 'hex')), false);
    }
  });

  test('takes up to 250 characters without an address, and fits into an address with the longest', (t) => {
    const lengthOf = (differs: Partial<SealedWin>): number =>
      sealWin(createSealedWin(differs), ring, drawNonce)('view').length;
    const bare = { burl: '', nurl: '', clickUrl: '' };
    const none = lengthOf(bare);
    const short = lengthOf({ ...bare, burl: createBeacon().url });
    const burl = repeated(BURL_BYTES_MAX);
    const longBurl = lengthOf({ ...bare, burl });
    const notices = { burl, nurl: repeated(NURL_BYTES_MAX) };
    const longNotices = lengthOf({ ...bare, ...notices });
    const longest = lengthOf({ ...notices, clickUrl: repeated(CLICK_URL_BYTES_MAX) });
    t.diagnostic(
      `without an address ${none}, a short burl ${short}, a burl of 1 KB ${longBurl}, and a nurl of 2 KB ${longNotices}, and a click target of 2 KB ${longest}`,
    );
    assert.ok(none <= 250 && longBurl <= 1_700 && longNotices <= 4_500);
    assert.ok(longest <= TOKEN_LENGTH_MAX - 1_000, 'room for texts');
  });

  test('that is as long as any may be still opens', () => {
    const withOs = (length: number) =>
      createSealedWin({ imp: createWonImp({ os: 'x'.repeat(length) }) });
    const bytes = (win: SealedWin): number => tokensOf(win).view.length;
    const others = bytes(withOs(1_000)) - 1_000;
    const longest = withOs((TOKEN_LENGTH_MAX * 3) / 4 - others);
    const token = sealWin(longest, ring, drawNonce)('click');
    assert.equal(token.length, TOKEN_LENGTH_MAX);
    assert.equal(reasonOf(token, 'click'), 'ok');
  });

  test('is not made with an address that is too long, a nonce or an id of another form', () => {
    const limits = { burl: BURL_BYTES_MAX, nurl: NURL_BYTES_MAX, clickUrl: CLICK_URL_BYTES_MAX };
    const make = (differs: Partial<SealedWin>, source = drawNonce) =>
      sealWin(createSealedWin(differs), ring, source);
    for (const name of ['burl', 'nurl', 'clickUrl'] as const) {
      make({ [name]: 'x'.repeat(limits[name]) });
      for (const url of ['x'.repeat(limits[name] + 1), 'é'.repeat(limits[name] / 2 + 1)]) {
        assert.throws(() => make({ [name]: url }), new RegExp(`at most ${limits[name]} bytes`));
      }
    }
    const os = 'x'.repeat(PAYLOAD_BYTES_MAX);
    assert.throws(() => make({ imp: createWonImp({ os }) }), /takes more than 6144 bytes/);
    assert.throws(() => make({}, () => randomBytes(NONCE_BYTES - 1)), /12 bytes/);
    for (const auction_id of ['', '00', 'g'.repeat(32), '0'.repeat(34)]) {
      assert.throws(() => make({ imp: createWonImp({ auction_id }) }), /hexadecimal/);
    }
    for (const publisher_id of [-1, 1.5, NaN, 2 ** 60]) {
      assert.throws(() => make({ imp: createWonImp({ publisher_id }) }), /unsigned integer/);
    }
  });
});

test('the tokens of one win take one nonce, and open as what they are in any order', () => {
  const sealedWith: string[] = [];
  const counting: NonceSource = () => {
    const nonce = drawNonce();
    sealedWith.push(Buffer.from(nonce).toString('hex'));
    return nonce;
  };
  let wins = 0;
  const two = fc.tuple(winArbitrary, winArbitrary);
  const order = fc.array(fc.tuple(fc.nat({ max: 1 }), kindArbitrary), { maxLength: 12 });
  fc.assert(
    fc.property(two, order, (sealed, calls) => {
      // Two are sealed at a time: neither may write into the other's tokens.
      const sealers = sealed.map((win) => sealWin(win, ring, counting));
      wins += sealed.length;
      for (const [index, kind] of calls) {
        const token = sealers[index]?.(kind) ?? '';
        const beacon = beaconOf(kind, sealed[index] ?? createSealedWin());
        assert.deepEqual(openToken(token, kind, ring, NOW_MS), { ok: true, beacon });
      }
    }),
  );
  assert.equal(sealedWith.length, wins);
  assert.equal(new Set(sealedWith).size, wins, 'no nonce twice');
});

test('nothing that is no token opens, throws, or takes long', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array).toString('base64url')),
        // With a header that is right.
        fc
          .uint8Array({ minLength: 45, maxLength: 400 })
          .map((array) => Buffer.from([2, 2, 0, 7, ...array]).toString('base64url')),
      ),
      (garbage) => {
        assert.notEqual(reasonOf(garbage), 'ok');
      },
    ),
    { numRuns: runs(200) },
  );
  assert.equal(reasonOf('A'.repeat(TOKEN_LENGTH_MAX + 4)), 'malformed');
});
