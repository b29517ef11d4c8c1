import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossReason } from '../openrtb/loss-reason.ts';
import { checkCreative } from './creative.ts';
import { aBid, anImp } from './fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { AuctionImp } from './offer.ts';

const VIDEO = { minduration: 5, maxduration: 30, linearity: 1 };

function object(
  bid: Parameters<typeof aBid>[0],
  imp: Partial<AuctionImp>,
  format = FORMAT_BANNER,
): readonly [reason: number, detail: string] | null {
  const whole = aBid(bid);
  const objection = checkCreative(whole, whole.adm ?? null, format, anImp(imp));
  return objection === null ? null : [objection.reason, objection.detail];
}

function vast(...durations: readonly string[]): { adm: string } {
  const ads = durations.map(
    (each) => `<Ad><InLine><Linear><Duration>${each}</Duration></Linear></InLine></Ad>`,
  );
  return { adm: `<VAST version="2.0">${ads.join('')}</VAST>` };
}

test('markup that requires a framework that is not there has reason 204', () => {
  const banner = { banner: { api: [3, 5] } };
  assert.deepEqual(object({ api: 6 }, banner), [
    LossReason.IncorrectFormat,
    'the markup requires api 6 of list 5.6; there are: 3, 5',
  ]);
  assert.equal(object({ api: 5 }, banner), null);
  assert.equal(object({}, banner), null, 'none is required');
  assert.equal(object({ api: 6 }, { banner: {} })?.[0], 204, 'what nobody says is not there');
  assert.equal(object({ api: 0 }, { banner: {} }), null, '0 means none');
  assert.equal(object({ apis: [3, 5] }, banner), null, 'as 2.6 says it');
  assert.equal(object({ apis: [3, 7] }, banner)?.[0], 204);
  for (const apis of [[], [0], [3]]) {
    assert.equal(object({ apis, api: 7 }, banner)?.[0], 204, 'both are required');
  }
  const video = { video: { ...VIDEO, api: [2] } };
  assert.equal(object({ ...vast('00:00:15'), api: 1 }, video, FORMAT_VIDEO)?.[0], 204);
  const native = { nativeTerms: { api: [] } };
  assert.match(object({ adm: '{}', api: 1 }, native, FORMAT_NATIVE)?.[1] ?? '', /native ad/);
});

test('a video outside of the durations that were asked for has reason 204', () => {
  const imp = { video: VIDEO };
  assert.deepEqual(object(vast('00:00:31'), imp, FORMAT_VIDEO), [
    LossReason.IncorrectFormat,
    'adm lasts 31 s; allowed: 5 to 30 s',
  ]);
  assert.match(object(vast('00:00:04.999'), imp, FORMAT_VIDEO)?.[1] ?? '', /lasts 4\.999 s/);
  assert.match(object(vast('00:00:20', '01:00:00'), imp, FORMAT_VIDEO)?.[1] ?? '', /3600 s/);
  for (const each of ['00:00:05', '00:00:30', ' 00:00:15.5 ', '<![CDATA[00:00:15]]>']) {
    assert.equal(object(vast(each), imp, FORMAT_VIDEO), null, each);
  }
  for (const each of ['15 seconds', '300', '0:5:0', '']) {
    assert.deepEqual(object(vast('00:00:15', each), imp, FORMAT_VIDEO), [
      LossReason.IncorrectFormat,
      'adm has a <Duration> that is not HH:MM:SS',
    ]);
  }
  for (const each of ['<![CDATA[00:05:00]]>', '00:05:00<!-- -->']) {
    assert.match(object(vast(each), imp, FORMAT_VIDEO)?.[1] ?? '', /lasts 300 s/, each);
  }
  const wrapper = { adm: '<VAST version="2.0"><Ad><Wrapper></Wrapper></Ad></VAST>' };
  assert.equal(object(wrapper, imp, FORMAT_VIDEO), null);
});

test('what a video may be extended by is added to its longest duration', () => {
  const extended = (maxextended: number) => ({ video: { ...VIDEO, maxextended } });
  assert.equal(object(vast('00:00:40'), extended(10), FORMAT_VIDEO), null);
  assert.equal(object(vast('00:00:41'), extended(10), FORMAT_VIDEO)?.[0], 204);
  assert.equal(object(vast('02:00:00'), extended(-1), FORMAT_VIDEO), null);
});

test('where linear video is asked for, an overlay alone has reason 211', () => {
  const overlay = '<VAST version="2.0"><Ad><InLine><NonLinear w="1"/></InLine></Ad></VAST>';
  const both = overlay.replace('</InLine>', '<Linear></Linear></InLine>');
  const imp = (linearity: number) => ({ video: { ...VIDEO, linearity } });
  assert.equal(object({ adm: overlay }, imp(1), FORMAT_VIDEO)?.[0], LossReason.AdTypeBlocked);
  assert.equal(object({ adm: both }, imp(1), FORMAT_VIDEO), null);
  assert.equal(object({ adm: overlay }, imp(2), FORMAT_VIDEO), null);
});

test('both the protocol that the bid names and that of the markup have to be offered', () => {
  const imp = { video: VIDEO, protocols: [2, 5] };
  const adm = '<VAST><Ad></Ad></VAST>';
  assert.equal(object({ adm }, imp, FORMAT_VIDEO), null);
  assert.equal(object({ adm, protocol: 2 }, imp, FORMAT_VIDEO), null);
  assert.match(
    object({ adm, protocol: 3 }, imp, FORMAT_VIDEO)?.[1] ?? '',
    /protocol 3 of list 5\.8/,
  );
  const reasonOf = (version: string, protocol: number): number | undefined =>
    object({ adm: `<VAST version="${version}"><Ad/></VAST>`, protocol }, imp, FORMAT_VIDEO)?.[0];
  assert.equal(reasonOf('2.0', 5), undefined);
  assert.equal(reasonOf('2.0', 0), undefined, '0 names none');
  assert.equal(reasonOf('2.0', 3), 204);
  assert.equal(reasonOf('3.0', 2), 204);
  const isLate = { ...anImp(imp), formats: FORMAT_VIDEO };
  const late = checkCreative(aBid({ protocol: 3 }), null, FORMAT_VIDEO, isLate);
  assert.equal(late?.reason, 204, 'before the markup comes as well');
});

test('VAST that no player could read, or that has no ad, has reason 204', () => {
  const detailOf = (adm: string): string => object({ adm }, {}, FORMAT_VIDEO)?.[1] ?? '';
  assert.equal(detailOf('<VAST version="2.0"></VAST>'), 'adm is VAST without an ad');
  assert.equal(
    detailOf('<VAST version="2.0"><Ad></VAST>'),
    'adm is not well-formed: </VAST> ends <Ad>',
  );
  assert.match(detailOf('<VAST><Ad><a>http://a.example/?b&c</a></Ad></VAST>'), /not escaped/);
  assert.equal(detailOf('<VAST version="2.0"><Ad/></VAST>'), '');
});

test('of each choice of files the player must be able to show one, else the video has reason 204', () => {
  const film = (...files: readonly string[]): { adm: string } => ({
    adm: `<VAST version="2.0"><Ad><InLine><Linear><MediaFiles>${files.join('')}</MediaFiles></Linear></InLine></Ad></VAST>`,
  });
  const file = (type: string, framework = ''): string =>
    `<MediaFile type="${type}"${framework === '' ? '' : ` apiFramework="${framework}"`}/>`;
  const detailOf = (adm: { adm: string }, api: readonly number[] = []): string =>
    object(adm, { video: { ...VIDEO, api, mimes: ['video/mp4'] } }, FORMAT_VIDEO)?.[1] ?? '';
  const script = file('application/javascript', 'VPAID');
  assert.equal(detailOf(film(file('video/mp4'))), '');
  assert.equal(detailOf(film(file('Video/MP4; codecs=avc1'))), '');
  assert.equal(detailOf(film(file('video/x-flv'), file('video/mp4'))), '', 'the player chooses');
  assert.equal(
    detailOf(film(file('video/x-flv'))),
    'adm has no file that the player shows: video/x-flv; allowed: video/mp4',
  );
  assert.match(detailOf(film(script)), /VPAID; apis of list 5\.6 there are: none/);
  assert.match(detailOf(film(script), [7]), /there are: 7/);
  assert.equal(detailOf(film(script), [2]), '');
  assert.equal(detailOf(film(script, file('video/mp4'))), '');
  assert.equal(detailOf(film()), '');
});

test('a banner of a type that the publisher blocks has reason 211', () => {
  const types: readonly (readonly [adm: string, type: number])[] = [
    ['<p>Buy <a href="https://shop.example/">now</a></p>', 1],
    ['<a href="https://shop.example/"><img src="https://cdn.example/a.png"></a>', 2],
    ['<div><script src="https://cdn.example/a.js"></script></div>', 3],
    [' <!-- x --><iframe src="https://cdn.example/a.html"></iframe>', 4],
  ];
  for (const [adm, type] of types) {
    for (const blocked of [1, 2, 3, 4]) {
      const found = object({ adm }, { banner: { btype: [blocked] } });
      if (blocked !== type) assert.equal(found, null, `${adm} as ${blocked}`);
      else
        assert.deepEqual(found, [
          211,
          `adm is of banner type ${type} of list 5.2, which is blocked`,
        ]);
    }
  }
});

test('what the exchange requires of every bid and is missing has a reason of its own', () => {
  const all = { fields: ['adomain', 'cat', 'crid', 'iurl'], adomainsMax: 1 } as const;
  const bid = { adomain: ['a.example'], cat: ['IAB1'], crid: 'c', iurl: 'https://cdn.example/a' };
  assert.equal(object(bid, { requirements: all }), null);
  const missing = { adomain: 6, cat: 10, crid: 8, iurl: 10 };
  for (const [field, reason] of Object.entries(missing)) {
    const { [field]: _, ...others } = { ...bid } as Record<string, string | string[]>;
    const detail = `${field} is missing; this exchange requires it`;
    assert.deepEqual(object(others, { requirements: all }), [reason, detail]);
  }
  assert.deepEqual(object({ ...bid, adomain: ['a.example', 'b.example'] }, { requirements: all }), [
    LossReason.InvalidAdvertiserDomain,
    'adomain names 2 domains; allowed: 1',
  ]);
});

test('what a bid of 2.6 says of its markup has to be true', () => {
  const video = { video: VIDEO };
  const ad = vast('00:00:15');
  assert.equal(object({ ...ad, mtype: 2, dur: 15 }, video, FORMAT_VIDEO), null);
  assert.deepEqual(object({ ...ad, mtype: 1 }, video, FORMAT_VIDEO), [
    LossReason.IncorrectFormat,
    'the bid says mtype 1; the markup is video',
  ]);
  assert.deepEqual(object({ ...ad, dur: 45 }, video, FORMAT_VIDEO), [
    LossReason.IncorrectFormat,
    'the bid says dur 45; allowed: 5 to 30 s',
  ]);
  assert.equal(object({ ...ad, mtype: 0, dur: 0 }, video, FORMAT_VIDEO), null, '0 says nothing');
  assert.equal(object({ mtype: 3 }, {})?.[0], 204, 'audio is offered nowhere');
  assert.equal(object({ mtype: 1, dur: 45 }, {}), null, 'a banner lasts as long as it is there');
});

test('a language tag is held against the languages allowed, as a language is', () => {
  const imp = { languages: ['en', 'zh'] };
  assert.equal(object({ langb: 'zh-Hant' }, imp), null);
  assert.deepEqual(object({ langb: 'de-CH' }, imp), [
    LossReason.LanguageNotAllowed,
    'language de-CH; allowed: en, zh',
  ]);
  assert.equal(object({ language: 'en', langb: 'de' }, imp), null, 'language goes before');
  for (const langb of ['', ' ', 'zxx', 'und', 'mul', 'EN_us']) {
    assert.equal(object({ langb }, imp), null, langb);
  }
  assert.equal(
    object({ language: '', langb: 'de' }, imp)?.[0],
    208,
    'a blank language counts as missing',
  );
  assert.equal(object({ langb: 'enm' }, imp)?.[0], 208, 'Middle English is no English');
});
