import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openManagement, tokenOf, type ManagementServer } from '../../test/support/management.ts';
import { KEY_KEPT_MS } from '../configuration/idempotency-keys.ts';

const ITEMS = '/api/demand-partners/1001/line-items/xch/';
const APPLICATIONS = '/api/applications/';
const KEY = '0a1f7c1e-4a61';

interface Sent {
  readonly url?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly email?: string;
}

async function open(t: TestContext) {
  const server = await openManagement(t);
  const tokens = new Map<string, string>();
  const send = async ({ url = ITEMS, key = KEY, body, email = 'operator@example.com' }: Sent) => {
    const token = tokens.get(email) ?? (await tokenOf(server.db, email));
    tokens.set(email, token);
    const answer = await server.app.inject({
      method: 'POST',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === '' ? {} : { 'idempotency-key': key }),
      },
      payload: JSON.stringify(body ?? { name: 'Once' }),
    });
    const { headers } = answer;
    return { status: answer.statusCode, body: answer.json(), text: answer.body, headers };
  };
  return { server, send };
}

async function countItems({ db }: ManagementServer): Promise<number> {
  const rows = await db.selectFrom('line_items').select('id').where('name', '=', 'Once').execute();
  return rows.length;
}

test('the same request under the same key makes one thing, and is answered the same', async (t) => {
  const { server, send } = await open(t);
  const first = await send({});
  assert.equal(first.status, 201, first.text);
  assert.equal(first.headers['idempotency-replayed'], undefined);
  for (const url of [ITEMS, ITEMS.slice(0, -1)]) {
    const again = await send({ url });
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(again.headers['location'], first.headers['location']);
    assert.equal(again.headers['etag'], first.headers['etag']);
    assert.equal(again.headers['content-type'], first.headers['content-type']);
  }
  assert.equal(await countItems(server), 1);
  const [one, two] = await Promise.all([send({ key: 'b' }), send({ key: 'b' })]);
  assert.deepEqual([one.status, one.text], [two.status, two.text]);
  assert.equal(await countItems(server), 2);
  await send({ key: '' });
  await send({ key: '' });
  assert.equal(await countItems(server), 4);
});

test('a key is of one user, one address and one body', async (t) => {
  const { server, send } = await open(t);
  assert.equal((await send({})).status, 201);
  const other = await send({ body: { name: 'Once', description: 'more' } });
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  assert.equal((await send({ url: ITEMS.replace('1001', '1002') })).status, 201);
  assert.equal((await send({ email: 'engineer@acme.example' })).status, 201);
  assert.equal(await countItems(server), 3);
});

test('what is refused keeps no key, and a key is text that can stand in a header', async (t) => {
  const { send } = await open(t);
  const wrong = await send({ body: { name: '' } });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_request']);
  assert.equal((await send({})).status, 201);
  for (const key of ['two words', 'x'.repeat(256), 'ä']) {
    const refused = await send({ key });
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request'], key);
    assert.match(refused.body.errors[0].message, /Idempotency-Key/);
  }
});

test('a secret is shown once: the repetition names what it belongs to', async (t) => {
  const { server, send } = await open(t);
  const first = await send({ url: APPLICATIONS, body: { name: 'Reports' } });
  assert.equal(first.status, 201, first.text);
  const again = await send({ url: APPLICATIONS, body: { name: 'Reports' } });
  assert.deepEqual([again.status, again.body.code], [409, 'secret_already_shown']);
  assert.equal(again.body.resource_id, first.body.client_id);
  const kept = await server.db.selectFrom('idempotency_keys').select('answer').execute();
  assert.ok(!JSON.stringify(kept).includes(first.body.client_secret));
  const tokens = `${APPLICATIONS}${first.body.client_id}/tokens/`;
  const issued = await send({ url: tokens, body: { scope: 'read' } });
  assert.equal(issued.status, 201, issued.text);
  const known = await send({ url: tokens, body: { scope: 'read' } });
  assert.deepEqual([known.status, known.body.resource_id], [409, issued.body.id]);
  const token = '/api/demand-partners/1001/reporting-token/';
  assert.equal((await send({ url: token, body: { grace_seconds: 0 } })).status, 201);
  const shown = await send({ url: token, body: { grace_seconds: 0 } });
  assert.deepEqual([shown.status, shown.body.resource_id], [409, '1001']);
});

test('a request that was cut off before its answer is not repeated, and a day later is forgotten', async (t) => {
  const { server, send } = await open(t);
  assert.equal((await send({})).status, 201);
  await server.db.updateTable('idempotency_keys').set({ answer: null }).execute();
  const unsettled = await send({});
  assert.deepEqual([unsettled.status, unsettled.body.code], [409, 'idempotency_key_unsettled']);
  assert.equal(await countItems(server), 1);
  await server.db
    .updateTable('idempotency_keys')
    .set({ claimed_at: Date.now() - KEY_KEPT_MS })
    .execute();
  assert.equal((await send({})).status, 201);
  assert.equal(await countItems(server), 2);
});

test('what only asks takes no notice of the header', async (t) => {
  const { server, send } = await open(t);
  const url = '/api/inventory/discovery/';
  assert.equal((await send({ url, body: {} })).status, 503);
  const rows = await server.db.selectFrom('idempotency_keys').selectAll().execute();
  assert.deepEqual(rows, []);
});
