import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyRingAt } from '../beacons/key-ring.ts';
import {
  emptiedMatch,
  isKeepable,
  MATCH_KEPT_S,
  NO_MATCH,
  type Match,
  type Matches,
} from './match.ts';
import { CookieJar } from './fixtures.ts';
import type { CookieContent } from './payload.ts';
import { NOBODY, UserCookies } from './user-cookies.ts';

const NOW_S = 1_800_000_000;
const BROWSER = '0123456789abcdef';

interface Jar {
  readonly cookies: UserCookies;
  /** The browser's `Cookie` header after it has taken `Set-Cookie` lines. */
  readonly take: (lines: readonly string[]) => string;
  readonly header: () => string;
}

/** Cookies of an exchange at a moment, and a browser that keeps what it is told to. */
function aJar(nowS = NOW_S, secret = 7): Jar {
  const keys = {
    ring: keyRingAt([{ id: 1, secret: Buffer.alloc(32, secret), sealsFromMs: 0 }], 1),
  };
  let drawn = 0;
  const drawNonce = (): Buffer => {
    drawn += 1;
    return Buffer.alloc(12, drawn);
  };
  const jar = new CookieJar();
  return {
    cookies: new UserCookies({ keys, drawNonce, nowS: () => nowS }),
    header: () => jar.header,
    take: (lines) => {
      jar.take(lines);
      return jar.header;
    },
  };
}

function aMatch(differs: Partial<Match> = {}): Match {
  return { ...NO_MATCH, uid: 'u', uidSetS: NOW_S, ...differs };
}

function contentOf(matches: Matches, pageS = 0): CookieContent {
  return { browser: BROWSER, pageS, matches };
}

const someMatches = fc.dictionary(
  fc.integer({ min: 1, max: 2_000_000_000 }).map(String),
  fc.record(
    {
      uid: fc.string({ minLength: 1, maxLength: 256 }),
      uidSetS: fc.integer({ min: NOW_S - MATCH_KEPT_S + 1, max: NOW_S }),
      customdata: fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }).filter(isKeepable),
      customdataSetS: fc.integer({ min: NOW_S - MATCH_KEPT_S + 1, max: NOW_S }),
      offeredS: fc.integer({ min: 0, max: NOW_S }),
    },
    { noNullPrototype: true },
  ),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

test('what is kept is read again, from one cookie', () => {
  fc.assert(
    fc.property(someMatches, fc.nat(NOW_S), (entries, pageS) => {
      const matches = new Map(Object.entries(entries).map(([id, match]) => [Number(id), match]));
      const { cookies, take } = aJar();
      const header = take(cookies.keepAll(NOBODY, contentOf(matches, pageS)));
      const user = cookies.read(header);
      assert.deepEqual([user.browser, user.pageS, user.optedOut], [BROWSER, pageS, false]);
      assert.deepEqual(
        [...user.matches].toSorted(([a], [b]) => a - b),
        [...matches].toSorted(([a], [b]) => a - b),
      );
    }),
  );
});

test('a cookie says only to the exchange what is in it, and goes over https to all sites alone', () => {
  const { cookies } = aJar();
  const [line = ''] = cookies.keepAll(
    NOBODY,
    contentOf(new Map([[1001, aMatch({ uid: 'acme-17' })]])),
  );
  const [, value = ''] = /^rialto_user=([^;]+); /.exec(line) ?? [];
  assert.doesNotMatch(Buffer.from(value, 'base64url').toString('latin1'), /acme/);
  assert.match(line, /; Max-Age=7776000; Path=\/; Secure; HttpOnly; SameSite=None$/);
});

test('whatever bytes a browser brings, nothing is thrown and no id comes out', () => {
  const { cookies } = aJar();
  const bytes = fc
    .uint8Array({ maxLength: 4_000 })
    .map((raw) => Buffer.from(raw).toString('base64url'));
  const headed = bytes.map((text) => `AQABUVgA${text}`);
  const value = fc.oneof(fc.string({ maxLength: 5_000 }), bytes, headed);
  const name = fc.constantFrom(
    'rialto_user',
    'rialto_user_1001',
    'rialto_user_x',
    ' rialto_user',
    '',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
      const header = pairs.map(([key, text]) => `${key}=${text}`).join(';');
      assert.equal(cookies.read(header).matches.size, 0);
    }),
    { numRuns: 500 },
  );
});

test('a changed bit, another name or another key makes a cookie worth nothing', () => {
  const { cookies, take } = aJar();
  const header = take(cookies.keepAll(NOBODY, contentOf(new Map([[1001, aMatch()]]))));
  const value = Buffer.from(header.slice('rialto_user='.length), 'base64url');
  for (let bit = 0; bit < value.length * 8; bit += 1) {
    const changed = Buffer.from(value);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(cookies.read(`rialto_user=${changed.toString('base64url')}`).matches.size, 0);
  }
  assert.equal(cookies.read(header.replace('rialto_user', 'rialto_user_1001')).matches.size, 0);
  assert.equal(aJar(NOW_S, 8).cookies.read(header).matches.size, 0);
  assert.equal(cookies.read(header).matches.size, 1);
});

test('what partners set side by side is all kept, and the next page brings it together', () => {
  const { cookies, take, header } = aJar();
  const before = cookies.read(take(cookies.keepAll(NOBODY, contentOf(new Map()))));
  // All of them answer requests that carried the same cookie.
  for (const id of [1001, 1002, 1003]) {
    take(cookies.keepChanges(before, BROWSER, new Map([[id, aMatch({ uid: `of-${id}` })]])));
  }
  const user = cookies.read(header());
  assert.deepEqual(
    [...user.matches.keys()].toSorted((a, b) => a - b),
    [1001, 1002, 1003],
  );
  assert.equal(user.names.length, 4);
  take(cookies.keepAll(user, { browser: BROWSER, pageS: NOW_S, matches: user.matches }));
  assert.deepEqual(cookies.read(header()).names, ['rialto_user']);
  assert.equal(cookies.read(header()).matches.size, 3);
});

test('of each value the one that was set last counts, and what was removed stays away', () => {
  const { cookies, take, header } = aJar();
  const old = aMatch({ uid: 'old', uidSetS: NOW_S - 10, customdata: 'd', customdataSetS: NOW_S });
  take(cookies.keepAll(NOBODY, contentOf(new Map([[1001, old]]))));
  take(
    cookies.keepChanges(cookies.read(header()), BROWSER, new Map([[1001, aMatch({ uid: 'new' })]])),
  );
  const { uid, customdata } = cookies.read(header()).matches.get(1001) ?? NO_MATCH;
  assert.deepEqual([uid, customdata], ['new', 'd']);
  const gone = emptiedMatch(aMatch(), NOW_S + 1);
  take(cookies.keepChanges(cookies.read(header()), BROWSER, new Map([[1001, gone]])));
  assert.deepEqual(cookies.read(header()).matches.get(1001), { ...gone, offeredS: 0 });
});

test('no more than six cookies stand beside the one of all', () => {
  const { cookies, take, header } = aJar();
  for (let id = 1; id <= 40; id += 1) {
    take(
      cookies.keepChanges(
        cookies.read(header()),
        BROWSER,
        new Map([[id, aMatch({ uid: `of-${id}` })]]),
      ),
    );
    assert.ok(cookies.read(header()).names.length <= 7);
  }
  assert.equal(cookies.read(header()).matches.size, 40);
});

test('many changes at once are one cookie, and what was there before stays', () => {
  const { cookies, take, header } = aJar();
  take(cookies.keepChanges(NOBODY, BROWSER, new Map([[1, aMatch({ uid: 'before' })]])));
  const changes = new Map(Array.from({ length: 10 }, (_, at) => [at + 2, aMatch()]));
  take(cookies.keepChanges(cookies.read(header()), BROWSER, changes));
  const user = cookies.read(header());
  assert.deepEqual([user.names, user.matches.size], [['rialto_user'], 11]);
  assert.equal(user.matches.get(1)?.uid, 'before');
});

test('a cookie stays below 4 KB: what was set the longest ago goes', () => {
  const { cookies, take } = aJar();
  const matches = new Map(
    Array.from({ length: 100 }, (_, at) => [
      at + 1,
      aMatch({ uid: 'x'.repeat(200), uidSetS: NOW_S - at }),
    ]),
  );
  const header = take(cookies.keepAll(NOBODY, contentOf(matches)));
  assert.ok(header.length > 3_500 && header.length < 4_000, `${header.length}`);
  const kept = [...cookies.read(header).matches.keys()];
  assert.ok(kept.length > 10);
  assert.deepEqual(
    kept,
    Array.from({ length: kept.length }, (_, at) => at + 1),
  );
});

test('each id has its own expiry', () => {
  const { cookies, take } = aJar();
  const matches = new Map([
    [1001, aMatch({ uidSetS: NOW_S - MATCH_KEPT_S + 60, customdata: 'd', customdataSetS: NOW_S })],
    [1002, aMatch()],
  ]);
  const header = take(cookies.keepAll(NOBODY, contentOf(matches)));
  const later = aJar(NOW_S + 61).cookies.read(header).matches;
  assert.deepEqual([later.get(1001)?.uid, later.get(1001)?.customdata], ['', 'd']);
  assert.equal(later.get(1002)?.uid, 'u');
  assert.equal(aJar(NOW_S + MATCH_KEPT_S + 3 * 86_400).cookies.read(header).matches.size, 0);
});

test('who opted out is nobody, and all but the opt-out is removed', () => {
  const { cookies, take, header } = aJar();
  take(cookies.keepAll(NOBODY, contentOf(new Map([[1001, aMatch()]]))));
  const sealed = header();
  const both = cookies.read(`${sealed}; rialto_optout=1`);
  assert.deepEqual([both.optedOut, both.matches.size, both.browser], [true, 0, null]);
  assert.equal(take(cookies.optOut(cookies.read(sealed))), 'rialto_optout=1');
  assert.equal(take(cookies.optIn()), '');
  assert.equal(cookies.read(undefined), NOBODY);
});
