import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BLOCKING } from '../auction/fixtures.ts';
import { shareOf } from '../base/money.ts';
import type { Entity, Status } from '../snapshot/entities.ts';
import fc from 'fast-check';
import { aMarket, anAdSpace, aPublisher, aRequest, aSite, aVideo } from './fixtures.ts';
import { findSlots } from './slots.ts';

type Request = Parameters<typeof aRequest>[0];

async function slotsOf(request: Request, ...entities: readonly Entity[]) {
  const found = findSlots(aRequest(request), await aMarket(...entities), {
    secure: false,
    country: null,
  });
  assert.ok(found.ok, JSON.stringify(found));
  return found.value;
}

async function problemsOf(request: Request, ...entities: readonly Entity[]) {
  const found = findSlots(aRequest(request), await aMarket(...entities), {
    secure: false,
    country: null,
  });
  assert.ok(!found.ok, 'the request was accepted');
  return found.problems;
}

const BANNER = { id: '1', tagid: '4001', banner: {} };

test('impressions of two sites in one request are refused: its money belongs to one publisher', async () => {
  const foreign = [
    aPublisher({ id: 2002 }),
    aSite({ id: 3002, publisherId: 2002 }),
    anAdSpace({ id: 4002, propertyId: 3002 }),
  ];
  const imp = [BANNER, { id: '2', tagid: '4002', banner: {} }];
  const [problem, ...others] = await problemsOf({ imp }, ...foreign);
  assert.equal(others.length, 0);
  assert.equal(problem?.pointer, '/imp/1/tagid');
  const unknown = await problemsOf({ imp: [BANNER, { id: '2', tagid: '9', banner: {} }] });
  assert.equal(unknown[0]?.message, problem.message.replace('4002', '9'));
});

test('a request may sell two ad spaces of one site, and one ad space twice', async () => {
  const imp = [BANNER, { id: '2', tagid: '4002', banner: {} }, { ...BANNER, id: '3' }];
  const slots = await slotsOf({ imp }, anAdSpace({ id: 4002 }));
  assert.deepEqual(
    slots.map(({ imp: { slot, id }, space }) => [slot, id, space.adSpace.id]),
    [
      [0, '1', 4001],
      [1, '2', 4002],
      [2, '3', 4001],
    ],
  );
});

test('ids are compared as they are written: a leading zero names another ad space', async () => {
  const [problem] = await problemsOf({ imp: [{ ...BANNER, tagid: '04001' }] });
  assert.match(problem?.message ?? '', /there is no ad space "04001"/);
});

test('a publisher is named by its id or an alias of its own, and by no other', async () => {
  const publisher = aPublisher({ aliases: ['account-7'] });
  const naming = (id: string): Request => ({ site: { publisher: { id } } });
  for (const id of ['2001', 'account-7']) await slotsOf(naming(id), publisher);
  for (const id of ['account-8', '']) {
    const [problem] = await problemsOf(naming(id), publisher);
    assert.equal(problem?.pointer, '/imp/0/tagid', id);
  }
});

test('what is paused or archived is not for sale, at each level', async () => {
  for (const status of ['PAUSED', 'ARCHIVED'] satisfies Status[]) {
    for (const entity of [aPublisher({ status }), aSite({ status }), anAdSpace({ status })]) {
      const [problem] = await problemsOf({}, entity);
      assert.equal(problem?.message, 'ad space "4001" is not active', entity.kind);
    }
  }
});

test("a site's ad space is none of an app's", async () => {
  const { site: _, ...request } = aRequest({ app: {} });
  const found = findSlots(request, await aMarket(), { secure: false, country: null });
  assert.match(found.ok ? '' : (found.problems[0]?.message ?? ''), /in this app/);
});

test('a floor on the net basis is raised until the share of it reaches the floor', () => {
  const bps = fc.integer({ min: 1, max: 10_000 });
  return fc.assert(
    fc.asyncProperty(bps, fc.integer({ min: 1, max: 10_000_000 }), async (share, micros) => {
      const publisher = aPublisher({ revenueShareBps: share });
      const imp = [{ ...BANNER, bidfloor: micros / 1_000_000 }];
      const [slot] = await slotsOf({ imp }, publisher);
      const gross = slot?.imp.floorMicros ?? 0;
      assert.ok(Number.isSafeInteger(gross));
      assert.ok(shareOf(gross, share) >= micros, 'the floor is reached');
      assert.ok(shareOf(gross - 1, share) < micros, 'and not exceeded');
    }),
    { numRuns: 100 },
  );
});

test('on the gross basis, and where the share is nothing, a floor stays; the higher one counts', async () => {
  const imp = [{ ...BANNER, bidfloor: 1 }];
  const floorOf = async (...entities: readonly Entity[]): Promise<number | undefined> =>
    (await slotsOf({ imp }, ...entities))[0]?.imp.floorMicros;
  assert.equal(await floorOf(aPublisher({ priceBasis: 'gross' })), 1_000_000);
  assert.equal(await floorOf(aPublisher({ revenueShareBps: 0 })), 1_000_000);
  assert.equal(await floorOf(aPublisher({ revenueShareBps: 10_000 })), 1_000_000);
  assert.equal(await floorOf(anAdSpace({ floorMicros: 2_000_000 })), 2_000_000);
});

test('a player takes VAST 3.0 when the request says so in either field, and 2.0 always', async () => {
  const space = anAdSpace({ video: aVideo() });
  const protocolsFor = async (video: object) =>
    (await slotsOf({ imp: [{ id: '1', tagid: '4001', video }] }, space))[0]?.imp.protocols;
  assert.deepEqual(await protocolsFor({}), [2, 5]);
  assert.deepEqual(await protocolsFor({ protocols: [1, 2, 4] }), [2, 5]);
  assert.deepEqual(await protocolsFor({ protocols: [6] }), [2, 5, 3, 6]);
  assert.deepEqual(await protocolsFor({ protocol: 3 }), [2, 5, 3, 6]);
});

test('a player shows what the request says, else what its platform does', async () => {
  const market = await aMarket(anAdSpace({ video: aVideo() }));
  const mimesOf = (video: object, os: string): readonly string[] | undefined => {
    const request = aRequest({ imp: [{ id: '1', tagid: '4001', video }] });
    const found = findSlots(request, market, { secure: true, country: null, os });
    assert.ok(found.ok);
    return found.value[0]?.imp.video?.mimes;
  };
  assert.deepEqual(mimesOf({}, 'Android'), ['video/mp4', 'video/webm']);
  assert.deepEqual(mimesOf({}, 'iOS'), ['video/mp4']);
  assert.deepEqual(mimesOf({ mimes: ['video/ogg'] }, 'iOS'), ['video/ogg']);
});

test('the languages of creatives are those of the request, else of the site', async () => {
  const languagesFor = async (wlang: string[] | undefined) =>
    (await slotsOf(wlang === undefined ? {} : { wlang }, aSite({ languages: ['fr'] })))[0]?.imp
      .languages;
  assert.deepEqual(await languagesFor(undefined), ['fr']);
  assert.deepEqual(await languagesFor(['en', 'Klingon']), ['en']);
  assert.deepEqual(await languagesFor(['Klingon']), ['fr']);
});

test('languages that the request allows by their tags count as those it allows by their codes', async () => {
  const languagesFor = async (tags: object) =>
    (await slotsOf(tags, aSite({ languages: ['fr'] })))[0]?.imp.languages;
  assert.deepEqual(await languagesFor({ wlangb: ['zh-Hant', 'EN-us', 'zh'] }), ['zh', 'en']);
  assert.deepEqual(
    await languagesFor({ wlang: ['de'], wlangb: ['en'] }),
    ['de'],
    'codes go before',
  );
  assert.deepEqual(await languagesFor({ wlang: [], wlangb: ['en'] }), ['en']);
  assert.deepEqual(await languagesFor({ wlangb: ['gsw'] }), ['fr'], 'no code names it');
});

test('blocking adds up from exchange to request, and attributes hold for their impression alone', async () => {
  const publisher = aPublisher({ blocking: { ...NO_BLOCKING, advertisers: ['a.example'] } });
  const imp = [
    { id: '1', tagid: '4001', banner: { battr: [8] } },
    { id: '2', tagid: '4001', banner: {} },
  ];
  const slots = await slotsOf(
    { imp, badv: ['https://www.B.example/', '', 'c@d.example'], bcat: [' iab1'] },
    publisher,
  );
  assert.deepEqual(
    slots.map((slot) => slot.imp.blocking),
    [[8], []].map((attributes) => ({
      categories: ['IAB1'],
      advertisers: ['a.example', 'b.example'],
      apps: [],
      attributes,
    })),
  );
});

test('all blocked advertisers of a request are read, also behind a thousand others', async () => {
  const others = Array.from({ length: 1_000 }, (_, index) => `a${index}.example`);
  const behind = ['Blocked.Example', 'https://www.evil.example/x', 'C.example, d.example'];
  const slots = await slotsOf({ imp: [BANNER], badv: [...others, ...behind] });
  assert.deepEqual(slots[0]?.imp.blocking.advertisers.slice(others.length), [
    'blocked.example',
    'evil.example',
    'c.example',
    'd.example',
  ]);
});

test('an impression is secure as it says, else if request or page are; else nobody knows', async () => {
  const market = await aMarket();
  const said = [undefined, 0, 1, 7].map((secure) => (secure === undefined ? {} : { secure }));
  const imp = said.map((each, index) => ({ ...BANNER, ...each, id: `${index}` }));
  const secureOf = (secureDefault: boolean): unknown => {
    const found = findSlots(aRequest({ imp }), market, { secure: secureDefault, country: null });
    return found.ok ? found.value.map((slot) => [slot.secure, slot.imp.secure]) : found.problems;
  };
  const [no, yes] = [
    [0, false],
    [1, true],
  ];
  assert.deepEqual(secureOf(true), [yes, no, yes, yes]);
  assert.deepEqual(secureOf(false), [[undefined, false], no, yes, [undefined, false]]);
});
