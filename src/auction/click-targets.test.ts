import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLICK_TARGETS_MAX, leadClicks } from './click-targets.ts';
import type { MacroValues } from './macros.ts';
import { substituteMacros } from './macros.ts';

const VALUES: MacroValues = {
  auctionId: 'a81f3c',
  bidId: null,
  impId: '1',
  seatId: null,
  adId: 'summer sale',
  priceMicros: 2_510_000,
  bidMicros: 3_000_000,
  lossReason: 0,
  minToWinMicros: null,
  clickUrl: 'https://track.example/click/COUNT',
};

/** Markup with its clicks led on, and the targets in their order. */
function lead(markup: string) {
  const targets: string[] = [];
  const led = leadClicks(markup, VALUES, (target) => {
    if (target.includes('unfit')) return null;
    targets.push(target);
    return `https://track.example/click/T${targets.length}`;
  });
  return { markup: substituteMacros(led, VALUES, 'markup'), targets };
}

test('a click macro in front of an address becomes one address that leads there', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      '<a href="${CLICK_URL}https://s.example/?a=1&amp;b=2">',
      '<a href="@">',
      'https://s.example/?a=1&b=2',
    ],
    ["open('${CLICK_URL}http://s.example/a(b)')", "open('@')", 'http://s.example/a(b)'],
    ['<![CDATA[${CLICK_URL}https://s.example/]]></C>', '<![CDATA[@]]></C>', 'https://s.example/'],
    ['"${CLICK_URL}https%3A%2F%2Fs.example%2F%3Fa"', '"@"', 'https://s.example/?a'],
    ['"${CLICK_URL}https://s.example/${AUCTION_AD_ID}"', '"@"', 'https://s.example/summer%20sale'],
  ];
  for (const [markup, expected, target] of cases) {
    const led = lead(markup);
    assert.equal(led.markup, expected.replace('@', 'https://track.example/click/T1'));
    assert.deepEqual(led.targets, [target]);
  }
});

test('the encoded macro leaves an encoded address', () => {
  const { markup } = lead('https://ads.example/c?to=${CLICK_URL_ENC}https%3A%2F%2Fs.example"');
  assert.equal(markup, 'https://ads.example/c?to=https%3A%2F%2Ftrack.example%2Fclick%2FT1"');
});

test('a macro that stands alone still only counts', () => {
  const { markup, targets } = lead('<a href="https://s.example/" ping="${CLICK_URL}">');
  assert.equal(markup, `<a href="https://s.example/" ping="${VALUES.clickUrl}">`);
  assert.deepEqual(targets, []);
});

test('a target that cannot be sealed, or is one too many, is led to uncounted', () => {
  assert.equal(lead('"${CLICK_URL}https://unfit.example/"').markup, '"https://unfit.example/"');
  assert.equal(lead('"${CLICK_URL}https%3A%2F%2F%zz"').markup, '"https%3A%2F%2F%zz"');
  const many = Array.from(
    { length: CLICK_TARGETS_MAX + 1 },
    (_, at) => `"\${CLICK_URL}https://s${at}.example"`,
  );
  const { markup, targets } = lead([...many, ...many].join(' '));
  assert.equal(targets.length, CLICK_TARGETS_MAX);
  assert.equal(markup.split(`"https://s${CLICK_TARGETS_MAX}.example"`).length, 3);
});

test('other markup is left alone, and nothing hostile makes it slow or throw', () => {
  const piece = fc.constantFrom(
    '${CLICK_URL}',
    '${CLICK_URL_ENC}',
    'https://',
    'https%3A%2F%2F',
    '%',
    ']]>',
    '"',
    '${',
  );
  const text = fc.array(fc.oneof(piece, fc.string())).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (markup) => {
      const { targets } = lead(markup);
      assert.ok(targets.length <= CLICK_TARGETS_MAX);
      const plain = markup.replaceAll('${CLICK_URL', '');
      assert.equal(
        leadClicks(plain, VALUES, () => assert.fail()),
        plain,
      );
    }),
  );
});
