import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement, type ManagementServer } from '../../../test/support/management.ts';

const OPERATOR = 'operator@example.com';
const PUBLISHER = 'ads@planet.example';
const REVIEWS = '/creative-reviews/';
const CREATIVE = { demand_partner: 1001, crid: 'c-1', verdict: 'blocked' };

const pointersOf = ({ body }: { body: { errors: { pointer: string }[] } }): string[] =>
  body.errors.map(({ pointer }) => pointer).toSorted();

const auditOf = async ({ db }: ManagementServer) => {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'creative review')
    .orderBy('id')
    .execute();
  return rows.map(({ actor, action, resource_id, changes }) => ({
    actor,
    action,
    resource_id,
    changes: JSON.parse(changes),
  }));
};

test('an operator blocks, replaces and takes back a decision, each with a line in the log', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const made = await api('POST', REVIEWS, { ...CREATIVE, reason: 'fake dialog' });
  assert.equal(made.status, 201);
  const { created_at, ...rest } = made.body;
  assert.deepEqual(rest, {
    id: 1,
    publisher: null,
    demand_partner: 1001,
    crid: 'c-1',
    domain: null,
    verdict: 'blocked',
    reason: 'fake dialog',
    by: OPERATOR,
  });
  assert.equal(new Date(created_at).toISOString(), created_at);
  assert.equal(made.headers['location'], '/api/creative-reviews/1/');
  const same = await api('POST', REVIEWS, CREATIVE);
  assert.deepEqual([same.status, same.body], [200, made.body], 'the reason stays');
  const replaced = await api('POST', REVIEWS, { ...CREATIVE, verdict: 'approved' });
  assert.deepEqual([replaced.status, replaced.body.id, replaced.body.reason], [200, 1, '']);
  const got = await api('GET', `${REVIEWS}1/`);
  assert.deepEqual(got.body, replaced.body);
  const stale = { 'if-match': String(made.headers['etag']) };
  assert.equal((await api('DELETE', `${REVIEWS}1/`, undefined, stale)).status, 412);
  const match = { 'if-match': String(got.headers['etag']) };
  const removed = await api('DELETE', `${REVIEWS}1/`, undefined, match);
  assert.deepEqual([removed.status, removed.body], [204, null]);
  assert.equal((await api('DELETE', `${REVIEWS}1/`)).status, 404);
  assert.deepEqual((await api('GET', REVIEWS)).body, []);
  const log = await auditOf(server);
  assert.deepEqual(
    log.map(({ actor, action, resource_id: id }) => [actor, action, id]),
    ['created', 'updated', 'deleted'].map((action) => [OPERATOR, action, '1']),
  );
  assert.deepEqual(log[1]?.changes, [
    { field: 'verdict', before: 'blocked', after: 'approved' },
    { field: 'reason', before: 'fake dialog', after: '' },
  ]);
  assert.deepEqual(
    log[2]?.changes.find(({ field }: { field: string }) => field === 'verdict'),
    {
      field: 'verdict',
      before: 'approved',
    },
  );
});

test('a publisher decides for itself alone, and sees no decision but its own', async (t) => {
  const server = await openManagement(t, (yaml) =>
    yaml.replace(
      '\ndeals:',
      '\n  - { id: 2002, name: Gotham Gazette, revenue_share: 0.8 }\ndeals:',
    ),
  );
  const operator = await apiOf(server, OPERATOR);
  await operator('POST', REVIEWS, { domain: 'everywhere.example', verdict: 'blocked' });
  await operator('POST', REVIEWS, { ...CREATIVE, publisher: 2002 });
  const api = await apiOf(server, PUBLISHER);
  const own = await api('POST', REVIEWS, CREATIVE);
  assert.deepEqual([own.status, own.body.publisher, own.body.by], [201, 2001, PUBLISHER]);
  assert.equal((await api('POST', REVIEWS, { ...CREATIVE, publisher: 2001 })).status, 200);
  assert.deepEqual((await api('GET', REVIEWS)).body, [own.body]);
  assert.deepEqual((await api('GET', `${REVIEWS}?publisher=2002`)).body, []);
  const missing = await api('GET', `${REVIEWS}99/`);
  for (const id of [1, 2]) {
    for (const method of ['GET', 'DELETE'] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const refused = await api(method, `${REVIEWS}${id}/`);
      assert.deepEqual([refused.status, refused.body], [404, missing.body]);
    }
  }
  const [foreign, none] = await Promise.all(
    [2002, 987].map((publisher) => api('POST', REVIEWS, { ...CREATIVE, publisher })),
  );
  assert.deepEqual([foreign?.status, foreign?.body], [400, none?.body]);
  assert.equal((await operator('GET', REVIEWS)).body.length, 3);
  assert.equal((await api('DELETE', `${REVIEWS}${own.body.id}/`)).status, 204);
  const partner = await apiOf(server, 'engineer@acme.example');
  assert.equal((await partner('GET', REVIEWS)).status, 403);
  assert.equal((await partner('POST', REVIEWS, CREATIVE)).status, 403);
  assert.equal((await partner('DELETE', `${REVIEWS}1/`)).status, 403);
});

test('decisions are found by what they are about, the latest first', async (t) => {
  const api = await apiOf(await openManagement(t), OPERATOR);
  for (const body of [
    CREATIVE,
    { domain: 'WWW.Shop.example', verdict: 'blocked' },
    { domain: 'shop.example', demand_partner: 1002, verdict: 'approved' },
    { ...CREATIVE, publisher: 2001, verdict: 'approved' },
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    assert.equal((await api('POST', REVIEWS, body)).status, 201);
  }
  const idsOf = async (query: string): Promise<number[]> => {
    const { body } = await api('GET', `${REVIEWS}?${query}`);
    return body.map(({ id }: { id: number }) => id);
  };
  assert.deepEqual(await idsOf('sort=id'), [1, 2, 3, 4]);
  assert.deepEqual(await idsOf('sort=-id&limit=2&offset=1'), [3, 2]);
  assert.deepEqual(await idsOf('crid=c-1&sort=id'), [1, 4]);
  assert.deepEqual(await idsOf('domain=SHOP.example&sort=id'), [2, 3]);
  assert.deepEqual(await idsOf('domain=c-1'), []);
  assert.deepEqual(await idsOf('crid=c-1&domain=shop.example'), []);
  assert.deepEqual(await idsOf('publisher=2001'), [4]);
  assert.deepEqual(await idsOf('demand_partner=1002'), [3]);
  assert.deepEqual(await idsOf('verdict=approved&sort=id'), [3, 4]);
});

test('what is wrong with a decision is told with its pointer, and nothing is decided', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  for (const [body, pointers] of [
    [{}, ['/verdict']],
    [{ verdict: 'blocked' }, ['']],
    [{ ...CREATIVE, domain: 'shop.example' }, ['']],
    [{ crid: 'c-1', verdict: 'blocked' }, ['/demand_partner']],
    [{ ...CREATIVE, demand_partner: 99, publisher: 98 }, ['/demand_partner', '/publisher']],
    [{ ...CREATIVE, by: 'somebody' }, ['/by']],
    [
      { ...CREATIVE, verdict: 'BLOCKED', crid: '', reason: 'a\nb' },
      ['/crid', '/reason', '/verdict'],
    ],
    [{ domain: 'https://x.example', verdict: 'blocked' }, ['/domain']],
    [{ ...CREATIVE, crid: '\0' }, ['/crid']],
    [[], ['']],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await api('POST', REVIEWS, body);
    assert.deepEqual([refused.status, pointersOf(refused)], [400, pointers], JSON.stringify(body));
  }
  assert.deepEqual((await api('GET', REVIEWS)).body, []);
  assert.deepEqual(await auditOf(server), []);
});
