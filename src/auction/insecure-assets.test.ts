import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import { findInsecureAsset } from './insecure-assets.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

const LOADED = [
  '<img src="http://a.example/i.png">',
  "<script async src = 'http://a.example/t.js'></script>",
  '<video poster=http://a.example/p.png>',
  '<link rel="stylesheet" href="http://a.example/s.css">',
  '<img src="HTTP://a.example/i.png">',
  '<div style="background:url(http://a.example/b.png)">',
  '<script>document.write("<img src=\\"http://a.example/p\\">")</script>',
];

test('addresses that HTML loads are found', () => {
  for (const adm of LOADED) {
    assert.match(findInsecureAsset(adm, FORMAT_BANNER) ?? '', /^http:\/\/a\.example\//i, adm);
  }
});

const NOT_LOADED = [
  '<a href="http://a.example/click"><img src="https://a.example/i.png"></a>',
  '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  '<p>Visit http://a.example today</p>',
  '<img src="https://a.example/i.png">',
];

test('click-throughs, namespaces and plain text are none', () => {
  for (const adm of NOT_LOADED) assert.equal(findInsecureAsset(adm, FORMAT_BANNER), null, adm);
});

test('VAST loads media files, trackers and wrapped tags, not click-throughs', () => {
  const load = (element: string): string | null =>
    findInsecureAsset(`<VAST><Ad>${element}</Ad></VAST>`, FORMAT_VIDEO);
  assert.ok(load('<MediaFile type="video/mp4"><![CDATA[http://a.example/v.mp4]]></MediaFile>'));
  assert.ok(load('<Impression>\n  <![CDATA[ http://a.example/i ]]></Impression>'));
  assert.ok(load('<VASTAdTagURI>http://a.example/v.xml</VASTAdTagURI>'));
  assert.equal(load('<ClickThrough><![CDATA[http://a.example]]></ClickThrough>'), null);
});

test('native loads images and trackers, not the link', () => {
  const load = (native: object): string | null =>
    findInsecureAsset(JSON.stringify({ native }), FORMAT_NATIVE);
  assert.equal(
    load({ assets: [{ id: 1, img: { url: 'http://a.example/i' } }] }),
    'http://a.example/i',
  );
  assert.ok(load({ imptrackers: ['https://b.example', 'http://a.example/t'] }));
  assert.ok(load({ jstracker: '<script src="http://a.example/t.js"></script>' }));
  const link = { url: 'http://a.example/click', clicktrackers: ['http://a.example/c'] };
  assert.equal(load({ link, assets: [{ id: 1, link, title: { text: 'http://a' } }] }), 'http://a');
  assert.equal(load({ link, assets: [{ id: 1, link }] }), null);
});

test('hostile markup costs no more than its length', () => {
  const hostile = [
    '<link '.repeat(40_000),
    'src='.repeat(60_000),
    ' http://'.repeat(30_000),
    `url(${' '.repeat(240)}xhttp://`.repeat(1_000),
  ];
  for (const text of hostile) {
    const cpuMs = cpuTimer();
    findInsecureAsset(`${text}http://`, FORMAT_BANNER);
    assert.ok(cpuMs() < 200, text.slice(0, 8));
  }
});

test('any text gives an answer, and one without plain HTTP is clean', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom(1, 2, 4), (text, format) => {
      const found = findInsecureAsset(text, format);
      if (!text.toLowerCase().includes('http:')) assert.equal(found, null);
    }),
  );
});
