import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCli, SELF, startFakeControl } from '../../test/support/cli.ts';

const APPLIED = {
  created: 0,
  updated: 1,
  unchanged: 2,
  version: 'a3f1.13',
  changes: [
    {
      action: 'updated',
      resource: 'line item',
      resource_id: '501\u001b[2J',
      fields: [{ field: 'floor', before: 0.5, after: 0.75 }],
    },
  ],
  notes: [{ pointer: '/users/0/password', message: 'stays as it is', line: 4, column: 3 }],
};

async function opened(
  t: TestContext,
  answer: { status?: number; body: unknown } = { body: APPLIED },
) {
  const control = await startFakeControl(t, ({ url }) => {
    if (url === '/api/self/') return { body: SELF };
    return url.startsWith('/api/configuration/') ? answer : null;
  });
  const directory = mkdtempSync(join(tmpdir(), 'rialto-apply-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'exchange.yaml');
  writeFileSync(file, 'demand_partners:\n  - { id: 1, name: One }\n');
  return { control, ...openCli(t), directory, file, data: join(directory, 'data') };
}

test('a file goes to the server that is named, and what it came to is said with where', async (t) => {
  const { control, cli, file } = await opened(t);
  const environment = { RIALTO_URL: control.url, RIALTO_TOKEN: 'x' };
  const { code, stdout } = await cli(['apply', file], environment);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `${file}: 0 created, 1 updated, 2 unchanged\n  updated line item 501\\u{1b}[2J\n    floor: 0.5 to 0.75\n` +
      `note: ${file}:4 users[0].password: stays as it is\nApplied to ${control.url} (RIALTO_TOKEN).\n`,
  );
  const { method, url, headers, body } = control.requests.at(-1) ?? assert.fail();
  assert.deepEqual([method, url], ['PUT', '/api/configuration/']);
  assert.equal(headers['content-type'], 'application/yaml');
  assert.match(body, /^demand_partners:/);

  const dry = await cli(['apply', file, '--dry-run', '--json'], environment);
  assert.equal(control.requests.at(-1)?.url, '/api/configuration/?dry_run=true');
  const { ok, dry_run: isDryRun, server, version } = JSON.parse(dry.stdout);
  assert.deepEqual([ok, isDryRun, server, version], [true, true, control.url, 'a3f1.13']);
});

test('faults that a server finds are told with their lines', async (t) => {
  const errors = [{ pointer: '/publishers/0/nmae', message: 'is no key', line: 3, column: 5 }];
  const body = { code: 'invalid_request', title: 'Wrong.', status: 400, errors };
  const { control, cli, file } = await opened(t, { status: 400, body });
  const environment = { RIALTO_URL: control.url, RIALTO_TOKEN: 'x' };
  const { code, stdout, stderr } = await cli(['apply', file], environment);
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(stderr, `${file}:3 publishers[0].nmae: is no key\n`);
});

test('who is signed in nowhere applies here, and a dry run leaves nothing behind', async (t) => {
  const { cli, file, data } = await opened(t);
  const dry = await cli(['apply', file, '--dry-run'], { RIALTO_DATA: data });
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /created demand partner 1\n/);
  assert.match(dry.stdout, /Nothing was changed: this would happen at the data directory /);
  assert.equal(existsSync(data), false);
  const applied = await cli(['apply', file, '--json', '--data', data]);
  const { created, data_directory: directory } = JSON.parse(applied.stdout);
  assert.ok(created > 0);
  assert.equal(directory, data);
  const again = await cli(['apply', file, '--data', data]);
  assert.match(again.stdout, /: 0 created, 0 updated, /);

  writeFileSync(file, 'publishers:\n  - { id: x, nmae: Planet }\n');
  const wrong = await cli(['apply', file, '--data', data, '--json']);
  assert.equal(wrong.code, 1);
  assert.equal(JSON.parse(wrong.stdout).ok, false);
  assert.match(wrong.stderr, /exchange\.yaml:2 publishers\[0\]/);
});

test('a sign-in is where files go from then on, unless a data directory is named', async (t) => {
  const { control, cli, file, data } = await opened(t);
  const login = ['login', '--url', control.url, '--client-id', 'ops'];
  await cli(login, { RIALTO_CLIENT_SECRET: 'good-secret' });
  const server = await cli(['apply', file]);
  assert.match(server.stdout, /Applied to http:\/\/127\.0\.0\.1:\d+ \(profile default\)\.\n$/);
  const before = control.requests.length;
  assert.match(
    (await cli(['apply', file, '--data', data])).stdout,
    /Applied to the data directory /,
  );
  assert.match((await cli(['apply', file], { RIALTO_DATA: data })).stdout, /the data directory /);
  const both = await cli(['apply', file, '--data', data, '--url', control.url]);
  assert.deepEqual(
    [both.code, both.stderr],
    [2, '--url means a server and --data this machine: say --url or --data, not both.\n'],
  );
  const variables = { RIALTO_DATA: data, RIALTO_URL: control.url };
  assert.equal((await cli(['apply', file], variables)).code, 2);
  assert.equal(control.requests.length, before);
});

test('a file that is not UTF-8 is refused with its place, and goes nowhere', async (t) => {
  const { control, cli, file } = await opened(t);
  writeFileSync(file, Buffer.from('publishers:\n  - name: Café\n', 'latin1'));
  const { code, stderr } = await cli(['apply', file], {
    RIALTO_URL: control.url,
    RIALTO_TOKEN: 'x',
  });
  assert.notEqual(code, 0);
  assert.equal(
    stderr,
    `${file}:2 Byte 26 of the file, 0xE9 in column 14, is not UTF-8; save the file in UTF-8.\n`,
  );
  assert.ok(!control.requests.some(({ url }) => url?.startsWith('/api/configuration/')));
});

test('what is exported is a file that is applied, of a server or of this machine', async (t) => {
  const { control, cli, file, directory, data } = await opened(t, { body: 'exchange: {}\n' });
  const out = join(directory, 'out.yaml');
  const server = { RIALTO_URL: control.url, RIALTO_TOKEN: 'x' };
  assert.equal((await cli(['export', '--out', out], server)).code, 0);
  assert.equal(readFileSync(out, 'utf8'), 'exchange: {}\n');
  assert.equal(control.requests.at(-1)?.url, '/api/configuration/');

  const missing = await cli(['export', '--data', data]);
  assert.deepEqual([missing.code, existsSync(data)], [4, false]);
  await cli(['apply', file, '--data', data]);
  assert.equal((await cli(['export', '--data', data, '--out', out])).code, 0);
  const copy = join(directory, 'copy');
  assert.match((await cli(['apply', out, '--data', copy])).stdout, /: 3 created, 0 updated/);
  const again = join(directory, 'again.yaml');
  await cli(['export', '--data', copy, '--out', again]);
  assert.equal(readFileSync(again, 'utf8'), readFileSync(out, 'utf8'));

  writeFileSync(file, 'demand_partners:\n  - { id: 1, name: Two }\n');
  const dry = await cli(['apply', file, '--dry-run', '--data', copy]);
  assert.match(dry.stdout, /updated demand partner 1\n {4}name: "One" to "Two"\n/);
});
