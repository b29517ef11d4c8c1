import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExample } from '../../../test/support/configuration-store.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { FILE_MAX_BYTES } from '../../configuration/yaml-limits.ts';

const YAML = { 'content-type': 'application/yaml' };
const FILE = `demand_partners:
  - id: 1001
    name: Renamed
`;

test('a file is planned, applied once, and noted under the name of who sent it', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const change = {
    action: 'updated',
    resource: 'demand partner',
    resource_id: '1001',
    fields: [{ field: 'name', before: 'Acme DSP', after: 'Renamed' }],
  };
  const planned = await api('PUT', '/configuration/?dry_run=true', FILE, YAML);
  assert.deepEqual([planned.status, planned.body.changes], [200, [change]]);
  const applied = await api('PUT', '/configuration/', FILE, YAML);
  const { version, ...counts } = applied.body;
  const expected = { created: 0, updated: 1, unchanged: 0, changes: [change], notes: [] };
  assert.deepEqual([applied.status, counts], [200, expected]);
  assert.notEqual(version, planned.body.version);
  const again = await api('PUT', '/configuration/', FILE, YAML);
  assert.deepEqual([again.body.updated, again.body.unchanged, again.body.version], [0, 1, version]);
  const log = await api('GET', '/audit-log/?resource=demand%20partner&action=updated');
  assert.deepEqual(
    log.body.map(({ actor, changes }: { actor: string; changes: unknown }) => [actor, changes]),
    [['operator@example.com', [{ field: 'name', before: 'Acme DSP', after: 'Renamed' }]]],
  );
});

test('the configuration is exported as the file that is taken, to operators alone', async (t) => {
  const server = await openManagement(t);
  const reader = await apiOf(server, 'operator@example.com', ['read']);
  const exported = await reader('GET', '/configuration/');
  assert.equal(exported.status, 200);
  assert.equal(exported.headers['content-type'], 'application/yaml; charset=utf-8');
  assert.match(String(exported.headers['content-disposition']), /^attachment; /);
  const text = String(exported.body);
  assert.match(text, /^ {4}name: Acme DSP$/m);
  const operator = await apiOf(server, 'operator@example.com');
  const { status, body } = await operator('PUT', '/configuration/', text, YAML);
  assert.deepEqual([status, body.created, body.updated, body.notes], [200, 0, 0, []]);
  for (const email of ['engineer@acme.example', 'ads@planet.example']) {
    assert.equal((await (await apiOf(server, email))('GET', '/configuration/')).status, 403);
  }
});

test('the example is applied over HTTP as it stands, and changes nothing the second time', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const { status, body } = await api('PUT', '/configuration', await readExample(), YAML);
  assert.deepEqual([status, body.created, body.updated, body.notes], [200, 0, 0, []]);
});

test('every problem of a file is told with its place, and nothing of it is applied', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const broken = `${FILE}    line_items:\n      - { id: 501, floor: -1,\n          flor: 1 }\n`;
  for (const path of ['/configuration/', '/configuration/?dry_run=true']) {
    const { status, body } = await api('PUT', path, broken, YAML);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.deepEqual(
      body.errors.map(({ message: _, ...place }: { message: string }) => place),
      [
        { pointer: '/demand_partners/0/line_items/0/floor', line: 5, column: 20 },
        { pointer: '/demand_partners/0/line_items/0/flor', line: 6, column: 11 },
      ],
    );
  }
  const syntax = await api('PUT', '/configuration/', 'password: "hunter2', YAML);
  assert.equal(syntax.body.errors[0].line, 1);
  assert.doesNotMatch(JSON.stringify(syntax.body), /hunter2/);
  const partner = await api('GET', '/audit-log/?resource=demand%20partner&action=updated');
  assert.deepEqual(partner.body, []);
});

test('a file comes as YAML, to this address alone, of a bounded size, and from operators', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const json = await api('PUT', '/configuration/', { demand_partners: [] });
  assert.equal(json.status, 400);
  assert.match(
    json.body.errors[0].message,
    /a configuration file in YAML, sent as application\/yaml/,
  );
  const jsonAsYaml = await api('PUT', '/configuration/', '{"demand_partners": []}', YAML);
  assert.equal(jsonAsYaml.status, 200);
  const elsewhere = await api('POST', '/demand-partners/1001/line-items/xch/', FILE, YAML);
  assert.equal(elsewhere.status, 415);
  const large = await api('PUT', '/configuration/', ' '.repeat(FILE_MAX_BYTES + 1), YAML);
  assert.equal(large.status, 413);
  const latin = Buffer.from('publishers:\n  - name: Café\n', 'latin1');
  const unread = await api('PUT', '/configuration/', latin, YAML);
  const [{ line, column, message }] = unread.body.errors;
  assert.deepEqual([unread.status, line, column], [400, 2, 14]);
  assert.match(message, /^Byte 26 of the file, 0xE9 .* is not UTF-8/);
  const wrong = await api('PUT', '/configuration/?dry_run=perhaps', FILE, YAML);
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/dry_run']);
  for (const email of ['engineer@acme.example', 'ads@planet.example']) {
    assert.equal(
      (await (await apiOf(server, email))('PUT', '/configuration/', FILE, YAML)).status,
      403,
    );
  }
  const reader = await apiOf(server, 'operator@example.com', ['read']);
  const refused = await reader('PUT', '/configuration/?dry_run=true', FILE, YAML);
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
});
