import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { Audience, type AudienceOptions } from './audience.ts';
import { runClosedLoop } from './load.ts';
import { EAGER_BEHAVIOUR, type Behaviour } from './page.ts';
import { serve } from './test-server.ts';

const QUICK = { triesMax: 4, timeoutMs: 300, retryFirstMs: 5, retryLastMs: 10 };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A tracker that does as it is told and keeps the paths that it was called at. */
async function trackerFor(context: TestContext, answer: Answer) {
  const paths: string[] = [];
  const origin = await serve(context, (request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  return { origin, paths };
}

const acknowledge: Answer = ({ url }, response) => {
  if (url?.startsWith('/click')) response.writeHead(302, { location: '/landing' }).end();
  else response.writeHead(204).end();
};

function audienceFor(context: TestContext, options: AudienceOptions = {}): Audience {
  const audience = new Audience({ behaviour: EAGER_BEHAVIOUR, patience: QUICK, ...options });
  context.after(() => audience.close());
  return audience;
}

function aRequest(id: string, fd = 0) {
  const app = { id: '3001', publisher: { id: '2001' } };
  return { id, imp: [{ id: '1', tagid: '4001' }], app, source: { fd } };
}

/** The answer of an exchange with one winner. */
function anAnswer(origin: string, id: string, { fd = 0, price = 1.25 } = {}): string {
  const url = (kind: string): string => `${origin}/${kind}/${id}`;
  const bid = {
    id: 'b',
    impid: '1',
    price,
    burl: url('impression'),
    ...(fd === 1 ? { nurl: url('win') } : {}),
    ext: { rialto: { view: url('view'), click: url('click') } },
  };
  return JSON.stringify({ id, seatbid: [{ bid: [bid] }] });
}

test('a page sends each beacon of its ad once, and follows no redirect', async (context) => {
  const { origin, paths } = await trackerFor(context, acknowledge);
  const audience = audienceFor(context);
  audience.receive(aRequest('r'), anAnswer(origin, 'r'));
  await audience.settled();
  assert.deepEqual(paths.toSorted(), ['/click/r', '/impression/r', '/view/r']);
  const { totals } = audience.ledger;
  assert.deepEqual(
    [totals.winners, totals.toldMicros, totals.beacons.click.acknowledged],
    [1, 1_250_000, 1],
  );
  const [entry] = audience.ledger.entries;
  assert.deepEqual([entry?.winner.publisherId, entry?.winner.adSpaceId], ['2001', '4001']);
  assert.deepEqual([...(entry?.acknowledged ?? [])].toSorted(), ['click', 'impression', 'view']);
});

test('where the publisher decides, what it takes is confirmed and the rest is left alone', async (context) => {
  const { origin, paths } = await trackerFor(context, acknowledge);
  const audience = audienceFor(context, { behaviour: { ...EAGER_BEHAVIOUR, takeRate: 0.5 } });
  for (let index = 0; index < 40; index += 1) {
    audience.receive(aRequest(`d${index}`, 1), anAnswer(origin, `d${index}`, { fd: 1 }));
    audience.receive(aRequest(`f${index}`), anAnswer(origin, `f${index}`));
  }
  await audience.settled();
  const { winners, undecided, dropped, beacons } = audience.ledger.totals;
  assert.deepEqual([winners, undecided], [80, 40]);
  assert.ok(dropped > 8 && dropped < 32, String(dropped));
  assert.equal(beacons.win.acknowledged, 40 - dropped);
  assert.equal(beacons.impression.acknowledged, 80 - dropped);
  for (const path of paths.filter((called) => called.startsWith('/impression/d'))) {
    assert.ok(paths.includes(path.replace('impression', 'win')), path);
  }
});

test('a confirmation address alone says that the publisher decides', async (context) => {
  const { origin, paths } = await trackerFor(context, acknowledge);
  const behaviour = { ...EAGER_BEHAVIOUR, takeRate: 0 };
  const audience = audienceFor(context, { behaviour });
  audience.receive(aRequest('r', 0), anAnswer(origin, 'r', { fd: 1 }));
  await audience.settled();
  assert.deepEqual([audience.ledger.totals.dropped, paths.length], [1, 0]);
});

test('a beacon is repeated until it is acknowledged, and its price counts once', async (context) => {
  let calls = 0;
  const { origin } = await trackerFor(context, (_, response) => {
    calls += 1;
    if (calls === 1) response.writeHead(503).end();
    else if (calls === 2) response.socket?.resetAndDestroy();
    else if (calls === 3) response.writeHead(421).end();
    else response.writeHead(200).end('picture');
  });
  const behaviour = { ...EAGER_BEHAVIOUR, viewRate: 0, clickRate: 0 };
  const audience = audienceFor(context, { behaviour });
  audience.receive(aRequest('r'), anAnswer(origin, 'r', { price: 0.000001 }));
  await audience.settled();
  const { beacons, toldMicros } = audience.ledger.totals;
  assert.deepEqual(beacons.impression, {
    sent: 1,
    acknowledged: 1,
    refused: 0,
    abandoned: 0,
    retries: 3,
    repeats: 0,
  });
  assert.equal(toldMicros, 1);
});

test('a beacon without an acknowledgement is given up after its tries, and is uncertain', async (context) => {
  const { origin, paths } = await trackerFor(context, ({ url }, response) => {
    if (url?.startsWith('/view')) response.writeHead(410).end();
    else if (url?.startsWith('/click')) response.writeHead(301).end();
    else response.writeHead(503).end();
  });
  const audience = audienceFor(context);
  audience.receive(aRequest('r'), anAnswer(origin, 'r'));
  await audience.settled();
  const { impression, view, click } = audience.ledger.totals.beacons;
  assert.deepEqual([impression.abandoned, view.refused, click.refused], [1, 1, 1]);
  assert.equal(paths.filter((path) => path.startsWith('/impression')).length, QUICK.triesMax);
  assert.equal(audience.ledger.totals.toldMicros, 0);
  assert.deepEqual([...(audience.ledger.entries[0]?.uncertain ?? [])], ['impression']);
});

test('a tracker that never answers holds no beacon for longer than its tries', async (context) => {
  const { origin } = await trackerFor(context, () => undefined);
  const patience = { ...QUICK, triesMax: 2, timeoutMs: 50 };
  const audience = audienceFor(context, { patience });
  audience.receive(aRequest('r'), anAnswer(origin, 'r'));
  await audience.settled();
  assert.equal(audience.ledger.totals.beacons.impression.abandoned, 1);
});

test('some acknowledged beacons are sent again, and are not counted again', async (context) => {
  const { origin, paths } = await trackerFor(context, acknowledge);
  const behaviour = { ...EAGER_BEHAVIOUR, repeatRate: 1 };
  const audience = audienceFor(context, { behaviour });
  audience.receive(aRequest('r'), anAnswer(origin, 'r'));
  await audience.settled();
  const { impression, view, click } = audience.ledger.totals.beacons;
  const repeats = impression.repeats + view.repeats + click.repeats;
  assert.ok(repeats >= 3 && repeats <= 9, String(repeats));
  assert.equal(paths.length, 3 + repeats);
  assert.deepEqual([impression.acknowledged, audience.ledger.totals.toldMicros], [1, 1_250_000]);
});

test('the same seed decides the same about the same ads, in whatever order they come', async (context) => {
  const { origin, paths } = await trackerFor(context, acknowledge);
  const behaviour: Partial<Behaviour> = { ...EAGER_BEHAVIOUR, showRate: 0.5, clickRate: 0.3 };
  const run = async (seed: number, ids: readonly number[]): Promise<readonly string[]> => {
    paths.length = 0;
    const audience = audienceFor(context, { seed, behaviour });
    for (const id of ids) audience.receive(aRequest(`r${id}`), anAnswer(origin, `r${id}`));
    await audience.settled();
    return paths.toSorted();
  };
  const ids = Array.from({ length: 50 }, (_, index) => index);
  const first = await run(3, ids);
  assert.deepEqual(await run(3, ids.toReversed()), first);
  assert.notDeepEqual(await run(4, ids), first);
});

test('each publisher has an account of its own', async (context) => {
  const { origin } = await trackerFor(context, acknowledge);
  const audience = audienceFor(context);
  const other = { ...aRequest('s'), app: { id: '3003', publisher: { id: '2002' } } };
  audience.receive(aRequest('r'), anAnswer(origin, 'r', { price: 1 }));
  audience.receive(JSON.stringify(other), anAnswer(origin, 's', { price: 2 }));
  await audience.settled();
  const { ledger } = audience;
  assert.deepEqual(ledger.publisherIds, ['2001', '2002']);
  assert.deepEqual(
    ['2001', '2002', '2003'].map((id) => ledger.of(id).toldMicros),
    [1_000_000, 2_000_000, 0],
  );
  assert.equal(ledger.totals.toldMicros, 3_000_000);
});

test('beacons go to this machine only, and a missing address is told', async (context) => {
  const audience = audienceFor(context);
  audience.receive(aRequest('r'), anAnswer('http://tracker.example', 'r'));
  audience.receive(aRequest('s'), '{"seatbid":[{"bid":[{"impid":"1","price":1}]}]}');
  for (const text of ['', '<html>', '[]', '{"seatbid":[null,{"bid":3}]}']) {
    audience.receive(aRequest('t'), text);
  }
  await audience.settled();
  const { winners, unaddressed, beacons } = audience.ledger.totals;
  assert.deepEqual([winners, unaddressed, beacons.impression.sent], [2, 6, 0]);
});

test('an audience that is full sheds, and one that is closed ends at once', async (context) => {
  const { origin } = await trackerFor(context, () => undefined);
  const audience = audienceFor(context, {
    adsMax: 12,
    patience: { ...QUICK, timeoutMs: 3_600_000 },
  });
  for (let index = 0; index < 15; index += 1) {
    audience.receive(aRequest(`r${index}`), anAnswer(origin, `r${index}`));
  }
  assert.deepEqual([audience.underWay, audience.ledger.totals.shed], [12, 3]);
  await audience.close();
  assert.equal(audience.underWay, 0);
  audience.receive(aRequest('late'), anAnswer(origin, 'late'));
  assert.equal(audience.ledger.totals.shed, 4);
});

test('a load run hands its filled answers to the audience', async (context) => {
  const { origin } = await trackerFor(context, acknowledge);
  let asked = 0;
  const exchange = await serve(context, (_, response) => {
    asked += 1;
    const id = `r${asked}`;
    if (asked % 2 === 0) response.writeHead(204).end();
    else response.end(anAnswer(origin, id));
  });
  const audience = audienceFor(context);
  let sent = 0;
  const next = () => aRequest(`r${(sent += 1)}`);
  await runClosedLoop({ url: exchange, workers: 1, requests: 20, next, audience });
  await audience.settled();
  assert.equal(audience.ledger.totals.beacons.impression.acknowledged, 10);
});
