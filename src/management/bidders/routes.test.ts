import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { compileSnapshot } from '../../configuration/compile.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';

const BIDDER = '/demand-partners/1001/bidder/';

async function open(t: TestContext) {
  const server = await openManagement(t);
  return {
    server,
    acme: await apiOf(server, 'engineer@acme.example'),
    operator: await apiOf(server, 'operator@example.com'),
  };
}

test('a partner sees its bidder with all of its settings, and changes them key by key', async (t) => {
  const { server, acme } = await open(t);
  const { body: before, headers } = await acme('GET', BIDDER);
  const { created_at: _made, updated_at: _changed, ...settings } = before;
  assert.deepEqual(settings, {
    endpoint: 'http://127.0.0.1:9101/bid',
    openrtb_version: '2.5',
    timeout_ms: 200,
    max_qps: 5_000,
    max_concurrency: null,
    send_bidfloor: true,
    gzip: false,
    gvl_id: 9_001,
    mimes: null,
    send_viewability: false,
    native_in_ext: false,
    interstitial_imps: 'one',
    sync_url: null,
    sync_type: 'image',
    headers: null,
    stopped: null,
  });
  const patch = { gzip: true, max_qps: null, headers: { 'X-Api-Key': 'secret-1', account: '7' } };
  const match = { 'if-match': String(headers['etag']) };
  const changed = await acme('PATCH', BIDDER, patch, match);
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body, { ...before, ...patch, updated_at: changed.body.updated_at });
  const late = await acme('PATCH', BIDDER, { gzip: false }, match);
  assert.equal(late.status, 412);
  const { body } = await acme('PATCH', BIDDER, { headers: { account: null, 'x-more': 'a b' } });
  assert.deepEqual(body.headers, { 'X-Api-Key': 'secret-1', 'x-more': 'a b' });
  const { entities } = await compileSnapshot(server.db);
  const partner = entities.find((entity) => entity.kind === 'demandPartner' && entity.id === 1001);
  assert.ok(partner?.kind === 'demandPartner');
  assert.deepEqual(partner.bidder?.headers, body.headers);
  assert.equal((await acme('PATCH', BIDDER, { headers: null })).body.headers, null);
});

test('values of headers are in no log and no audit log', async (t) => {
  const { server, acme, operator } = await open(t);
  await acme('PATCH', BIDDER, { headers: { 'X-Api-Key': 'secret-1' } });
  await acme('PATCH', BIDDER, { headers: { 'X-Api-Key': 'secret-2' } });
  const refused = await acme('PATCH', BIDDER, { headers: { 'X-Api-Key': 'secret-3\r\nHost: b' } });
  assert.equal(refused.body.errors[0].pointer, '/headers/X-Api-Key');
  assert.doesNotMatch(JSON.stringify(refused.body), /secret/);
  assert.equal((await operator('GET', BIDDER)).body.headers['X-Api-Key'], 'secret-2');
  const audit = await server.db.selectFrom('audit_log').selectAll().execute();
  assert.match(JSON.stringify(audit), /X-Api-Key/);
  assert.doesNotMatch(JSON.stringify(audit), /secret-/);
  assert.doesNotMatch(server.log(), /secret-/);
  // In the settings themselves, and nowhere else.
  const held = (await dumpStore(server.db)).split('\n').filter((row) => row.includes('secret-2'));
  assert.deepEqual(
    held.map((row) => row.split(' ')[0]),
    ['bidders'],
  );
});

test('the first change makes a bidder, and needs its endpoint', async (t) => {
  const { server, operator } = await open(t);
  const { body: partner } = await operator('POST', '/demand-partners/', { name: 'New' });
  const path = `/demand-partners/${partner.id}/bidder/`;
  const dump = await dumpStore(server.db);
  assert.equal((await operator('GET', path)).status, 404);
  assert.equal((await operator('POST', `${path}stop/`, { reason: 'x' })).status, 404);
  const without = await operator('PATCH', path, { gzip: true });
  assert.deepEqual([without.status, without.body.errors[0].pointer], [400, '']);
  assert.match(without.body.errors[0].message, /endpoint/);
  const endpoint = { endpoint: 'https://bidder.example/bid' };
  for (const condition of ['*', '"any"']) {
    const answer = await operator('PATCH', path, endpoint, { 'if-match': condition });
    assert.equal(answer.status, 412, 'nothing is there that could be meant');
  }
  assert.equal(await dumpStore(server.db), dump);
  const made = await operator('PATCH', path, endpoint, { 'if-none-match': '*' });
  assert.deepEqual([made.status, made.body.endpoint], [200, endpoint.endpoint]);
  assert.deepEqual((await operator('GET', path)).body, made.body);
  const again = await operator('PATCH', path, endpoint, { 'if-none-match': '*' });
  assert.equal(again.status, 412);
});

test('an address that the exchange would not connect to is refused where it is set', async (t) => {
  const { server, acme, operator } = await open(t);
  const dump = await dumpStore(server.db);
  for (const host of [
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '[fd00::1]',
    '0xa000001',
    '012.0.0.1',
    '10.1',
    '10.0.0.1.',
  ]) {
    for (const key of ['endpoint', 'sync_url']) {
      const { status, body } = await acme('PATCH', BIDDER, { [key]: `http://${host}/x` });
      assert.deepEqual([status, body.errors[0]?.pointer], [400, `/${key}`], host);
      assert.match(body.errors[0].message, /private address .*allow_private_addresses/);
    }
  }
  assert.equal(await dumpStore(server.db), dump);
  // The example allows 127.0.0.0/8.
  for (const host of ['localhost', 'a.localhost.', '127.9.9.9']) {
    assert.equal((await acme('PATCH', BIDDER, { endpoint: `http://${host}/` })).status, 200);
  }
  await operator('PATCH', '/exchange/', { allow_private_addresses: [] });
  const kept = await acme('PATCH', BIDDER, { endpoint: 'http://127.9.9.9/', timeout_ms: 90 });
  assert.equal(kept.status, 200, 'what is there already is no change');
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1']) {
    assert.equal((await acme('PATCH', BIDDER, { endpoint: `http://${host}/` })).status, 400, host);
  }
  assert.equal((await acme('PATCH', BIDDER, { endpoint: 'http://8.8.8.8/bid' })).status, 200);
});

test('every wrong setting is refused with its pointer, and nothing is changed', async (t) => {
  const { server, acme } = await open(t);
  const dump = await dumpStore(server.db);
  for (const [key, values] of [
    ['endpoint', ['', 'ftp://b.example/', 'http://u:p@b.example/', 'http://b.example/#x', null, 7]],
    ['openrtb_version', ['2.7', 2.5, null]],
    ['timeout_ms', [0, 10_001, 1.5, '90', null]],
    ['max_qps', [0, '1', 10_000_001]],
    ['max_concurrency', [0, 513]],
    ['send_bidfloor', [1, 'yes', null]],
    ['gzip', [0, 'true']],
    ['gvl_id', [0, 65_536]],
    ['mimes', [[], ['png'], 'image/png', Array(51).fill('image/png')]],
    ['interstitial_imps', ['both']],
    ['sync_url', ['x', 'https://${GDPR}.example/']],
    ['sync_type', ['script']],
    ['headers', [[], 'x', { 'a b': 'x' }, { host: 'x' }, { a: '' }, { a: 7 }, { a: 'x\n' }]],
    ['stopped', [true]],
    ['updated_at', [null]],
    ['demand_partner_id', [1001]],
  ] as const) {
    for (const value of values) {
      const { status, body } = await acme('PATCH', BIDDER, { [key]: value });
      const said = `${key}: ${JSON.stringify(value)} ${JSON.stringify(body)}`;
      assert.equal(status, 400, said);
      const pointer: string = body.errors[0].pointer;
      assert.equal(pointer.split('/')[1], key, said);
    }
  }
  const several = await acme('PATCH', BIDDER, { timeout_ms: 0, gzip: 2, no: 1 });
  assert.equal(several.body.errors.length, 3);
  assert.equal(await dumpStore(server.db), dump);
});

test('an operator stops and starts a bidder, which it and its partner show', async (t) => {
  const { server, acme, operator } = await open(t);
  const reason = 'answers with broken JSON';
  const stopped = await operator('POST', `${BIDDER}stop/`, { reason });
  assert.equal(stopped.status, 200);
  assert.equal(stopped.body.stopped.reason, reason);
  const { since } = stopped.body.stopped;
  assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
  const partner = await acme('GET', '/demand-partners/1001/');
  assert.deepEqual(partner.body.stopped, { reason, since });
  const [listed] = (await acme('GET', '/demand-partners/')).body;
  assert.deepEqual(listed, partner.body);
  const own = await acme('GET', BIDDER);
  assert.deepEqual(own.body, stopped.body);
  assert.equal(own.headers['etag'], stopped.headers['etag']);
  const changed = await acme('PATCH', BIDDER, { gzip: true });
  assert.deepEqual(changed.body.stopped, { reason, since }, 'no change of settings starts it');
  const started = await operator('POST', `${BIDDER}start/`);
  assert.deepEqual([started.status, started.body.stopped], [200, null]);
  assert.equal((await operator('POST', `${BIDDER}start/`)).status, 200);
  const lines = await server.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'resource_id'])
    .where('action', 'in', ['stopped', 'started'])
    .orderBy('id')
    .execute();
  const by = { actor: 'operator@example.com', resource_id: '1001' };
  assert.deepEqual(lines, [
    { action: 'stopped', ...by },
    { action: 'started', ...by },
  ]);
});

test("nobody but an operator stops a bidder, and nobody sees another's", async (t) => {
  const { server, acme, operator } = await open(t);
  const publisher = await apiOf(server, 'ads@planet.example');
  const dump = await dumpStore(server.db);
  const foreign = '/demand-partners/1002/bidder/';
  for (const [api, method, path, status] of [
    [acme, 'POST', `${BIDDER}stop/`, 403],
    [acme, 'POST', `${foreign}start/`, 403],
    [acme, 'GET', foreign, 404],
    [acme, 'PATCH', foreign, 404],
    [acme, 'PATCH', '/demand-partners/77/bidder/', 404],
    [publisher, 'GET', BIDDER, 403],
    [publisher, 'POST', `${BIDDER}stop/`, 403],
    [operator, 'POST', '/demand-partners/77/bidder/stop/', 404],
    [operator, 'DELETE', BIDDER, 405],
    [operator, 'GET', `${BIDDER}stop/`, 405],
  ] as const) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : { reason: 'x' };
    assert.equal((await api(method, path, body)).status, status, `${method} ${path}`);
  }
  for (const body of [
    {},
    { reason: '' },
    { reason: 'a\nb' },
    { reason: 'x'.repeat(201) },
    { reason: 'x', a: 1 },
  ]) {
    assert.equal((await operator('POST', `${BIDDER}stop/`, body)).status, 400);
  }
  assert.equal(await dumpStore(server.db), dump);
});
