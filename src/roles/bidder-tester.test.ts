import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement } from '../../test/support/management.ts';
import { dumpStore } from '../../test/support/store-dump.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import type { BidderTestParts } from '../management/bidder-test/routes.ts';
import { TestResultSchema } from '../management/bidder-test/schema.ts';
import { SnapshotBuilder } from '../snapshot/snapshot.ts';
import { createBidderTester } from './bidder-tester.ts';

const PATH = '/demand-partners/1001/bidder/test-request/';
const ADM = '<a href="https://brand.example/"><img src="https://brand.example/a.png"></a>';

type Answer = (body: string, request: IncomingMessage, response: ServerResponse) => void;

/** An API whose partner 1001 has a bidder that answers so. */
async function open(t: TestContext, answer: Answer) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isZipped = request.headers['content-encoding'] === 'gzip';
      answer((isZipped ? gunzipSync(body) : body).toString(), request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  let send: BidderTestParts['testBidder'] = async () => 'no_bidder';
  const management = await openManagement(t, undefined, {
    testBidder: (...asked) => send(...asked),
  });
  const { db } = management;
  const tester = createBidderTester({
    db,
    snapshot: async () => {
      const { version, entities } = await compileSnapshot(db);
      const builder = new SnapshotBuilder(version);
      for (const entity of entities) builder.add(entity);
      return builder.build();
    },
  });
  t.after(() => tester.close());
  send = tester.testBidder;
  const acme = await apiOf(management, 'engineer@acme.example');
  const endpoint = `http://127.0.0.1:${address.port}/bid`;
  assert.equal((await acme('PATCH', '/demand-partners/1001/bidder/', { endpoint })).status, 200);
  const operator = await apiOf(management, 'operator@example.com');
  return { management, endpoint, acme, operator };
}

function bidWith(differs: object): Answer {
  return (body, _, response) => {
    const bid = { id: 'b1', impid: '1', price: 2, adm: ADM, w: 320, h: 50 };
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-served-by', 'one');
    const seatbid = [{ seat: 'acme-1', bid: [{ ...bid, ...differs }] }];
    response.end(JSON.stringify({ id: JSON.parse(body).id, seatbid }));
  };
}

test('a partner sees what was sent by its present settings, what came back and what an auction makes of it', async (t) => {
  const seen: IncomingMessage[] = [];
  const { management, acme, endpoint } = await open(t, (body, request, response) => {
    seen.push(request);
    bidWith({ crid: 'c1', adomain: ['brand.example'] })(body, request, response);
  });
  const settings = { gzip: true, headers: { 'x-api-key': 'secret-1' } };
  await acme('PATCH', '/demand-partners/1001/bidder/', settings);
  const before = await dumpStore(management.db);
  const { status, body } = await acme('POST', PATH, { ad_format: 'banner', size: '320x50' });
  assert.equal(status, 200);
  assert.ok(Compile(TestResultSchema).Check(body), JSON.stringify(body));
  assert.deepEqual([body.outcome, body.reason, body.sent.url], ['bid', null, endpoint]);
  assert.equal(seen[0]?.headers['content-encoding'], 'gzip');
  for (const [name, value] of Object.entries(body.sent.headers)) {
    assert.equal(seen[0]?.headers[name], value);
  }
  assert.equal(body.sent.headers['x-api-key'], 'secret-1');
  assert.equal(JSON.parse(body.sent.body).test, 1);
  assert.deepEqual([body.answer?.status, body.answer?.headers['x-served-by']], [200, 'one']);
  assert.deepEqual(body.findings, []);
  assert.deepEqual(body.bids, [
    {
      bid_id: 'b1',
      seat: 'acme-1',
      imp: '1',
      bid_cpm: 2,
      valid: true,
      loss_reason: 0,
      loss_reason_text: 'The bid won.',
      detail: null,
      adm_preview: ADM,
    },
  ]);
  assert.match(body.sentence, /answered after [\d.]+ ms with 1 bid, fit to compete\.$/);
  assert.doesNotMatch(management.log(), /secret-1/);
  const { db } = management;
  const [entry] = await db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').execute();
  assert.deepEqual(
    [entry?.action, entry?.resource_id, entry?.changes],
    ['tested', '1001', '[{"field":"outcome","after":"bid"}]'],
  );
  await db.deleteFrom('audit_log').where('id', '=', Number(entry?.id)).execute();
  assert.equal(await dumpStore(db), before, 'nothing else is recorded');
});

test('whatever a bidder does is told with what is wrong, and where', async (t) => {
  let answer: Answer = () => {};
  const { acme } = await open(t, (...asked) => answer(...asked));
  const ask = async (next: Answer) => {
    answer = next;
    const { status, body } = await acme('POST', PATH, { ad_format: 'banner' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Compile(TestResultSchema).Check(body), JSON.stringify(body));
    return body;
  };
  const refused = await ask((_body, _request, response) => {
    response.statusCode = 400;
    response.end('imp.banner is wrong');
  });
  assert.deepEqual(
    [refused.outcome, refused.reason, refused.answer?.body],
    ['error', 'http_400', 'imp.banner is wrong'],
  );
  const none = await ask((_body, _request, response) => response.writeHead(204).end());
  assert.deepEqual([none.outcome, none.answer?.status, none.bids], ['no_bid', 204, []]);
  const broken = await ask((_body, _request, response) => response.end('{"id":'));
  assert.deepEqual([broken.outcome, broken.reason], ['no_bid', 'malformed']);
  assert.match(broken.findings[0]?.message ?? '', /not JSON/);
  const misplaced = await ask((body, _request, response) =>
    response.end(JSON.stringify({ id: JSON.parse(body).id, seatbid: { bid: [] } })),
  );
  assert.equal(misplaced.findings[0]?.pointer, '/seatbid');
  const untyped = await ask(bidWith({ price: 'much' }));
  assert.deepEqual(
    [untyped.outcome, untyped.bids[0]?.valid, untyped.findings[0]?.pointer],
    ['bid', false, '/seatbid/0/bid/0/price'],
  );
  const low = await ask(bidWith({ price: 0.000_1 }));
  assert.deepEqual([low.bids[0]?.valid, low.bids[0]?.loss_reason], [false, 100]);
  assert.match(low.findings[0]?.message ?? '', /cannot compete: the price is below the floor/);
  const silent = await ask(() => {});
  assert.deepEqual([silent.outcome, silent.answer], ['timeout', null]);
  assert.match(silent.sentence, /did not answer within 200 ms/);
});

test('an address that the exchange would not connect to is not connected to', async (t) => {
  let calls = 0;
  const { acme, operator } = await open(t, (_body, _request, response) => {
    calls += 1;
    response.end();
  });
  await operator('PATCH', '/exchange/', { allow_private_addresses: [] });
  const { body } = await acme('POST', PATH, { ad_format: 'banner' });
  assert.deepEqual([body.outcome, body.reason, calls], ['error', 'ERR_ADDRESS_REFUSED', 0]);
});

test('a bidder is tested while it is stopped and while its partner is paused, and the answer says so', async (t) => {
  const { acme, operator } = await open(t, bidWith({}));
  await operator('POST', '/demand-partners/1001/bidder/stop/', { reason: 'broken' });
  const stopped = await acme('POST', PATH, { ad_format: 'banner' });
  assert.match(stopped.body.sentence, /Live calls are stopped by the operator\.$/);
  assert.equal(stopped.body.bids[0].valid, true);
  assert.equal(stopped.body.findings.length, 2, 'neither adomain nor crid');
  await operator('POST', '/demand-partners/1001/bidder/start/');
  await operator('PATCH', '/demand-partners/1001/', { status: 'PAUSED' });
  const paused = await operator('POST', PATH, { ad_format: 'banner' });
  assert.match(paused.body.sentence, /No live calls are made while the partner is PAUSED\.$/);
});

test('what cannot be asked for is refused, as is more than ten a minute and two at once', async (t) => {
  const { acme, operator } = await open(t, (_body, _request, response) =>
    setImmediate(() => response.writeHead(204).end()),
  );
  for (const [body, pointer] of [
    [{}, '/ad_format'],
    [{ ad_format: 'audio' }, '/ad_format'],
    [{ ad_format: 'banner', size: '0x5' }, '/size'],
    [{ ad_format: 'native', size: '320x50' }, '/size'],
    [{ ad_format: 'banner', country: 'UK' }, '/country'],
  ] as const) {
    const { status, body: problem } = await acme('POST', PATH, body);
    assert.deepEqual([status, problem.errors[0]?.pointer], [400, pointer]);
  }
  const ask = () => acme('POST', PATH, { ad_format: 'banner' });
  const both = await Promise.all([ask(), ask()]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 429],
  );
  const answers: number[] = [];
  for (let count = 1; count <= 10; count += 1) answers.push((await ask()).status);
  assert.deepEqual(answers, [...Array.from({ length: 9 }, () => 200), 429]);
  const last = await ask();
  assert.equal(last.body.code, 'too_many_test_requests');
  const wait = Number(last.headers['retry-after']);
  assert.ok(wait > 30 && wait <= 60, `${wait} s`);

  const { body: partner } = await operator('POST', '/demand-partners/', { name: 'New' });
  const none = await operator('POST', `/demand-partners/${partner.id}/bidder/test-request/`, {
    ad_format: 'banner',
  });
  assert.deepEqual([none.status, none.body.code], [409, 'no_bidder']);
  const foreign = '/demand-partners/1002/bidder/test-request/';
  assert.equal((await acme('POST', foreign, { ad_format: 'banner' })).status, 404);
});
