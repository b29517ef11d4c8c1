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
  assert.equal(object({ api: 6 }, { banner: {} }), null, 'nobody said what is there');
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
  for (const each of ['00:00:05', '00:00:30', ' 00:00:15.5 ', '15 seconds']) {
    assert.equal(object(vast(each), imp, FORMAT_VIDEO), null, each);
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

test('VAST without a version is held against the protocol that the bid names', () => {
  const imp = { video: VIDEO, protocols: [2, 5] };
  const adm = '<VAST><Ad></Ad></VAST>';
  assert.equal(object({ adm }, imp, FORMAT_VIDEO), null);
  assert.equal(object({ adm, protocol: 2 }, imp, FORMAT_VIDEO), null);
  assert.match(
    object({ adm, protocol: 3 }, imp, FORMAT_VIDEO)?.[1] ?? '',
    /protocol 3 of list 5\.8/,
  );
  const lied = { adm: '<VAST version="2.0"></VAST>', protocol: 3 };
  assert.equal(object(lied, imp, FORMAT_VIDEO), null, 'the markup itself counts');
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
