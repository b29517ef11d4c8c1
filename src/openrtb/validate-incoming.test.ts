import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { incomingDocument } from '../../test/support/incoming-arbitrary.ts';
import { anyJson, damaged, documentOf, pointsInto } from '../../test/support/schema-arbitrary.ts';
import { incomingImp, incomingRequest } from './fixtures.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { PROBLEMS_MAX } from './limits.ts';
import { nodeOf } from './schema-node.ts';
import { validateIncomingRequest } from './validate-incoming.ts';
import { runs } from '../../test/support/effort.ts';

function problemsOf(value: unknown): readonly { pointer: string; message: string }[] {
  const checked = validateIncomingRequest(value);
  return checked.ok ? [] : checked.problems;
}

function pointersOf(value: unknown): string[] {
  return problemsOf(value).map(({ pointer }) => pointer);
}

/** The fixture with one impression, changed. */
function withImp(changes: Record<string, unknown>): unknown {
  return incomingRequest({ imp: [incomingImp(changes)] });
}

test('a sound request is returned as it is, not copied', () => {
  const request = incomingRequest();
  const checked = validateIncomingRequest(request);
  assert.ok(checked.ok);
  assert.equal(checked.value, request);
});

test('durations that cannot be read are told, because the ad space has longer ones', () => {
  for (const field of ['minduration', 'maxduration']) {
    for (const seconds of ['15', 15.5, -1, [15]]) {
      const video = { mimes: ['video/mp4'], [field]: seconds };
      assert.deepEqual(pointersOf(withImp({ video })), [`/imp/0/video/${field}`]);
    }
  }
});

test('whether a deal is guaranteed is the business of its configuration', () => {
  for (const guar of [2, true, '1']) {
    assert.deepEqual(pointersOf(withImp({ pmp: { deals: [{ id: 'd', guar }] } })), []);
  }
});

test('a header bidding request with newer and unknown fields passes untouched', () => {
  const request = {
    id: '5b5f1c',
    imp: [
      {
        id: 'slot-1',
        tagid: '4004',
        banner: {
          topframe: 1,
          format: [
            { w: 300, h: 250 },
            { w: 300, h: 600 },
          ],
          pos: 99,
        },
        video: { mimes: ['video/mp4'], plcmt: 2, protocols: [2, 3, 7, 8], api: [9] },
        native: { request: '{"assets":[]}', ver: '1.2' },
        ext: { gpid: '/1/front', data: { pbadslot: null } },
        rwdd: 0,
      },
    ],
    site: {
      domain: 'planet.example',
      page: 'https://planet.example/',
      publisher: { id: '2001' },
      content: { context: 1 },
    },
    device: {
      w: 1280,
      h: 720,
      dnt: 0,
      ua: 'x',
      language: 'en',
      sua: { source: 2 },
      ipv6: '2001:db8::1',
      ext: null,
    },
    regs: { gpp: 'DBAA', gpp_sid: [7], ext: { gdpr: null } },
    user: { consent: 'CP', eids: [{ source: 'a.example', uids: [{ id: '1' }] }] },
    at: 1,
    test: 0,
    tmax: 500,
    ext: { prebid: { channel: { name: 'pbjs' } } },
  };
  const checked = validateIncomingRequest(request);
  assert.deepEqual(checked, { ok: true, value: request });
});

test('a null in an optional field counts as absent', () => {
  const request = incomingRequest({
    user: { gender: null, yob: 1987 },
    regs: null,
    app: null,
    site: { id: null },
  });
  const checked = validateIncomingRequest(request);
  assert.ok(checked.ok);
  assert.deepEqual(checked.value.user, { yob: 1987 });
  assert.deepEqual(checked.value.site, {});
  assert.equal(checked.value.regs, undefined);
});

test('what nothing depends on is dropped where it cannot be read, and the request goes on', () => {
  const { device, app } = incomingRequest();
  const untidy = incomingRequest({
    at: 'first',
    app: { ...app, ver: 5.1, content: { episode: '7', title: 'Harbour', len: 12.5 } },
    device: { ...device, osv: 14, w: '1080', connectiontype: 'wifi' },
    user: { yob: '1987', gender: 'F', data: 'none' },
    imp: [incomingImp({ exp: '60', audio: [], banner: { w: 320, h: 50, pos: 'top' } })],
  });
  const checked = validateIncomingRequest(untidy);
  assert.ok(checked.ok, JSON.stringify(checked));
  const { value } = checked;
  assert.deepEqual(value.app?.content, { title: 'Harbour' });
  assert.deepEqual(value.user, { gender: 'F' });
  assert.deepEqual(value.imp[0]?.banner, { w: 320, h: 50 });
  assert.deepEqual(
    [value.at, value.app.ver, value.device?.osv, value.device?.w, value.imp[0]?.exp],
    [undefined, undefined, undefined, undefined, undefined],
  );
  assert.equal(value.device?.model, 'Pixel 8');
});

test('each rule that something depends on is told with its pointer', () => {
  const cases: [value: unknown, pointer: string][] = [
    [null, ''],
    [[], ''],
    ['{}', ''],
    [incomingRequest({ id: undefined }), '/id'],
    [incomingRequest({ id: '' }), '/id'],
    [incomingRequest({ id: 7 }), '/id'],
    [incomingRequest({ id: 'x'.repeat(257) }), '/id'],
    [incomingRequest({ imp: undefined }), '/imp'],
    [incomingRequest({ imp: [] }), '/imp'],
    [incomingRequest({ imp: [null] }), '/imp/0'],
    [withImp({ id: undefined }), '/imp/0/id'],
    [withImp({ tagid: undefined }), '/imp/0/tagid'],
    [withImp({ tagid: 4001 }), '/imp/0/tagid'],
    [withImp({ banner: undefined }), '/imp/0'],
    [withImp({ banner: undefined, audio: { mimes: ['audio/mp3'] } }), '/imp/0'],
    [withImp({ banner: { w: 320.5 } }), '/imp/0/banner/w'],
    [withImp({ banner: { format: { w: 320, h: 50 } } }), '/imp/0/banner/format'],
    [withImp({ banner: { w: 1e300 } }), '/imp/0/banner/w'],
    ...[2, -1, 0.5, true, '1', 'yes', [1]].map((private_auction): [unknown, string] => [
      withImp({ pmp: { private_auction, deals: [{ id: 'd' }] } }),
      '/imp/0/pmp/private_auction',
    ]),
    [withImp({ bidfloor: -0.01 }), '/imp/0/bidfloor'],
    [withImp({ bidfloor: 10_000.01 }), '/imp/0/bidfloor'],
    [withImp({ bidfloor: '1' }), '/imp/0/bidfloor'],
    [withImp({ bidfloor: JSON.parse('1e400') }), '/imp/0/bidfloor'],
    [withImp({ bidfloorcur: 'EUR' }), '/imp/0/bidfloorcur'],
    [incomingRequest({ cur: ['EUR'] }), '/cur'],
    [incomingRequest({ cur: [] }), '/cur'],
    [incomingRequest({ cur: 'USD' }), '/cur'],
    [incomingRequest({ site: {} }), '/app'],
    [incomingRequest({ tmax: 0 }), '/tmax'],
    [incomingRequest({ tmax: 99.5 }), '/tmax'],
    [incomingRequest({ tmax: '300' }), '/tmax'],
    [incomingRequest({ test: 2 }), '/test'],
    [incomingRequest({ source: { fd: 2 } }), '/source/fd'],
    [incomingRequest({ regs: { coppa: '1' } }), '/regs/coppa'],
    [incomingRequest({ device: { lmt: true } }), '/device/lmt'],
    [incomingRequest({ device: { geo: { lat: 90.01 } } }), '/device/geo/lat'],
    [incomingRequest({ device: { geo: { lon: -180.01 } } }), '/device/geo/lon'],
    [incomingRequest({ device: { geo: { lat: JSON.parse('-1e400') } } }), '/device/geo/lat'],
    [incomingRequest({ device: { ua: 'x'.repeat(2_049) } }), '/device/ua'],
    [incomingRequest({ badv: ['a.example', null] }), '/badv/1'],
  ];
  for (const [value, pointer] of cases) assert.deepEqual(pointersOf(value), [pointer]);
});

test('the bounds themselves are allowed', () => {
  assert.deepEqual(pointersOf(withImp({ bidfloor: 0 })), []);
  assert.deepEqual(pointersOf(withImp({ bidfloor: 10_000 })), []);
  assert.deepEqual(pointersOf(incomingRequest({ cur: ['EUR', 'USD'], tmax: 1 })), []);
  assert.deepEqual(pointersOf(incomingRequest({ device: { geo: { lat: -90, lon: 180 } } })), []);
});

test('everything wrong is told at once, also what spans fields', () => {
  const request = incomingRequest({
    id: 5,
    site: {},
    cur: ['EUR'],
    imp: [incomingImp(), incomingImp({ bidfloor: 'low', banner: undefined })],
  });
  assert.deepEqual(problemsOf(request), [
    { pointer: '/id', message: 'Found the number 5; allowed is a text of 1 to 256 characters.' },
    {
      pointer: '/imp/1/bidfloor',
      message: 'Found the text "low"; allowed is a number from 0 to 10,000.',
    },
    { pointer: '/app', message: 'Found both "site" and "app"; a request has one of the two.' },
    {
      pointer: '/cur',
      message:
        'Found the text "EUR"; the list must have "USD", the only currency traded here, or be left out.',
    },
    {
      pointer: '/imp/1',
      message: 'Found no "banner", "video" or "native"; an impression offers at least one of them.',
    },
    {
      pointer: '/imp/1/id',
      message:
        'Found the text "1", which /imp/0/id has already; the id of an impression must be unique in its request.',
    },
  ]);
});

test('a request that names neither site nor app is taken: its ad spaces say which it is', () => {
  assert.deepEqual(pointersOf(incomingRequest({ app: undefined })), []);
});

test('audio is refused alone, and let pass where something else is for sale', () => {
  const audio = incomingImp({ id: '2', banner: undefined, audio: { mimes: ['audio/mp4'] } });
  assert.deepEqual(pointersOf(incomingRequest({ imp: [incomingImp(), audio] })), []);
  assert.deepEqual(pointersOf(incomingRequest({ imp: [audio] })), ['/imp/0']);
  const nothing = incomingImp({ id: '3', banner: undefined });
  const pointers = pointersOf(incomingRequest({ imp: [incomingImp(), audio, nothing] }));
  assert.deepEqual(pointers, ['/imp/2']);
});

test('fifty impressions are allowed and one more is not', () => {
  const imps = Array.from({ length: 51 }, (_, index) => incomingImp({ id: `${index}` }));
  assert.deepEqual(pointersOf(incomingRequest({ imp: imps.slice(0, 50) })), []);
  assert.deepEqual(problemsOf(incomingRequest({ imp: imps })), [
    {
      pointer: '/imp',
      message: 'Found a list of 51 entries; allowed is a list of 1 to 50 entries.',
    },
  ]);
});

test('a flood of problems is cut off', () => {
  const imp = Array.from({ length: 100_000 }, () => 'x');
  assert.equal(problemsOf(incomingRequest({ imp })).length, PROBLEMS_MAX);
});

test('whatever JSON comes, it is accepted or told at least one problem that can be found', () => {
  const document = documentOf(nodeOf(IncomingRequestSchema));
  fc.assert(
    fc.property(
      fc.oneof(anyJson, damaged(document), damaged(fc.constant(incomingRequest()))),
      (value) => {
        const before = JSON.stringify(value);
        const checked = validateIncomingRequest(value);
        assert.equal(JSON.stringify(value), before);
        if (checked.ok) return;
        assert.ok(checked.problems.length > 0 && checked.problems.length <= PROBLEMS_MAX);
        for (const { pointer } of checked.problems) assert.ok(pointsInto(value, pointer), pointer);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('every request that the rules allow is accepted', () => {
  fc.assert(
    fc.property(incomingDocument, fc.boolean(), (request, isApp) => {
      assert.ok(Array.isArray(request['imp']));
      const { site, app, ...rest } = request;
      const value = {
        ...rest,
        ...(isApp ? { app: app ?? {} } : { site: site ?? {} }),
        cur: ['USD'],
        imp: request['imp'].map((imp, index) => ({ banner: {}, ...imp, id: `${index}` })),
      };
      const checked = validateIncomingRequest(value);
      assert.deepEqual(checked, { ok: true, value });
    }),
    { numRuns: runs(20) },
  );
});
