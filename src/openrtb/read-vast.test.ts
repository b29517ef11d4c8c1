import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MARKUP_LENGTH_MAX } from './limits.ts';
import { readVast, type VastDocument } from './read-vast.ts';

function vastOf(adm: string): VastDocument {
  const read = readVast(adm);
  assert.ok(read.ok, read.ok ? '' : read.problem);
  return read.vast;
}

function problemOf(adm: string): string {
  const read = readVast(adm);
  assert.ok(!read.ok, adm);
  return read.problem;
}

/** One ad, inline, with a creative. */
function withCreative(creative: string): string {
  return `<VAST version="3.0"><Ad id="1"><InLine><Creatives><Creative>${creative}</Creative></Creatives></InLine></Ad></VAST>`;
}

test('what an ad shows is read, in whatever form XML may have it', () => {
  const linear = `<Linear><Duration> 00:01:05.5 </Duration><MediaFiles>
    <MediaFile type='video/mp4' width="640"><![CDATA[https://cdn.example/a.mp4?a=1&b=2<x>]]></MediaFile>
    <MediaFile apiFramework="VPAID" type="application/javascript"/></MediaFiles></Linear>`;
  const adm = `\n<?xml version="1.0" encoding="UTF-8"?>\n<!-- one --><!-- two -->${withCreative(linear)}<!-- three -->\n`;
  assert.deepEqual(vastOf(adm), {
    ads: 1,
    durations: [65.5],
    hasLinear: true,
    hasNonLinear: false,
    choices: [
      [
        { type: 'video/mp4', apiFramework: undefined },
        { type: 'application/javascript', apiFramework: 'VPAID' },
      ],
    ],
  });
});

test('each linear ad has its own files to choose from, non-linear ads one choice together', () => {
  const files = (...types: readonly string[]): string =>
    `<Linear><MediaFiles>${types.map((type) => `<MediaFile type="${type}"/>`).join('')}</MediaFiles></Linear>`;
  const overlay =
    '<NonLinearAds><NonLinear apiFramework="VPAID"/><NonLinear></NonLinear></NonLinearAds>';
  const { choices, hasNonLinear } = vastOf(
    withCreative(`${files('a', 'b')}${files('c')}${overlay}`),
  );
  assert.deepEqual(
    choices.map((choice) => choice.map(({ type, apiFramework }) => type ?? apiFramework)),
    [['a', 'b'], ['c'], ['VPAID', undefined]],
  );
  assert.ok(hasNonLinear);
});

test('what stands in extensions, comments and CDATA is nothing of the ad', () => {
  const elsewhere = '<Linear><Duration>00:00:59</Duration></Linear><Ad/>';
  const { ads, durations, hasLinear } = vastOf(
    withCreative(
      `<!-- ${elsewhere} --><Extensions><Extension>${elsewhere}</Extension></Extensions><HTMLResource><![CDATA[${elsewhere}]]></HTMLResource>`,
    ),
  );
  assert.deepEqual([ads, durations, hasLinear], [1, [], false]);
  assert.equal(vastOf('<VAST version="3.0"/>').ads, 0);
});

test('a duration is read across CDATA and comments; one that is not HH:MM:SS is null', () => {
  const cases: readonly (readonly [element: string, durations: readonly (number | null)[]])[] = [
    ['<Duration><![CDATA[00:05:00]]></Duration>', [300]],
    ['<Duration>00:05:00<!-- --></Duration>', [300]],
    ['<Duration>00:<!-- x -->05<?y?><![CDATA[:00]]></Duration>', [300]],
    ['<Duration><x>00:05:00</x></Duration>', [300]],
    ['<Duration>00:00:15.000000</Duration>', [15]],
    ['<Duration>0:5:0</Duration>', [null]],
    ['<Duration>300</Duration>', [null]],
    ['<Duration>00:00:15<![CDATA[0]]></Duration>', [null]],
    ['<Duration></Duration><Duration/>', [null, null]],
    ['<Duration>00:05:00<Duration>00:00:15</Duration></Duration>', [15, null]],
    ['<Extensions><Duration/><Duration>x</Duration></Extensions>', []],
  ];
  for (const [element, durations] of cases) {
    const linear = withCreative(`<Linear>${element}</Linear>`);
    assert.deepEqual(vastOf(linear).durations, durations, element);
  }
});

test('references in attributes are resolved, as a player does', () => {
  const file = (attributes: string) =>
    vastOf(withCreative(`<MediaFiles><MediaFile ${attributes}/></MediaFiles>`)).choices[0]?.[0];
  assert.deepEqual(file('type="video&#47;mp&#x34;" apiFramework="&#86;PAI&#x44;"'), {
    type: 'video/mp4',
    apiFramework: 'VPAID',
  });
  assert.equal(file('type="&amp;lt;&lt;&gt;&quot;&apos;"')?.type, '&lt;<>"\'');
  assert.equal(file('type="&#9999999;&#xffffff;"')?.type, '\ufffd\ufffd');
});

test('a document with more durations or files than are read is refused', () => {
  const durations = (count: number): string => '<Duration>00:00:15</Duration>'.repeat(count);
  assert.equal(vastOf(withCreative(durations(20))).durations.length, 20);
  assert.match(problemOf(withCreative(durations(21))), /more than 20 durations/);
  for (const name of ['MediaFile', 'NonLinear']) {
    const files = (count: number): string =>
      withCreative(`<MediaFiles>${`<${name} type="a"/>`.repeat(count)}</MediaFiles>`);
    assert.equal(vastOf(files(500)).choices[0]?.length, 500);
    assert.match(problemOf(files(501)), /more than 500 files/);
  }
});

test('what is not well-formed is refused, and says why', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['<VAST>', /<VAST> is not closed/],
    ['<VAST><Ad></VAST>', /<\/VAST> ends <Ad>/],
    ['<VAST></VAST><VAST></VAST>', /more than one root/],
    ['<VAST></VAST></VAST>', /ends nothing/],
    ['<VAST></VAST>more', /outside/],
    ['<VAST>http://a.example/?a=1&b=2</VAST>', /& in its text/],
    ['<VAST>a&nbsp;b</VAST>', /& in its text/],
    ['<VAST a="?b=1&c=2"/>', /& in a of <VAST>/],
    ['<VAST a="1" a="2"/>', /a twice/],
    ['<VAST a=1/>', /tag of <VAST> is broken/],
    ['<VAST a="1"b="2"/>', /tag of <VAST> is broken/],
    ['<VAST a="<"/>', /tag of <VAST> is broken/],
    ['<VAST><Ad', /tag of <Ad> is broken/],
    ['<VAST>1 < 2</VAST>', /< is not escaped/],
    ['<VAST></VAST', /end tag/],
    ['<VAST>]]></VAST>', /]]>/],
    ['<VAST><![CDATA[x</VAST>', /CDATA/],
    ['<VAST><!-- x</VAST>', /comment does not end/],
    ['<VAST><!-- a -- b --></VAST>', /comment has --/],
    ['<VAST><?x</VAST>', /processing/],
    ['<VAST>\u0001</VAST>', /character/],
    ['<VAST>\ud800</VAST>', /character/],
    ['<!DOCTYPE VAST [<!ENTITY a "b">]><VAST>&a;</VAST>', /document type/],
    ['<VAST><!ENTITY a "b"></VAST>', /document type/],
  ];
  for (const [adm, expected] of cases) assert.match(problemOf(adm), expected, adm);
});

test('hostile documents have limits, and cost no more than their length', () => {
  const deep = '<a>'.repeat(MARKUP_LENGTH_MAX / 3);
  assert.match(problemOf(`<VAST>${deep}`), /deeper/);
  assert.match(problemOf(`<VAST>${'<a/>'.repeat(60_000)}</VAST>`), /more than 10000 elements/);
  const long = 'x'.repeat(MARKUP_LENGTH_MAX - 20);
  for (const open of [`<VAST ${long}`, `<VAST a="${long}`, `<VAST><!--${long}`, `<VAST><${long}`]) {
    problemOf(open);
  }
  const spaces = ' '.repeat(MARKUP_LENGTH_MAX - 20);
  problemOf(`<VAST${spaces}a`);
  assert.equal(vastOf(`<VAST><Ad/>${'&amp;'.repeat(50_000)}</VAST>`).ads, 1);
});

test('whatever comes, it is read or a problem is told', () => {
  const piece = fc.constantFrom(
    '<VAST>',
    '</VAST>',
    '<Ad a="1">',
    '</Ad>',
    '<Linear/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&',
    '<',
    '>',
    '"',
    ' ',
    'x',
    '<Duration>00:00:05</Duration>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const read = readVast(pieces.join(''));
      assert.ok(read.ok || read.problem.length > 0);
    }),
    { numRuns: 3_000 },
  );
});
