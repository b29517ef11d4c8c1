import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { loopHoldOf } from '../../../test/support/loop-hold.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';
import { readVersion } from '../../configuration/version.ts';
import type { BulkAnswer } from './bulk-schema.ts';

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
  const shown = body.results.flatMap(({ line_item: item }: { line_item: object | null }) =>
    item === null ? [] : [item],
  );
  assert.deepEqual(listed.body, [shown[1], shown[0], shown[2]]);
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

test('a thousand are made and changed without holding the event loop', async (t) => {
  const server = await openManagement(t);
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
    ids.splice(0, ids.length, ...answer.results.map(({ line_item: item }) => item?.id ?? 0));
    assert.ok(longestMs < 50, `the loop was held for ${longestMs} ms of CPU`);
  }
});
