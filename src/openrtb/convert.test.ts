import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertBidRequest, convertBidResponse, createConverter } from './convert.ts';
import { DeviceSchema } from './device.ts';
import { ImpSchema } from './imp.ts';

const IMP = { id: '1', banner: { w: 1, h: 1 } };

function pointers(lost: readonly { readonly pointer: string }[]): string[] {
  return lost.map(({ pointer }) => pointer);
}

test('what 2.6 made fields stands in extensions before, and nothing of it is lost', () => {
  const request = {
    id: 'r',
    imp: [{ ...IMP, rwdd: 1, video: { mimes: ['video/mp4'], minduration: 5, maxduration: 15 } }],
    regs: { coppa: 1, gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [2] },
    user: { consent: 'C', eids: [{ source: 'id.example', uids: [{ id: 'u' }] }] },
    source: {
      tid: 't',
      schain: { complete: 1, ver: '1.0', nodes: [{ asi: 'a', sid: 's', hp: 1 }] },
    },
  };
  const { value, lost } = convertBidRequest(request, '2.5');
  assert.deepEqual(lost, []);
  assert.deepEqual(value, {
    id: 'r',
    imp: [
      {
        ...IMP,
        video: { mimes: ['video/mp4'], minduration: 5, maxduration: 15, ext: { rewarded: 1 } },
      },
    ],
    regs: { coppa: 1, ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [2] } },
    user: { ext: { consent: 'C', eids: request.user.eids } },
    source: { tid: 't', ext: { schain: request.source.schain } },
  });
  assert.deepEqual(convertBidRequest(value, '2.6'), { value: request, lost: [] });
});

test('2.2 has a supply chain without a source, and native in the extension', () => {
  const schain = { complete: 1, ver: '1.0', nodes: [{ asi: 'a', sid: 's', hp: 1 }] };
  const request = {
    id: 'r',
    imp: [{ id: '1', native: { request: '{}' } }],
    source: { fd: 0, schain },
  };
  const { value, lost } = convertBidRequest(request, '2.2');
  assert.deepEqual(value, {
    id: 'r',
    imp: [{ id: '1', ext: { native: { request: '{}' } } }],
    ext: { schain },
  });
  assert.deepEqual(pointers(lost), ['/source']);
  const { source: _, ...others } = request;
  assert.deepEqual(convertBidRequest(value, '2.6').value, { ...others, source: { schain } });
});

test('what a version says with another field is said, and told as lost', () => {
  const device = createConverter(DeviceSchema, '2.5');
  const lost: { pointer: string; message: string }[] = [];
  assert.deepEqual(device({ os: 'iOS', langb: 'zh-Hant-TW' }, lost), { os: 'iOS', language: 'zh' });
  assert.deepEqual(lost, [{ pointer: '/langb', message: '2.5 cannot say it: said as language.' }]);
  // What is said already stays.
  lost.length = 0;
  const both = { langb: 'zh-Hant', language: 'en' };
  assert.deepEqual(device(both, lost), { language: 'en' });
  assert.deepEqual(lost, [{ pointer: '/langb', message: '2.5 cannot say it: left out.' }]);
  assert.deepEqual(device({ langb: 'gsw' }), {});
  const to22 = createConverter(DeviceSchema, '2.2');
  assert.deepEqual(to22({ lmt: 1, dnt: 0 }), { dnt: 1 });
  assert.deepEqual(to22({ lmt: 0 }), { dnt: 0 });
  assert.deepEqual(to22({ lmt: 0, dnt: 1 }), { dnt: 1 });
});

test('categories of a taxonomy that a version does not know go with it', () => {
  const { value, lost } = convertBidRequest(
    { id: 'r', imp: [IMP], bcat: ['483'], cattax: 7, badv: ['a.example'] },
    '2.5',
  );
  assert.deepEqual(value, { id: 'r', imp: [IMP], badv: ['a.example'] });
  assert.deepEqual(pointers(lost), ['/cattax', '/bcat']);
});

test('durations that 2.6 lists exactly become bounds before', () => {
  const imp = createConverter(ImpSchema, '2.5');
  const video = { mimes: ['video/mp4'], rqddurs: [15, 30, 6] };
  const bounds = { mimes: ['video/mp4'], minduration: 6, maxduration: 30 };
  assert.deepEqual(imp({ id: '1', video }), { id: '1', video: bounds });
});

test('what stays as it is, is shared, and the original is never changed', () => {
  const request = { id: 'r', imp: [IMP], regs: { gdpr: 1 }, app: { id: '1', cattax: 1 } };
  const copy = structuredClone(request);
  const { value } = convertBidRequest(request, '2.5');
  assert.deepEqual(request, copy);
  assert.equal(value.imp, request.imp);
  const plain = { id: 'r', imp: [IMP] };
  assert.equal(convertBidRequest(plain, '2.2').value, plain);
});

test('a request that mixes versions is read wherever each has a field', () => {
  const mixed = { id: 'r', imp: [IMP], regs: { gdpr: 0, ext: { gdpr: 0, us_privacy: '1YNN' } } };
  const { value, lost } = convertBidRequest(mixed, '2.6');
  assert.deepEqual(value.regs, { gdpr: 0, us_privacy: '1YNN' });
  assert.deepEqual(lost, [], 'the same in both places is said once');
});

test('where two places differ, what protects the user more is kept, and the other is told as lost', () => {
  const strict = { gdpr: 1, us_privacy: '1YYN' };
  const lax = { gdpr: 0, us_privacy: '1YNN' };
  const converted = (regs: object, version: '2.5' | '2.6') =>
    convertBidRequest({ id: 'r', imp: [IMP], regs }, version);
  for (const [regs, place] of [
    [{ ...lax, ext: strict }, '/regs'],
    [{ ...strict, ext: lax }, '/regs/ext'],
  ] as const) {
    const newest = converted(regs, '2.6');
    assert.deepEqual(newest.value.regs, strict);
    const message = '2.6 cannot say it: another value is kept.';
    assert.deepEqual(newest.lost, [
      { pointer: `${place}/gdpr`, message },
      { pointer: `${place}/us_privacy`, message },
    ]);
    const older = converted(regs, '2.5');
    assert.deepEqual(older.value.regs, { ext: strict });
    assert.deepEqual(pointers(older.lost), pointers(newest.lost));
  }
  const unreadable = converted({ us_privacy: '1YNN', ext: { us_privacy: 'yes' } }, '2.6');
  assert.deepEqual(unreadable.value.regs, { us_privacy: 'yes' }, 'it may be a refusal');
});

test('of other fields the place of the version is kept, and the other is told as lost', () => {
  const user = { consent: 'C', ext: { consent: 'D' } };
  const request = { id: 'r', imp: [IMP], user };
  const newest = convertBidRequest(request, '2.6');
  assert.deepEqual(newest.value.user, { consent: 'C' });
  assert.deepEqual(pointers(newest.lost), ['/user/ext/consent']);
  const older = convertBidRequest(request, '2.5');
  assert.deepEqual(older.value.user, { ext: { consent: 'D' } });
  assert.deepEqual(pointers(older.lost), ['/user/consent']);
  const oldest = convertBidRequest({ id: 'r', imp: [{ ...IMP, rwdd: 1 }] }, '2.2');
  assert.deepEqual(pointers(oldest.lost), ['/imp/0/rwdd']);
});

test('a response loses what its reader does not know', () => {
  const bid = { id: 'b', impid: '1', price: 1, apis: [7, 3], mtype: 2, dur: 15, langb: 'de-CH' };
  const response = { id: 'r', seatbid: [{ bid: [bid] }] };
  const { value, lost } = convertBidResponse(response, '2.5');
  assert.deepEqual(value.seatbid?.[0]?.bid[0], {
    id: 'b',
    impid: '1',
    price: 1,
    api: 7,
    language: 'de',
  });
  assert.deepEqual(pointers(lost).sort(), [
    '/seatbid/0/bid/0/apis',
    '/seatbid/0/bid/0/dur',
    '/seatbid/0/bid/0/langb',
    '/seatbid/0/bid/0/mtype',
  ]);
});

test('of what stands as the tables have it, no other place is read', () => {
  const imp = createConverter(ImpSchema, '2.5', 'tables');
  const video = { mimes: ['video/mp4'], minduration: 5, maxduration: 15 };
  assert.deepEqual(imp({ id: '1', rwdd: 1, video }), {
    id: '1',
    video: { ...video, ext: { rewarded: 1 } },
  });
  const same = { id: '1', video };
  assert.equal(imp(same), same);
  const newest = createConverter(ImpSchema, '2.6', 'tables');
  assert.equal(newest(same), same);
  const { protocol: _, ...kept } = { ...video, protocol: 2 };
  assert.deepEqual(newest({ id: '1', video: { ...video, protocol: 2 } }), { id: '1', video: kept });
});
