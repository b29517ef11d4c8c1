import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { apiOf, openManagement, type ApiAnswer } from '../../../test/support/management.ts';
import { OWNED_MAX } from '../resource.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';
import { cpuTimer } from '../../../test/support/cpu.ts';

const ITEMS = '/demand-partners/1001/line-items/xch/';
const ITEM = `${ITEMS}501/`;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function open(t: TestContext) {
  const server = await openManagement(t);
  const acme = await apiOf(server, 'engineer@acme.example');
  const operator = await apiOf(server, 'operator@example.com');
  return { server, acme, operator };
}

function pointersOf({ body }: ApiAnswer): string[] {
  return body.errors.map(({ pointer }: { pointer: string }) => pointer);
}

describe('the line items of the documented interface', () => {
  test('are a JSON array of objects with the documented fields, types and headers', async (t) => {
    const { acme } = await open(t);
    const listed = await acme('GET', ITEMS);
    assert.equal(listed.status, 200);
    assert.match(String(listed.headers['content-type']), /^application\/json/);
    assert.equal(listed.headers['x-total-count'], '1');
    const [item] = listed.body;
    const { created_at: made, updated_at: changed, ...fields } = item;
    // The spec's seven fields first, in its order, then what it does not have.
    assert.deepEqual(Object.entries(fields), [
      ['id', 501],
      ['name', 'Acme everywhere'],
      ['description', ''],
      ['data_center', null],
      ['status', 'ACTIVE'],
      ['capping', {}],
      ['targeting', {}],
      ['seat', 'acme-1'],
      ['floor', 0.05],
    ]);
    for (const at of [made, changed]) assert.match(at, INSTANT);
    const one = await acme('GET', ITEM);
    assert.deepEqual(one.body, item);
    assert.match(String(one.headers['etag']), /^"[\w-]{22}"$/);
    assert.equal(one.headers['cache-control'], 'no-store');
  });

  test('answer with and without the slash at the end, and to HEAD', async (t) => {
    const { server, acme } = await open(t);
    assert.deepEqual((await acme('GET', ITEM.slice(0, -1))).body, (await acme('GET', ITEM)).body);
    assert.equal((await acme('GET', ITEMS.slice(0, -1))).status, 200);
    const head = await server.app.inject({ method: 'HEAD', url: `/api${ITEM}` });
    assert.equal(head.statusCode, 401);
  });

  test('show capping and targeting in the documented form', async (t) => {
    const bolt = await apiOf(await openManagement(t), 'engineer@bolt.example');
    const { body } = await bolt('GET', '/demand-partners/1002/line-items/xch/502/');
    assert.deepEqual(body.capping, { max_qps: 2000 });
    assert.deepEqual(body.targeting, {
      geo: {
        is_geo_data_required: false,
        countries: { identifiers: [{ code: 'US' }], is_whitelist: true },
      },
      ad_formats: { identifiers: [{ code: 'banner' }], is_whitelist: true },
    });
  });
});

test('a partner makes a line item and changes it key by key, unless somebody was faster', async (t) => {
  const { acme: api } = await open(t);
  const geo = { countries: { identifiers: [{ code: 'US' }], is_whitelist: true } };
  const made = await api('POST', ITEMS, { name: 'New', targeting: { geo } });
  assert.equal(made.status, 201);
  const path = `${ITEMS}${made.body.id}/`;
  assert.equal(made.headers['location'], `/api${path}`);
  const match = { 'if-match': String(made.headers['etag']) };
  const patch = { capping: { max_qps: 5 }, targeting: { geo: { countries: null }, secure: true } };
  const changed = await api('PATCH', path, patch, match);
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body.capping, { max_qps: 5 });
  assert.deepEqual(changed.body.targeting, { geo: {}, secure: true });
  const late = await api('PATCH', path, { capping: { max_qps: null } }, match);
  assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
  assert.deepEqual((await api('GET', path)).body, changed.body);
});

test('a line item that is got, edited and sent as a whole is changed in what was edited', async (t) => {
  const { server, acme } = await open(t);
  const { body: before, headers } = await acme('GET', ITEM);
  const sent = { ...before, description: 'edited' };
  const match = { 'if-match': String(headers['etag']) };
  const type = { 'content-type': 'application/merge-patch+json' };
  const { status, body } = await acme('PATCH', ITEM, sent, { ...match, ...type });
  assert.equal(status, 200);
  assert.deepEqual({ ...body, updated_at: before.updated_at }, sent);
  const line = await server.db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    [line.actor, line.action, line.resource, line.resource_id, JSON.parse(line.changes)],
    [
      'engineer@acme.example',
      'updated',
      'line item',
      '501',
      [{ field: 'description', before: '', after: 'edited' }],
    ],
  );
});

test('a change that changes nothing leaves the times, the version and the audit log', async (t) => {
  const { server, acme } = await open(t);
  const { body } = await acme('GET', ITEM);
  const dump = await dumpStore(server.db);
  for (const patch of [{}, body, { name: body.name }, { capping: {} }, { seat: 'acme-1' }]) {
    const { status, body: after } = await acme('PATCH', ITEM, patch);
    assert.deepEqual([status, after], [200, body]);
  }
  assert.equal(await dumpStore(server.db), dump);
});

test('a line item is paused and archived by its status', async (t) => {
  const { acme } = await open(t);
  for (const status of ['PAUSED', 'ARCHIVED', 'ACTIVE']) {
    assert.equal((await acme('PATCH', ITEM, { status })).body.status, status);
    const listed = await acme('GET', `${ITEMS}?status=${status}`);
    assert.equal(listed.headers['x-total-count'], '1');
  }
  assert.equal((await acme('DELETE', ITEM)).status, 405);
});

/** What is wrong, by what is sent, and where it is said to be. */
const WRONG: readonly (readonly [sent: unknown, pointers: readonly string[]])[] = [
  [{ name: '' }, ['/name']],
  [{ name: ' x' }, ['/name']],
  [{ name: 'x'.repeat(201) }, ['/name']],
  [{ name: 'two\nlines' }, ['/name']],
  [{ name: 7 }, ['/name']],
  [{ name: null }, ['/name']],
  [{ name: { a: 1 } }, ['/name']],
  [{ description: 'x'.repeat(2_001) }, ['/description']],
  [{ status: 'active' }, ['/status']],
  [{ status: 'DELETED' }, ['/status']],
  [{ capping: { max_qps: 0 } }, ['/capping/max_qps']],
  [{ capping: { max_qps: 1.5 } }, ['/capping/max_qps']],
  [{ capping: { max_qps: '5' } }, ['/capping/max_qps']],
  [{ capping: { max_daily_impressions: -1 } }, ['/capping/max_daily_impressions']],
  [{ capping: { max_daily_spend: 0 } }, ['/capping/max_daily_spend']],
  ['{"capping":{"max_daily_spend":1e400}}', ['/capping/max_daily_spend']],
  [{ capping: { qps: 1 } }, ['/capping/qps']],
  [{ capping: [] }, ['/capping']],
  [{ capping: null }, ['/capping']],
  [{ targeting: { geo: { country: 'US' } } }, ['/targeting/geo/country']],
  [{ targeting: { geo: null, oss: {} } }, ['/targeting/oss']],
  [
    { targeting: { geo: { countries: { identifiers: [{ code: 'UK' }], is_whitelist: true } } } },
    ['/targeting/geo/countries/identifiers/0/code'],
  ],
  [{ targeting: { sizes: { identifiers: [] } } }, ['/targeting/sizes/is_whitelist']],
  [
    { targeting: { sizes: { identifiers: [{ code: '300x250' }, {}], is_whitelist: 1 } } },
    ['/targeting/sizes/identifiers/1/code', '/targeting/sizes/is_whitelist'],
  ],
  [{ data_center: 'eu' }, ['/data_center']],
  [{ id: 502 }, ['/id']],
  [{ created_at: '2026-01-01T00:00:00.000Z' }, ['/created_at']],
  [{ nmae: 'x' }, ['/nmae']],
  [{ constructor: 1, toString: 2, '': 3 }, ['/', '/constructor', '/toString']],
  [{ name: 'half \ud83d' }, ['/name']],
  [{ description: 'nul \0' }, ['/description']],
  [{ name: 7, status: 7, floor: 'x', colour: 1 }, ['/colour', '/floor', '/name', '/status']],
  [[], ['']],
  ['null', ['']],
  ['"text"', ['']],
  ['7', ['']],
];

test('every wrong field is refused with its pointer, and nothing is changed or noted', async (t) => {
  const { server, operator } = await open(t);
  const dump = await dumpStore(server.db);
  for (const [sent, pointers] of WRONG) {
    const answer = await operator('PATCH', ITEM, sent);
    const said = `${JSON.stringify(sent)}: ${JSON.stringify(answer.body)}`;
    assert.equal(answer.status, 400, said);
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    assert.equal(answer.body.code, 'invalid_request', said);
    assert.deepEqual(pointersOf(answer).toSorted(), pointers, said);
  }
  for (const [sent, pointer] of [
    [{}, '/name'],
    [{ name: 'x', id: 7 }, '/id'],
    [{ name: 'x', seat: 'bolt-1' }, '/seat'],
    [{ name: 'x', seat: 'a b' }, '/seat'],
    [{ name: 'x', floor: -1 }, '/floor'],
    [{ name: 'x', floor: 10_001 }, '/floor'],
  ] as const) {
    const answer = await operator('POST', ITEMS, sent);
    assert.deepEqual([answer.status, pointersOf(answer)], [400, [pointer]], JSON.stringify(sent));
  }
  assert.equal(await dumpStore(server.db), dump);
});

/** Bodies that are no JSON, or none that is read. */
const UNREAD: readonly (readonly [body: string, type: string, status: number, code: string])[] = [
  ['{"name":', 'application/json', 400, 'invalid_json'],
  ['', 'application/json', 400, 'invalid_json'],
  ['{"__proto__":{"name":"x"}}', 'application/json', 400, 'invalid_json'],
  ['{"constructor":{"prototype":{}}}', 'application/json', 400, 'invalid_json'],
  [`{"name":"${'x'.repeat(2 ** 20)}"}`, 'application/json', 413, 'body_too_large'],
  ['{"name":"x"}', 'text/plain', 415, 'unsupported_media_type'],
  ['name=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  ['name: x', 'application/yaml', 415, 'unsupported_media_type'],
  ['{"name":"x"}', 'application/json-patch+json', 415, 'unsupported_media_type'],
  ['{"targeting":'.repeat(70_000), 'application/json', 400, 'invalid_json'],
  [`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, 'application/json', 400, 'invalid_json'],
  [
    `{"targeting":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    'application/json',
    400,
    'invalid_json',
  ],
  [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'application/merge-patch+json', 400, 'invalid_json'],
];

test('bodies that are no JSON, too large, too deep or of another type are refused at once', async (t) => {
  const { server, acme } = await open(t);
  const dump = await dumpStore(server.db);
  for (const [body, type, status, code] of UNREAD) {
    const cpuMs = cpuTimer();
    const answer = await acme('PATCH', ITEM, body, { 'content-type': type });
    assert.deepEqual([answer.status, answer.body.code], [status, code], body.slice(0, 60));
    // A quadratic look at half a million levels takes minutes.
    assert.ok(cpuMs() < 2_000, body.slice(0, 60));
  }
  assert.equal(await dumpStore(server.db), dump);
});

test('what only operators set is refused by name with 403, and let through where it is the same', async (t) => {
  const { server, acme, operator } = await open(t);
  const dump = await dumpStore(server.db);
  for (const [method, path, sent, pointers] of [
    ['PATCH', ITEM, { floor: 0.06 }, ['/floor']],
    ['PATCH', ITEM, { seat: null }, ['/seat']],
    ['PATCH', ITEM, { name: 'x', seat: 'acme-2', floor: 0 }, ['/seat', '/floor']],
    ['POST', ITEMS, { name: 'x', seat: 'acme-2' }, ['/seat']],
  ] as const) {
    const answer = await acme(method, path, sent);
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden']);
    assert.deepEqual(pointersOf(answer).toSorted(), pointers.toSorted());
  }
  assert.equal(await dumpStore(server.db), dump);
  const same = await acme('PATCH', ITEM, { seat: 'acme-1', floor: 0.05, name: 'Same' });
  assert.deepEqual([same.status, same.body.name], [200, 'Same']);
  const { body } = await operator('PATCH', ITEM, { seat: 'acme-9', floor: 1.5 });
  assert.deepEqual([body.seat, body.floor], ['acme-9', 1.5]);
});

test("another's line item, partner or collection is missing, in status and body", async (t) => {
  const { server, acme } = await open(t);
  const dump = await dumpStore(server.db);
  const missing = await acme('GET', '/demand-partners/1001/line-items/xch/77/');
  assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
  for (const [method, path, body] of [
    ['GET', '/demand-partners/1002/line-items/xch/502/'],
    ['PATCH', '/demand-partners/1002/line-items/xch/502/', { name: 'x' }],
    ['PATCH', '/demand-partners/1002/line-items/xch/502/', { seat: 'x' }],
    ['GET', '/demand-partners/1001/line-items/xch/502/'],
    ['PATCH', '/demand-partners/1001/line-items/xch/502/', { name: 'x' }],
    ['GET', '/demand-partners/1002/line-items/xch/'],
    ['POST', '/demand-partners/1002/line-items/xch/', { name: 'x' }],
    ['POST', '/demand-partners/77/line-items/xch/', { name: 'x' }],
    ['GET', '/demand-partners/1001/line-items/xch/0501/'],
    ['GET', '/demand-partners/1001/line-items/xch/501%00/'],
    ['GET', '/demand-partners/1001/line-items/xch/9999999999999999999999/'],
    ['GET', '/demand-partners/01001/line-items/xch/'],
  ] as const) {
    const answer = await acme(method, path, body);
    assert.deepEqual([answer.status, answer.body], [404, missing.body], `${method} ${path}`);
  }
  assert.equal(await dumpStore(server.db), dump);
});

describe('entity tags', () => {
  test('stay while nothing changes, and spare who has them the body', async (t) => {
    const { acme } = await open(t);
    const { headers } = await acme('GET', ITEM);
    const etag = String(headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await acme('GET', ITEM, undefined, { 'if-none-match': known });
      assert.deepEqual([answer.status, answer.body, answer.headers['etag']], [304, null, etag]);
    }
    for (const other of ['"other"', etag.slice(1, -1), '']) {
      const answer = await acme('GET', ITEM, undefined, { 'if-none-match': other });
      assert.deepEqual([answer.status, answer.body.id], [200, 501], other);
    }
    const changed = await acme('PATCH', ITEM, { name: 'Other' });
    assert.notEqual(changed.headers['etag'], etag);
    assert.equal(changed.headers['etag'], (await acme('GET', ITEM)).headers['etag']);
  });

  test('hold a change back unless it names the present one, strongly, or any', async (t) => {
    const { server, acme } = await open(t);
    const etag = String((await acme('GET', ITEM)).headers['etag']);
    const dump = await dumpStore(server.db);
    for (const condition of [
      { 'if-match': '"stale"' },
      { 'if-match': `W/${etag}` },
      { 'if-match': '' },
      { 'if-match': etag.slice(1, -1) },
      { 'if-none-match': '*' },
      { 'if-none-match': etag },
      { 'if-match': etag, 'if-none-match': `W/${etag}` },
    ]) {
      const { status, body } = await acme('PATCH', ITEM, { name: 'x' }, condition);
      assert.deepEqual(
        [status, body.code],
        [412, 'precondition_failed'],
        JSON.stringify(condition),
      );
    }
    assert.equal(await dumpStore(server.db), dump);
    for (const wanted of ['*', `"stale", ${etag}`]) {
      const { status } = await acme(
        'PATCH',
        ITEM,
        { name: 'Acme everywhere' },
        { 'if-match': wanted },
      );
      assert.equal(status, 200, wanted);
    }
  });

  test('let one of two who change the same thing at the same time win', async (t) => {
    const { acme } = await open(t);
    const match = { 'if-match': String((await acme('GET', ITEM)).headers['etag']) };
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => acme('PATCH', ITEM, { name }, match)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 412, 412],
    );
  });
});

describe('a list', () => {
  let items: { id: number; name: string }[] = [];
  let acme: Awaited<ReturnType<typeof apiOf>>;
  async function fill(t: TestContext): Promise<void> {
    ({ acme } = await open(t));
    for (const name of ['B', 'A', 'C', 'A', 'B', 'D']) await acme('POST', ITEMS, { name });
    items = (await acme('GET', ITEMS)).body;
  }

  test('comes in pages that hold everything once, with links that lead through it', async (t) => {
    await fill(t);
    const seen: unknown[] = [];
    let next: string | undefined = `${ITEMS}?limit=3&sort=name&status=ACTIVE`;
    const counts: number[] = [];
    while (next !== undefined) {
      const { status, body, headers }: ApiAnswer = await acme('GET', next);
      assert.deepEqual([status, headers['x-total-count']], [200, '7']);
      seen.push(...body);
      counts.push(body.length);
      next = linksOf(headers['link']).get('next')?.replace('/api', '');
    }
    assert.deepEqual(counts, [3, 3, 1]);
    const byName = items.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
    assert.deepEqual(seen, byName);
  });

  test('names the first, previous, next and last part where there are such', async (t) => {
    await fill(t);
    const relations = async (query: string) =>
      Object.fromEntries(linksOf((await acme('GET', `${ITEMS}?${query}`)).headers['link']));
    const at = (query: string) => `/api${ITEMS}?${query}`;
    assert.deepEqual(await relations('limit=3&offset=3'), {
      first: at('limit=3&offset=0'),
      prev: at('limit=3&offset=0'),
      next: at('limit=3&offset=6'),
      last: at('limit=3&offset=6'),
    });
    assert.deepEqual(await relations('limit=7'), {});
    assert.deepEqual(await relations('offset=500&limit=5'), {
      first: at('offset=0&limit=5'),
      prev: at('offset=495&limit=5'),
    });
    assert.deepEqual((await acme('GET', `${ITEMS}?offset=500`)).body, []);
  });

  test('is sorted by id, or as it is asked for, ties by id', async (t) => {
    await fill(t);
    const names = async (sort: string) =>
      (await acme('GET', `${ITEMS}?sort=${sort}`)).body.map(({ id }: { id: number }) => id);
    const ids = items.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.deepEqual(await names('-id'), ids.toReversed());
    const down = items.toSorted((a, b) => (a.name > b.name ? -1 : Number(a.name < b.name)));
    assert.deepEqual(
      await names('-name'),
      down.map(({ id }) => id),
    );
  });

  test('refuses what it does not know, and says what it does', async (t) => {
    const { acme: api } = await open(t);
    for (const [query, pointer] of [
      ['limit=0', '/limit'],
      ['limit=10001', '/limit'],
      ['limit=1.5', '/limit'],
      ['limit=many', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['offset=-1', '/offset'],
      ['sort=floor', '/sort'],
      ['sort=--id', '/sort'],
      ['sort=id;drop', '/sort'],
      ['status=active', '/status'],
      ['name=x', '/name'],
      ['demand_partner_id=1002', '/demand_partner_id'],
      ['__proto__=x', '/__proto__'],
    ] as const) {
      const answer = await api('GET', `${ITEMS}?${query}`);
      assert.equal(answer.status, 400, query);
      assert.deepEqual(pointersOf(answer), [pointer], query);
      assert.match(answer.body.errors[0].message, /must be|the keys are|did you mean/);
    }
  });
});

test('a partner has at most ten thousand line items; another one is not kept from its own', async (t) => {
  const { server, acme, operator } = await open(t);
  const { db } = server;
  const { id: _id, ...item } = await db
    .selectFrom('line_items')
    .selectAll()
    .where('id', '=', 501)
    .executeTakeFirstOrThrow();
  for (let from = 1; from < OWNED_MAX; from += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => 10_000 + from + index);
    const rows = ids.filter((id) => id < 10_000 + OWNED_MAX).map((id) => ({ ...item, id }));
    await db.insertInto('line_items').values(rows).execute();
  }
  for (const api of [acme, operator]) {
    const refused = await api('POST', ITEMS, { name: 'one more' });
    assert.equal(refused.status, 400);
    assert.match(refused.body.errors[0].message, /^there are 10000 line items/);
  }
  const others = '/demand-partners/1002/line-items/xch/';
  assert.equal((await operator('POST', others, { name: 'another' })).status, 201);
});

/** RFC 8288, as far as it is used: targets by their relation. */
function linksOf(header: unknown): Map<string, string> {
  const links = (typeof header === 'string' ? header : '').matchAll(/<([^>]*)>; rel="([a-z]+)"/g);
  return new Map([...links].map(([, target = '', relation = '']) => [relation, target]));
}
