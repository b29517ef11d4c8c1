import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { openCli, startFakeControl } from '../../test/support/cli.ts';
import {
  NOTHING_TO_EXPORT,
  openManagement,
  tokenOf,
  rowsOf,
} from '../../test/support/management.ts';
import { dateOf } from '../analytics/dates.ts';
import type { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import type { ExportSource } from '../management/exports/parts.ts';
import { compareCommand, logCommand, reportCommand, statementCommand } from './exports.ts';

const TODAY = dateOf(Date.now());

/** A control with a token of partner 1001, and a file to write to. */
async function open(t: TestContext, exports: Partial<ExportSource> = {}) {
  const parts = { exports: { ...NOTHING_TO_EXPORT, ...exports } };
  const { app, db } = await openManagement(t, undefined, parts);
  const directory = mkdtempSync(join(tmpdir(), 'rialto-exports-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'out');
  const environment = {
    XDG_CONFIG_HOME: directory,
    RIALTO_URL: await app.listen({ port: 0, host: '127.0.0.1' }),
    RIALTO_TOKEN: await tokenOf(db, 'engineer@acme.example'),
  };
  const place = (flags: Readonly<Record<string, string>>) => ({
    flags: { '--demand-partner': '1001', ...flags },
    environment,
    file,
  });
  return { file, place, environment };
}

test('a report is written to a file, as CSV or as JSON', async (t) => {
  const { file, place } = await open(t, {
    demandReport: async ({ groupBy }) => ({
      columns: [...groupBy, 'bids'],
      rows: rowsOf({ country_code: 'USA', bids: 3 }),
    }),
  });
  const days = { '--from': TODAY, '--to': TODAY, '--group-by': 'country_code' };
  assert.equal(await reportCommand('demand', false, place(days)), 0);
  assert.equal(readFileSync(file, 'utf8'), 'country_code,bids\r\nUSA,3\r\n');
  assert.equal(await reportCommand('demand', true, place(days)), 0);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).result_count, 1);
  await assert.rejects(reportCommand('supply', false, place(days)), /Name one with --publisher/);
  await assert.rejects(
    reportCommand('demand', false, place({ ...days, '--group-by': 'os' })),
    /answered \S+ with 400: .*\n {2}\/group_by must be one or several of date, .*found "os"/,
  );
  const reversed = reportCommand('demand', false, place({ ...days, '--from': '2999-01-01' }));
  await assert.rejects(reversed, ({ exitCode, message }: CommandError) => {
    assert.match(message, /after end_date .*; give the earlier day first/);
    return exitCode === exitCodeOf('usage');
  });
  await assert.rejects(
    reportCommand('demand', false, place({ ...days, '--demand-partner': '1002' })),
    /answered \S+ with 404/,
  );
});

test('a log that was cut off leaves no file, and one that is whole does', async (t) => {
  let isBroken = false;
  const { file, place } = await open(t, {
    log: async function* pages() {
      for (let page = 0; page < 30; page += 1) {
        yield Array.from({ length: 1_000 }, (_, n) => ({ type: 'bid', bid_id: `${page}-${n} ä` }));
        if (isBroken && page === 20) throw new Error('the store is gone');
      }
    },
  });
  assert.equal(await logCommand(place({ '--date': TODAY })), 0);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 30_001);
  assert.equal(JSON.parse(lines.at(-1) ?? '').lines, 30_000);
  rmSync(file);
  isBroken = true;
  await assert.rejects(logCommand(place({ '--date': TODAY })), /cut off/);
  assert.deepEqual([existsSync(file), existsSync(`${file}.part`)], [false, false]);
});

test('a statement and a comparison come from the API; a difference is exit code 1', async (t) => {
  const day = { date: TODAY, impressions: 10, clicks: 1, wins: 12, cpmMicros: 5_000_000_000n };
  const { file, place } = await open(t, { daySums: async () => [day] });
  const month = { '--month': TODAY.slice(0, 7) };
  assert.equal(await statementCommand(false, place(month)), 0);
  assert.match(readFileSync(file, 'utf8'), /D1001-\d{4}-\d\d,total,10,1,12,5,USD,false\r\n$/);

  const log = mock.method(console, 'log', () => {});
  t.after(() => log.mock.restore());
  writeFileSync(file, `date,impressions\n${TODAY},12\n`);
  assert.equal(await compareCommand(file, false, place(month)), 1);
  const [text] = log.mock.calls.at(-1)?.arguments ?? [];
  assert.match(
    String(text),
    /impressions: ours 10, theirs 12, difference 2 \(20 %\)\n {2}wins_as_/,
  );
  writeFileSync(file, `date,impressions\n${TODAY},10\n`);
  assert.equal(await compareCommand(file, false, place(month)), 0);
});

test('nobody is asked without a token, and a server that is not there is said to be', async (t) => {
  const { environment } = await open(t);
  const flags = { '--publisher': '2001', '--date': TODAY };
  const { RIALTO_TOKEN: _none, ...without } = environment;
  await assert.rejects(logCommand({ flags, environment: without, file: null }), /Not signed in/);
  const elsewhere = { ...environment, RIALTO_URL: 'http://127.0.0.1:1' };
  await assert.rejects(
    logCommand({ flags, environment: elsewhere, file: null }),
    /cannot be reached/,
  );
  const clear = { ...environment, RIALTO_URL: 'http://control.example' };
  await assert.rejects(logCommand({ flags, environment: clear, file: null }), /plain http/);
});

test('whoever names nobody gets what is his own, and an operator is asked whose', async (t) => {
  const { app, db } = await openManagement(t);
  const directory = mkdtempSync(join(tmpdir(), 'rialto-exports-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const statementOf = async (email: string) => {
    const environment = { RIALTO_URL: url, RIALTO_TOKEN: await tokenOf(db, email) };
    const file = join(directory, 'out');
    const flags = { '--month': TODAY.slice(0, 7) };
    assert.equal(await statementCommand(true, { flags, environment, file }), 0);
    return JSON.parse(readFileSync(file, 'utf8')).account.id;
  };
  assert.equal(await statementOf('engineer@acme.example'), 1001);
  assert.equal(await statementOf('ads@planet.example'), 2001);
  await assert.rejects(statementOf('operator@example.com'), /Whose\?/);
});

test('a token that has ended is renewed before a stream begins', async (t) => {
  const line = '{"type":"end","lines":0,"to":"2026-11-21T00:00:00.000Z"}\n';
  const control = await startFakeControl(t, ({ url, headers }) => {
    if (!url.includes('/log/')) return null;
    if (headers['authorization'] === 'Bearer token-1') return { status: 401, body: {} };
    return { headers: { 'content-type': 'application/x-ndjson' }, body: line };
  });
  const { cli, configHome } = openCli(t);
  const file = join(configHome, 'log');
  const args = ['log', '--url', control.url, '--publisher', '2001', '--date', TODAY, '--out', file];
  const client = { RIALTO_CLIENT_ID: 'a', RIALTO_CLIENT_SECRET: 'good-secret' };
  assert.deepEqual(await cli(args, client), { code: 0, stdout: '', stderr: '' });
  assert.equal(readFileSync(file, 'utf8'), line);
  assert.equal(control.requests.at(-1)?.headers['authorization'], 'Bearer token-2');
  assert.equal((await cli([...args, '--nonsense'], client)).code, 2);
  const nowhere = await cli([...args.slice(0, -1), join(configHome, 'no', 'log')], client);
  assert.deepEqual([nowhere.code, /cannot be written/.test(nowhere.stderr)], [2, true]);
});

test('a comparison ends with 1 for a difference alone, and with 2 for a file that is not understood', async (t) => {
  const { file, place } = await open(t);
  writeFileSync(file, 'when,what\n1,2\n');
  const { environment } = place({});
  const { cli } = openCli(t);
  const args = ['compare', file, '--demand-partner', '1001', '--month', TODAY.slice(0, 7)];
  const { code, stderr } = await cli(args, environment);
  assert.equal(code, 2);
  assert.match(stderr, /answered \S+ with 400: .*\n {2}\S/);
});
