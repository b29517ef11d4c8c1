import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCli, startFakeControl } from '../../test/support/cli.ts';
import { createDatabase, dropDatabase, postgres } from '../../test/support/postgres.ts';
import type { Finding } from './doctor/finding.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');

/** Commands with an empty database as their store, whose password is in no output. */
async function opened(t: TestContext) {
  const url = await createDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'rialto-database-'));
  t.after(async () => {
    rmSync(directory, { recursive: true });
    await dropDatabase(url);
  });
  const { cli } = openCli(t);
  const secret = url.replace('postgres@', 'postgres:pass-word@');
  const run = async (...args: readonly string[]) => {
    const result = await cli(args, { RIALTO_DATABASE_URL: secret });
    assert.doesNotMatch(result.stdout + result.stderr, /pass-word/);
    return result;
  };
  return { run, cli, url, directory, data: join(directory, 'data') };
}

test('a file is applied to the database that the environment names, and the data directory not made', async (t) => {
  const { run, url, data } = await opened(t);
  const dry = await run('apply', EXAMPLE, '--dry-run', '--data', data);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /would happen at the PostgreSQL database \S+:5432\/test_\d+\.\n$/);
  const server = await postgres();
  const tables = `select 1 from information_schema.tables where table_name = 'kysely_migration'`;
  assert.deepEqual(await server.run(tables, new URL(url).pathname.slice(1)), []);
  const applied = await run('apply', EXAMPLE, '--json');
  const { created, database } = JSON.parse(applied.stdout);
  assert.ok(created > 0);
  assert.match(database, /:5432\/test_\d+$/);
  assert.match((await run('ads-txt', '2001', '--data', data)).stderr, /exchange has no domain/);
  assert.equal(existsSync(data), false);
});

test('doctor connects to the database, and reads how far it was migrated', async (t) => {
  const { run, url, data } = await opened(t);
  const ports = ['--control-port=0', '--exchange-port=0', '--tracker-port=0'];
  const doctor = async () => {
    const { stdout } = await run('doctor', '--json', '--data', data, ...ports);
    const { checks } = JSON.parse(stdout);
    const found = checks.filter(({ check }: Finding) => /^(configuration|bidder)/.test(check));
    return found.map(({ state, message }: Finding) => `${state} ${message}`).join('\n');
  };
  assert.match(
    await doctor(),
    /^warn There is none yet in the PostgreSQL database \S+\/test_\d+\.$/,
  );
  await run('apply', EXAMPLE);
  assert.match(await doctor(), /^ok The one in the PostgreSQL .* is sound, at version \w+\.1\.\n/);
  const server = await postgres();
  const change = (sql: string) => server.run(sql, new URL(url).pathname.slice(1));
  await change('delete from kysely_migration');
  assert.match(await doctor(), /^warn The one in .* was made by an earlier version/);
  await change("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  assert.match(await doctor(), /^fail A newer version of Rialto made the one in /);
});

test('status of a node says which database it has, and that its absence needs somebody', async (t) => {
  const { run, cli, data } = await opened(t);
  await run('apply', EXAMPLE);
  const control = await startFakeControl(t, () => ({ body: 'ok\n' }));
  const ports = [`--control-port=${control.port}`, '--exchange-port=0', '--tracker-port=0'];
  const here = ['status', '--host', '127.0.0.1', ...ports, '--data', data];
  assert.match(
    (await run(...here)).stdout,
    /\nconfiguration \w+\.1, in the PostgreSQL database \S+\n/,
  );
  const gone = { RIALTO_DATABASE_URL: 'postgres://u:pass-word@127.0.0.1:9/x' };
  const { code, stdout } = await cli([...here, '--json'], gone);
  assert.equal(code, 1);
  const { configuration_store: store, attention } = JSON.parse(stdout);
  assert.deepEqual(store, { database: '127.0.0.1:9/x', state: 'unreachable', version: null });
  assert.match(JSON.stringify(attention), /127\.0\.0\.1:9\/x is unreachable/);
  assert.doesNotMatch(stdout, /pass-word/);
  const refused = await cli(['apply', EXAMPLE], gone);
  assert.equal(refused.code, 5);
  assert.doesNotMatch(refused.stderr, /pass-word/);
});

test('a store is copied into the database once', async (t) => {
  const { run, cli, data } = await opened(t);
  assert.equal((await cli(['copy-store', '--data', data])).code, 2, 'no database is named');
  assert.equal((await run('copy-store', '--data', data)).code, 4, 'no store is there');
  await cli(['apply', EXAMPLE, '--data', data]);
  const { rows, database } = JSON.parse((await run('copy-store', '--data', data, '--json')).stdout);
  assert.ok(rows > 0);
  assert.match(database, /\/test_\d+$/);
  const again = await run('copy-store', '--data', data);
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'The database holds a configuration already.\n'],
  );
});
