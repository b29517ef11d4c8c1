import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { openCli, SELF, startFakeControl, type FakeRequest } from '../../test/support/cli.ts';
import { openManagement } from '../../test/support/management.ts';
import { RESOURCES } from './resources.ts';

const REFERENCE = new URL('../../docs/reference/openapi.json', import.meta.url);

test('line items are listed, changed and shown over the API, as whoever is signed in', async (t) => {
  const { app } = await openManagement(t);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { cli } = openCli(t);
  const login = ['login', '--url', url, '--client-id', 'acme-client'];
  assert.equal((await cli(login, { RIALTO_CLIENT_SECRET: 'acme-secret' })).code, 0);
  const list = await cli(['get', 'line-items']);
  assert.match(list.stdout, /^ ID {2}NAME .*\n501 {2}Acme everywhere +ACTIVE +acme-1 +0\.05\n$/);
  const address = '/demand-partners/1001/line-items/xch/501/';
  const paused = await cli(['api', 'PATCH', address, '--data', '{"status":"PAUSED"}']);
  assert.equal(JSON.parse(paused.stdout).status, 'PAUSED');
  assert.match((await cli(['get', 'line-items', '501'])).stdout, /^id: 501\n.*\nstatus: PAUSED\n/s);

  const wrong = await cli(['api', 'PATCH', address, '--data', '{"status":"PAUSD"}']);
  assert.equal(wrong.code, 1);
  assert.match(JSON.parse(wrong.stdout).errors[0].message, /must be ACTIVE/);
  assert.match(wrong.stderr, /answered \S+ with 400/);
  const foreign = await cli(['get', 'line-items', '--demand-partner', '1002']);
  assert.deepEqual([foreign.code, foreign.stdout], [4, '']);

  assert.equal(
    (await cli([...login, '--scope', 'read'], { RIALTO_CLIENT_SECRET: 'acme-secret' })).code,
    0,
  );
  const reader = await cli(['api', 'PATCH', address, '--data', '{"status":"ACTIVE"}']);
  assert.equal(reader.code, 3);
  assert.match(reader.stderr, /may only read: run rialto login --url \S+ --scope 'read write'\./);
});

/** Answers one resource by what is asked of it. */
async function serving(t: TestContext, answer: (request: FakeRequest) => unknown, total?: number) {
  const headers: Record<string, string> =
    total === undefined ? {} : { 'x-total-count': String(total) };
  const control = await startFakeControl(t, (request) =>
    request.url === '/api/self/' ? { body: SELF } : { headers, body: answer(request) },
  );
  const { cli } = openCli(t);
  const environment = { RIALTO_URL: control.url, RIALTO_TOKEN: 'x' };
  return { control, get: (...args: string[]) => cli(['get', ...args], environment) };
}

test('every resource is asked for at its address, whose it is filled in', async (t) => {
  const { control, get } = await serving(t, ({ url }) =>
    url.includes('discovery') ? { days: [] } : [],
  );
  for (const [name, { path }] of Object.entries(RESOURCES)) {
    const result = await get(name, '--publisher', '2001');
    assert.equal(result.code, 0, result.stderr);
    const filled = path.replace('{demand_partner}', '1001').replace('{publisher}', '2001');
    assert.equal(control.requests.at(-1)?.url.split('?')[0], `/api${filled}`);
  }
});

test('whose apps are meant has to be said by who has none', async (t) => {
  const { get } = await serving(t, () => []);
  const { code, stderr } = await get('apps');
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^Whose apps\? Name one with --publisher; rialto get publishers lists them\.\n$/,
  );
});

test('filters, order and number go into the query, and what was left out is said', async (t) => {
  const { control, get } = await serving(t, () => [{ id: 1, name: 'One', status: 'ACTIVE' }], 7);
  const list = await get(
    'deals',
    '--filter',
    'status=ACTIVE',
    '--filter',
    'name=a&b',
    '--sort',
    '-id',
  );
  assert.equal(
    control.requests.at(-1)?.url,
    '/api/deals/?status=ACTIVE&name=a%26b&sort=-id&limit=50',
  );
  assert.match(list.stdout, /1 of 7: --all shows all/);
  assert.equal((await get('deals', '--limit', '0')).code, 2);
  assert.equal((await get('deals', '--filter', 'status')).code, 2);
  assert.equal((await get('deals', '--all', '--limit', '5')).code, 2);
});

test('all of a list is asked for page by page', async (t) => {
  const { control, get } = await serving(
    t,
    ({ url }) => {
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
      return Array.from({ length: Math.min(3, 7 - offset) }, (_, index) => ({
        id: offset + index,
      }));
    },
    7,
  );
  const { stdout } = await get('users', '--all', '--json');
  assert.deepEqual(
    JSON.parse(stdout).map(({ id }: { id: number }) => id),
    [0, 1, 2, 3, 4, 5, 6],
  );
  assert.equal(control.requests.length, 3);
});

test('names command no terminal, in tables, as YAML and as JSON', async (t) => {
  const name = 'a\u001b[2J\n\u202eb\u009b';
  const { get } = await serving(t, ({ url }) =>
    url.endsWith('/1/') ? { id: 1, name } : [{ id: 1, name }],
  );
  for (const args of [['publishers'], ['publishers', '1'], ['publishers', '--json']]) {
    const { stdout } = await get(...args);
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (args.includes('--json')) assert.deepEqual(JSON.parse(stdout), [{ id: 1, name }]);
  }
});

test('figures are asked for by days, seven unless others are named', async (t) => {
  const { control, get } = await serving(t, () => []);
  await get('kpi', '--from', '2026-11-01', '--to', '2026-11-02');
  const { method, body } = control.requests.at(-1) ?? { method: '', body: '{}' };
  assert.equal(method, 'POST');
  assert.deepEqual(JSON.parse(body), { start_date: '2026-11-01', end_date: '2026-11-02' });
  await get('kpi');
  const { start_date: start, end_date: end } = JSON.parse(control.requests.at(-1)?.body ?? '');
  assert.equal(Date.parse(end) - Date.parse(start), 6 * 24 * 60 * 60 * 1000);
});

test('an unknown resource is answered with the nearest one', async (t) => {
  const { get } = await serving(t, () => []);
  const { code, stderr } = await get('line-itms');
  assert.equal(code, 2);
  assert.match(
    stderr,
    /There is no resource line-itms \(did you mean line-items\?\); give one of self, /,
  );
});

test('every column of every list is a field of what the API answers', async () => {
  const { paths } = JSON.parse(readFileSync(REFERENCE, 'utf8'));
  const unnamed = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
  for (const [name, { path, body, rows, columns }] of Object.entries(RESOURCES)) {
    if (columns.length === 0) continue;
    const address = Object.keys(paths).find((each) => unnamed(each) === unnamed(`/api${path}`));
    const { responses } = paths[address ?? ''][body === undefined ? 'get' : 'post'];
    const { example } = responses['200'].content['application/json'];
    const [row] = rows === undefined ? example : example[rows];
    for (const { field, otherwise = field, followedBy = field } of columns) {
      for (const keys of [field, otherwise, followedBy]) {
        const value = keys.split('.').reduce((at, key) => [at].flat()[0]?.[key], row);
        assert.notEqual(value, undefined, `${name}: ${keys}`);
      }
    }
  }
});

test('a user has groups and an association, a deal a price or a floor, and rates are rounded', async (t) => {
  const user = { id: 7, email: 'a@b.example', status: 'ACTIVE' };
  const deal = { name: 'D', status: 'ACTIVE' };
  const lists: Readonly<Record<string, unknown>> = {
    '/api/users/': [
      {
        ...user,
        groups: ['demand-partner'],
        association: { type: 'DEMAND_PARTNER', entity_id: 1001 },
      },
      { ...user, groups: ['operator'], association: null },
    ],
    '/api/deals/': [
      { ...deal, id: 'd-1', type: 'fixed_price', price: 3, floor: null },
      { ...deal, id: 'd-2', type: 'auction', price: null, floor: 0.5 },
    ],
    '/api/inventory/discovery/': {
      days: [
        { date: '2026-11-20', complete: true, ad_requests: 7, qps_avg: 1 / 3, qps_peak: 17.5 },
      ],
    },
  };
  const { get } = await serving(t, ({ url }) => lists[url.split('?')[0] ?? '']);
  const users = (await get('users')).stdout;
  assert.match(users, /GROUPS +ASSOCIATION\n/);
  assert.match(users, /ACTIVE +demand-partner +DEMAND_PARTNER 1001\n/);
  assert.match(users, /ACTIVE +operator +–\n/);
  const deals = (await get('deals')).stdout;
  assert.match(deals, /TYPE +PRICE OR FLOOR\n/);
  assert.match(deals, /fixed_price +3\n/);
  assert.match(deals, /auction +0\.5\n/);
  assert.match((await get('discovery')).stdout, / 7 +0\.33 +17\.50\n/);
});
