import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cdata, emptyVast, escapeXml, vastWrapper } from './vast-wrapper.ts';

/** Character data as a parser reads it: nothing but CDATA sections, one after the other. */
function readCdata(xml: string): string {
  let text = '';
  let at = 0;
  while (at < xml.length) {
    assert.ok(xml.startsWith('<![CDATA[', at), xml);
    const end = xml.indexOf(']]>', at);
    assert.ok(end >= 0, xml);
    text += xml.slice(at + '<![CDATA['.length, end);
    at = end + ']]>'.length;
  }
  return text;
}

test('whatever stands in character data comes out of it as it was', () => {
  const piece = fc.constantFrom(
    ']',
    ']]',
    ']]>',
    '>',
    '<![CDATA[',
    '</VAST>',
    '<!DOCTYPE a>',
    '&x;',
  );
  const printable = fc.string({ unit: 'grapheme' });
  const text = fc.array(fc.oneof(piece, printable)).map((parts) => parts.join(''));
  fc.assert(fc.property(text, (value) => assert.equal(readCdata(cdata(value)), value)));
});

test('what no XML document may have is left out, and a value ends no attribute', () => {
  assert.equal(readCdata(cdata('a\0b\u000Bc\uFFFFd\uD800')), 'abcd\uFFFD');
  assert.equal(escapeXml('"<a>&\0'), '&quot;&lt;a&gt;&amp;');
});

test('a wrapper has its elements in the order of the schema, and no document type', () => {
  const xml = vastWrapper('2.0', {
    id: 'a"b',
    markupUrl: 'https://x.example/markup/k]]>',
    impressionUrl: 'https://t.example/imp/1',
    clickUrl: 'https://t.example/click/1',
    eventUrl: (event) => `https://t.example/event/${event}/1`,
    nonLinear: false,
  });
  const names = [...xml.matchAll(/<(\w+)/g)].map(([, name]) => name);
  assert.deepEqual(names, [
    'VAST',
    'Ad',
    'Wrapper',
    'AdSystem',
    'VASTAdTagURI',
    'Error',
    'Impression',
    'Creatives',
    'Creative',
    'Linear',
    'TrackingEvents',
    ...Array.from({ length: 6 }, () => 'Tracking'),
    'VideoClicks',
    'ClickTracking',
  ]);
  assert.doesNotMatch(xml, /DOCTYPE/);
  assert.ok(xml.includes('<![CDATA[https://t.example/event/error/1?code=[ERRORCODE]]]></Error>'));
});

test('an ad above the content has its events, and from VAST 3.0 on its clicks', () => {
  const wrapped = {
    id: 'a',
    markupUrl: '',
    impressionUrl: '',
    clickUrl: 'https://t.example/click/1',
    eventUrl: () => '',
    nonLinear: true,
  };
  const old = vastWrapper('2.0', wrapped);
  assert.match(old, /<NonLinearAds><TrackingEvents>.*<\/TrackingEvents><\/NonLinearAds>/);
  assert.doesNotMatch(old, /<Linear>|Click/);
  assert.match(vastWrapper('3.0', wrapped), /<NonLinearClickTracking><!\[CDATA\[https:\/\/t\.ex/);
});

test('an answer without an ad is a document of the version asked for', () => {
  assert.match(emptyVast('3.0'), /^<\?xml .*\?><VAST version="3\.0"><\/VAST>$/);
});
