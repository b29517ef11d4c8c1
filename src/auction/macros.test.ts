import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  GROWTH_MAX,
  MACROS,
  substituteMacros,
  URL_GROWTH_MAX,
  type MacroValues,
} from './macros.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

/** The values that the examples of docs/reference/macros.md are made of. */
const VALUES: MacroValues = {
  auctionId: 'a81f3c',
  bidId: 'r-17',
  impId: '1',
  seatId: 'acme-1',
  adId: 'summer sale',
  priceMicros: 2_510_000,
  bidMicros: 3_000_000,
  lossReason: 0,
  minToWinMicros: 2_510_000,
  clickUrl: 'https://track.example/click/Zm9v',
};

const NOTHING: MacroValues = {
  auctionId: '',
  bidId: null,
  impId: '',
  seatId: null,
  adId: null,
  priceMicros: null,
  bidMicros: 3_000_000,
  lossReason: null,
  minToWinMicros: null,
  clickUrl: null,
};

function price(priceMicros: number): string {
  return substituteMacros('${AUCTION_PRICE}', { ...VALUES, priceMicros }, 'url');
}

test('every macro of the documentation exists, with the example that it gives', () => {
  const documented = new Map<string, string>();
  const page = readFileSync(new URL('../../docs/reference/macros.md', import.meta.url), 'utf8');
  for (const [, name = '', example = ''] of page.matchAll(
    /^\| `\$\{(\S+)\}` .*\| `(\S+)` +\|$/gm,
  )) {
    documented.set(name, example);
  }
  const actual = new Map(
    [...MACROS.keys()].map((name) => [name, substituteMacros(`\${${name}}`, VALUES, 'markup')]),
  );
  assert.deepEqual(documented, actual);
});

test('what has no value leaves nothing behind', () => {
  for (const name of MACROS.keys()) {
    if (name.startsWith('AUCTION_CURRENCY')) continue;
    assert.equal(substituteMacros(`[\${${name}}]`, NOTHING, 'url'), '[]', name);
  }
});

test('what is no macro of this exchange stays as it is', () => {
  const text =
    '${AUCTION_FOO} ${AUCTION_PRICE:AES} ${CLICK_URL:B64} $${x} ${auction_price} ${AUCTION_PRICE {AUCTION_ID} %%PRICE%% `${i}`';
  assert.equal(substituteMacros(text, VALUES, 'markup'), text);
});

test('a withheld price takes the market bid ratio with it', () => {
  const text = 'p=${AUCTION_PRICE}&m=${AUCTION_MBR}&l=${AUCTION_LOSS}';
  const values: MacroValues = { ...VALUES, priceMicros: null, lossReason: 102 };
  assert.equal(substituteMacros(text, values, 'url'), 'p=&m=&l=102');
});

test('nothing that was put in is substituted again', () => {
  const values = { ...VALUES, seatId: '${AUCTION_PRICE}', adId: '${CLICK_URL}' };
  assert.equal(
    substituteMacros('${AUCTION_SEAT_ID}/${AUCTION_AD_ID}', values, 'markup'),
    '%24%7BAUCTION_PRICE%7D/%24%7BCLICK_URL%7D',
  );
  // The text itself spells a macro around one: what comes of it was not looked at again.
  const spelled = { ...VALUES, adId: 'PRICE' };
  assert.equal(
    substituteMacros('${AUCTION_${AUCTION_AD_ID}}', spelled, 'markup'),
    '${AUCTION_PRICE}',
  );
});

test('prices are the shortest exact decimals, without exponent or noise', () => {
  assert.equal(price(0), '0');
  assert.equal(price(1), '0.000001');
  assert.equal(price(100_000), '0.1');
  assert.equal(price(300_000), '0.3');
  assert.equal(price(2_000_000), '2');
  assert.equal(price(10_000_000_000), '10000');
});

test('every price reads back as its micros', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 15 - 1 }), (micros) => {
      const text = price(micros);
      assert.match(text, /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/);
      const [whole = '', fraction = ''] = text.split('.');
      assert.equal(BigInt(whole + fraction.padEnd(6, '0')), BigInt(micros));
    }),
  );
});

test('a price that is no whole number of micros is a fault of the exchange and throws', () => {
  for (const micros of [0.5, -1, Number.NaN, Infinity, 1e15]) {
    assert.throws(() => price(micros), RangeError, String(micros));
  }
});

test('the market bid ratio has up to six decimals', () => {
  const ratio = (priceMicros: number, bidMicros: number | null) =>
    substituteMacros('${AUCTION_MBR}', { ...VALUES, priceMicros, bidMicros }, 'url');
  assert.equal(ratio(3_000_000, 3_000_000), '1');
  assert.equal(ratio(1_500_000, 3_000_000), '0.5');
  assert.equal(ratio(1_000_000, 3_000_000), '0.333333');
  assert.equal(ratio(1, 10_000_000_000), '0');
  assert.equal(ratio(10_000, 10_000_000_000), '0.000001');
  assert.equal(ratio(1, 0), '');
  assert.equal(ratio(1, null), '');
});

test('base64 is over the value itself and reads back in UTF-8', () => {
  const encoded = (adId: string) =>
    substituteMacros('${AUCTION_AD_ID:B64}', { ...VALUES, adId }, 'markup');
  assert.equal(encoded('~~?>'), 'fn4_Pg==');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (adId) => {
      assert.equal(Buffer.from(encoded(adId), 'base64url').toString(), adId);
      assert.match(encoded(adId), /^[\w-]*={0,2}$/);
    }),
  );
});

test('base64 of a price is the same in the standard alphabet', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 10 }), (priceMicros) => {
      const text = substituteMacros('${AUCTION_PRICE:B64}', { ...VALUES, priceMicros }, 'url');
      assert.equal(text, Buffer.from(price(priceMicros)).toString('base64'));
    }),
  );
});

test('a notice URL loses its control characters, markup keeps its own', () => {
  const text = 'https://b.example/w?\r\nHost: evil\t\u0000\u007f\u0085&p=${AUCTION_PRICE}';
  assert.equal(substituteMacros(text, VALUES, 'url'), 'https://b.example/w?Host: evil&p=2.51');
  assert.equal(substituteMacros('\r\n${AUCTION_PRICE}\n', VALUES, 'markup'), '\r\n2.51\n');
  assert.equal(substituteMacros('https://b.example/\n', VALUES, 'url'), 'https://b.example/');
});

test('a macro that a control character tore apart is still one in a notice URL', () => {
  assert.equal(substituteMacros('${AUCTION_\nPRICE}', VALUES, 'url'), '2.51');
});

test('an unsafe click address is a fault of the exchange and throws where it is used', () => {
  for (const clickUrl of [
    'javascript:alert',
    'https://t.example/c?a=1&b=2',
    "https://t.example/'",
  ]) {
    const values = { ...VALUES, clickUrl };
    assert.throws(() => substituteMacros('${CLICK_URL}', values, 'markup'), RangeError);
    assert.throws(() => substituteMacros('${CLICK_URL_ENC}', values, 'markup'), RangeError);
    assert.equal(substituteMacros('${AUCTION_LOSS}', values, 'markup'), '0');
  }
  const clickUrl = 'http://[::1]:8082/c?t=a-b_c~d%20';
  assert.equal(substituteMacros('${CLICK_URL}', { ...VALUES, clickUrl }, 'markup'), clickUrl);
});

test('a text cannot be blown up: past the limit macros are replaced by nothing', () => {
  const adId = "'".repeat(100_000);
  const text = '${AUCTION_AD_ID}'.repeat(8_000);
  const result = substituteMacros(`${text}\${AUCTION_X}`, { ...VALUES, adId }, 'markup');
  assert.ok(result.length <= GROWTH_MAX + text.length, `${result.length} characters`);
  assert.ok(result.endsWith('%27${AUCTION_X}'));
});

test('a notice URL grows by little, and stays longer than any that is kept', () => {
  const adId = '\u20ac'.repeat(256);
  const text = `https://b.example/?${'${AUCTION_AD_ID}'.repeat(480)}`;
  const result = substituteMacros(text, { ...VALUES, adId }, 'url');
  assert.ok(result.length <= URL_GROWTH_MAX + text.length, `${result.length} characters`);
  assert.ok(result.length > URL_GROWTH_MAX / 2, `${result.length} characters`);
});

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '"><script>',
    "');alert(1)//",
    '</Impression>',
    ']]>',
    '\r\nX: y',
    '\ud800',
    '--',
  ),
  fc.constantFrom('${AUCTION_PRICE}', '${CLICK_URL}', '$&', '$1', "$'", '\\', '`', '%0d%0a'),
);

const values: fc.Arbitrary<MacroValues> = fc.record({
  auctionId: hostile,
  bidId: fc.option(hostile),
  impId: hostile,
  seatId: fc.option(hostile),
  adId: fc.option(hostile),
  priceMicros: fc.option(fc.integer({ min: 0, max: 10 ** 10 })),
  bidMicros: fc.option(fc.integer({ min: 1, max: 10 ** 10 })),
  lossReason: fc.constantFrom(null, 0, 102, 213),
  minToWinMicros: fc.option(fc.integer({ min: 0, max: 10 ** 10 })),
  clickUrl: fc.constantFrom(null, 'https://t.example/c/abc'),
});

const context = fc.constantFrom('url', 'markup');

test('whatever the values are, what they leave in the text is safe in every context', () => {
  // A character that no value can bring stands between the macros, to find the places by.
  const parts = fc.array(fc.constantFrom(...MACROS.keys()), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, values, context, (names, someValues, where) => {
      const text = names.map((name) => `\${${name}}`).join('|');
      const places = substituteMacros(text, someValues, where).split('|');
      assert.equal(places.length, names.length);
      for (const [index, name] of names.entries()) {
        // The click address is the exchange's own and stands as it is.
        const safe = name === 'CLICK_URL' ? /^[\w.~:/?=%[\]-]*$/ : /^[\w.~%=-]*$/;
        assert.match(places[index] ?? '', safe, name);
        assert.doesNotMatch(places[index] ?? '', /[\r\n]/);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('no macro is left over, and the text between them is untouched', () => {
  const between = fc.string().map((text) => text.replaceAll(/[${}\p{Cc}]/gu, ''));
  const macro = fc.constantFrom(...MACROS.keys());
  fc.assert(
    fc.property(fc.array(fc.tuple(between, macro)), between, values, (pairs, end, someValues) => {
      const text = pairs.map(([before, name]) => `${before}\${${name}}`).join('') + end;
      const expected = pairs.map(
        ([before, name]) => before + (MACROS.get(name)?.(someValues) ?? '?'),
      );
      const result = substituteMacros(text, someValues, 'url');
      assert.equal(result, expected.join('') + end);
      for (const name of MACROS.keys()) assert.ok(!result.includes(`\${${name}}`));
    }),
    { numRuns: runs(50) },
  );
});

test('arbitrary text comes through, and a text without macros as it is', () => {
  const fragments = fc.constantFrom('${', '${AUCTION_', '}', ':B64}', 'PRICE}', '$', '{', 'x');
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 60 }), values, context, (bits, some, where) => {
      const text = bits.join('');
      const result = substituteMacros(text, some, where);
      if (![...MACROS.keys()].some((name) => text.includes(`\${${name}}`))) {
        assert.equal(result, text);
      }
    }),
    { numRuns: runs(100) },
  );
});
