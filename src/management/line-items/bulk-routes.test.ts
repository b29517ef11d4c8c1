import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiOf, MANY_REQUESTS, openManagement } from '../../../test/support/management.ts';
import { loopHoldOf } from '../../../test/support/loop-hold.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';
import { readVersion } from '../../configuration/version.ts';
import type { BulkAnswer } from './bulk-schema.ts';
import { LINE_ITEM_RULES } from './line-item.ts';

const ITEMS = '/demand-partners/1001/line-items/xch/';
const BULK = `${ITEMS}bulk/`;

/** Each result as its status, and the pointers of what is wrong. */
function told({ results }: BulkAnswer): unknown[] {
  return results.map(({ status, errors }) =>
    errors.length === 0 ? status : [status, ...errors.map(({ pointer }) => pointer)],
  );
}

test('line items are made and changed by one request in one version, each with its own result', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  const { seq } = await readVersion(server.db);
  const { status, body } = await operator('POST', BULK, {
    line_items: [
      { name: 'One', capping: { max_qps: 5 } },
      { id: 501, description: 'changed' },
      { name: 7, colour: 1 },
      { id: 502, name: "another's" },
      { id: 501, name: 'twice' },
      { name: 'Two', seat: 'bolt-1' },
      { name: 'Three', seat: 'acme-3' },
      'text',
      { id: 'x' },
    ],
  });
  assert.equal(status, 201);
  assert.deepEqual(told(body), [
    201,
    200,
    [400, '/line_items/2/colour', '/line_items/2/name'],
    404,
    [400, '/line_items/4/id'],
    [400, '/line_items/5/seat'],
    201,
    [400, '/line_items/7'],
    404,
  ]);
  assert.deepEqual([body.created, body.changed, body.refused], [2, 1, 6]);
  const listed = await operator('GET', ITEMS);
  const ids: unknown[] = listed.body.map(({ id }: { id: number }) => id);
  assert.deepEqual(
    body.results.map(({ id }: { id: number | null }) => id),
    [ids[1], 501, null, null, null, null, ids[2], null, null],
  );
  assert.deepEqual(listed.body.map(({ name }: { name: string }) => name).slice(1), [
    'One',
    'Three',
  ]);
  assert.equal((await readVersion(server.db)).seq, seq + 1);
  const log = await operator('GET', '/audit-log/?resource=line%20item&limit=3');
  assert.deepEqual(
    log.body.map(({ action, resource_id: id }: { action: string; resource_id: string }) => [
      action,
      id,
    ]),
    [
      ['created', String(listed.body[2].id)],
      ['updated', '501'],
      ['created', String(listed.body[1].id)],
    ],
  );
});

test('where nothing can be made nothing is written, and the answer is 200', async (t) => {
  const server = await openManagement(t);
  const acme = await apiOf(server, 'engineer@acme.example');
  const dump = await dumpStore(server.db);
  const { status, body } = await acme('POST', BULK, {
    line_items: [{ name: 'x', seat: 'acme-2' }, { id: 501, floor: 1 }, { id: 501 }, { name: '' }],
  });
  assert.equal(status, 200);
  assert.deepEqual(told(body), [
    [403, '/line_items/0/seat'],
    [403, '/line_items/1/floor'],
    [400, '/line_items/2/id'],
    [400, '/line_items/3/name'],
  ]);
  assert.equal(await dumpStore(server.db), dump);
  for (const sent of [{}, { line_items: [] }, { line_items: {} }, []]) {
    assert.equal((await acme('POST', BULK, sent)).status, 400);
  }
  const many = Array.from({ length: 1_001 }, () => ({ name: 'x' }));
  assert.equal((await acme('POST', BULK, { line_items: many })).status, 400);
  const elsewhere = '/demand-partners/1002/line-items/xch/bulk/';
  assert.equal((await acme('POST', elsewhere, { line_items: [{ name: 'x' }] })).status, 404);
});

test('the same request under the same Idempotency-Key is answered the same, and makes nothing again', async (t) => {
  const server = await openManagement(t);
  const acme = await apiOf(server, 'engineer@acme.example');
  const key = { 'idempotency-key': 'bulk-1' };
  const sent = { line_items: [{ name: 'Once' }, { id: 77 }] };
  const first = await acme('POST', BULK, sent, key);
  const again = await acme('POST', BULK, sent, key);
  assert.deepEqual([again.status, again.body], [first.status, first.body]);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal((await acme('GET', ITEMS)).headers['x-total-count'], '2');
  const other = await acme('POST', BULK, { line_items: [{ name: 'Other' }] }, key);
  assert.equal(other.status, 422);
});

test('a key whose request made nothing is given back, and the answer kept for another is small', async (t) => {
  const server = await openManagement(t);
  const acme = await apiOf(server, 'engineer@acme.example');
  const key = { 'idempotency-key': 'bulk-2' };
  const refused = await acme('POST', BULK, { line_items: [{ id: 77 }] }, key);
  assert.deepEqual([refused.status, refused.body.refused], [200, 1]);
  const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, 1]));
  const codes = Array.from({ length: 1_000 }, (_, at) => ({ code: `com.example.app${at}` }));
  const targeting = { app_bundles: { identifiers: codes, is_whitelist: true } };
  const sent = {
    line_items: [
      { name: 'Long', targeting },
      { name: 'Wrong', ...wrong },
    ],
  };
  const { status, body } = await acme('POST', BULK, sent, key);
  assert.deepEqual([status, body.created, body.results[1].errors.length], [201, 1, 10]);
  const kept = await server.db
    .selectFrom('idempotency_keys')
    .select('answer')
    .executeTakeFirstOrThrow();
  assert.ok((kept.answer ?? '').length < 3_000, kept.answer ?? '');
});

test('each line item counts as a write, and where too few are left none is made', async (t) => {
  // No time passes but what is said here.
  let nowMs = 1_000;
  t.mock.method(performance, 'now', () => nowMs);
  const server = await openManagement(t, undefined, { writesPerMinute: 6 });
  const acme = await apiOf(server, 'engineer@acme.example');
  const send = (count: number) =>
    acme('POST', BULK, { line_items: Array.from({ length: count }, () => ({ name: 'x' })) });
  const first = await send(4);
  assert.deepEqual([first.status, first.headers['ratelimit']], [201, '"writes";r=2;t=10']);
  const dump = await dumpStore(server.db);
  const refused = await send(3);
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_writes']);
  assert.equal(refused.headers['retry-after'], '20');
  assert.equal(await dumpStore(server.db), dump);
  nowMs += 20_000;
  const again = await send(3);
  assert.deepEqual([again.status, again.headers['ratelimit']], [201, '"writes";r=0;t=10']);
  // More than may be made at once take all there is, and what they take beyond it has to come back.
  nowMs += 60_000;
  const many = await send(8);
  assert.deepEqual([many.status, many.headers['ratelimit']], [201, '"writes";r=0;t=30']);
  assert.equal((await send(1)).headers['retry-after'], '30');
});

test('a single change comes between many bulks, which wait for each other', async (t) => {
  const server = await openManagement(t, undefined, MANY_REQUESTS);
  const acme = await apiOf(server, 'engineer@acme.example');
  const operator = await apiOf(server, 'operator@example.com');
  const order: string[] = [];
  const bulk = async (name: string) => {
    const line_items = Array.from({ length: 100 }, () => ({ name }));
    assert.equal((await acme('POST', BULK, { line_items })).status, 201);
    order.push(name);
  };
  const bulks = ['1', '2', '3', '4', '5', '6', '7', '8'].map(bulk);
  await nextTurn();
  const path = '/demand-partners/1002/line-items/xch/502/';
  const single = async () => {
    assert.equal((await operator('PATCH', path, { description: 'x' })).status, 200);
    order.push('single');
  };
  await Promise.all([...bulks, single()]);
  assert.ok(order.indexOf('single') < bulks.length, order.join());
});

test('there is room again for what was counted and then refused', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  const { db } = server;
  const lineItem = { name: 'x' };
  const made = await operator('POST', ITEMS, lineItem);
  const row = await db
    .selectFrom('line_items')
    .selectAll()
    .where('id', '=', made.body.id)
    .executeTakeFirstOrThrow();
  const owned = (await operator('GET', ITEMS)).body.length;
  const rows = Array.from({ length: LINE_ITEM_RULES.most - 1 - owned }, (_, at) => ({
    ...row,
    id: 2_000_000 + at,
  }));
  for (let at = 0; at < rows.length; at += 500) {
    await db
      .insertInto('line_items')
      .values(rows.slice(at, at + 500))
      .execute();
  }
  await db
    .updateTable('configuration_version')
    .set((fields) => ({ seq: fields('seq', '+', 1) }))
    .execute();
  const { body } = await operator('POST', BULK, {
    line_items: [{ name: 'Taken', seat: 'bolt-1' }, { name: 'Fits' }, { name: 'No room' }],
  });
  assert.deepEqual(told(body), [[400, '/line_items/0/seat'], 201, [400, '/line_items/2']]);
});

test('a thousand are made and changed without holding the event loop', async (t) => {
  const server = await openManagement(t, undefined, MANY_REQUESTS);
  const acme = await apiOf(server, 'engineer@acme.example');
  const made = Array.from({ length: 1_000 }, (_, at) => ({ name: `Item ${at}` }));
  const ids: number[] = [];
  for (const send of [
    () => made,
    () => ids.map((id) => ({ id, description: 'changed', capping: { max_qps: 7 } })),
  ]) {
    let answer: BulkAnswer | undefined;
    const { longestMs } = await loopHoldOf(async () => {
      ({ body: answer } = await acme('POST', BULK, { line_items: send() }));
    });
    assert.equal(answer?.refused, 0);
    ids.splice(0, ids.length, ...answer.results.map(({ id }) => id ?? 0));
    assert.ok(longestMs < 50, `the loop was held for ${longestMs} ms of CPU`);
  }
});
