import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { Compile } from 'typebox/compile';
import {
  apiOf,
  NOTHING_TO_EXPORT,
  openManagement,
  tokenOf,
  rowsOf,
} from '../../../test/support/management.ts';
import { until } from '../../../test/support/wait.ts';
import { dateOf } from '../../analytics/dates.ts';
import { Endpoints } from '../endpoints.ts';
import type { ExportSource } from './parts.ts';
import { registerExports } from './routes.ts';
import { ExportSlots } from './slots.ts';

const TODAY = dateOf(Date.now());
const PARTNER = '/demand-partners/1001';
const PUBLISHER = '/publishers/2001';

async function open(t: TestContext, exports: Partial<ExportSource> = {}) {
  const parts = { exports: { ...NOTHING_TO_EXPORT, ...exports } };
  return openManagement(t, undefined, parts);
}

test('a log ends with a line that tells how many there were and how far it goes', async (t) => {
  const asked: unknown[] = [];
  const server = await open(t, {
    log: async function* two(owner, window) {
      asked.push(owner, window);
      yield [{ type: 'bid', bid_id: 'ä€' }];
      yield [];
      yield [{ type: 'win' }];
    },
  });
  const api = await apiOf(server, 'engineer@acme.example');
  const { status, body, headers } = await api('GET', `${PARTNER}/log/?date=${TODAY}`);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8');
  const answer = await server.app.inject({
    url: `/api${PARTNER}/log/?date=${TODAY}`,
    headers: {
      authorization: `Bearer ${await tokenOf(server.db, 'engineer@acme.example')}`,
      'accept-encoding': 'br, gzip;q=0.5',
    },
  });
  assert.equal(answer.headers['content-encoding'], 'gzip');
  for (const text of [String(body), gunzipSync(answer.rawPayload).toString()]) {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines.slice(0, 2), [{ type: 'bid', bid_id: 'ä€' }, { type: 'win' }]);
    const [, , { type, lines: count, to }] = lines;
    assert.deepEqual([type, count, dateOf(Date.parse(to))], ['end', 2, TODAY]);
  }
  assert.deepEqual(asked[0], { side: 'demand', id: 1001 });
});

test('a time of the day can be asked for, and days that are not kept are 400', async (t) => {
  const windows: { from_ms: number; to_ms: number }[] = [];
  const yesterday = dateOf(Date.now() - 86_400_000);
  const server = await open(t, {
    log: async function* none(_owner, window) {
      windows.push(window);
      yield [];
    },
  });
  const api = await apiOf(server, 'operator@example.com');
  await api('GET', `${PARTNER}/log/?date=${yesterday}&hour=7&from=${yesterday}T07:15:00.000Z`);
  assert.deepEqual(windows, [
    { from_ms: Date.parse(`${yesterday}T07:15:00Z`), to_ms: Date.parse(`${yesterday}T08:00:00Z`) },
  ]);
  for (const query of [
    '',
    'date=2020-01-01',
    'date=2026-02-30',
    `date=${dateOf(Date.now() + 2 * 86_400_000)}`,
    `date=${yesterday}&hour=24`,
    `date=${yesterday}&hour=7&from=${yesterday}T09:00:00.000Z`,
    `date=${yesterday}&from=x`,
    `date=${yesterday}&zz=1`,
  ]) {
    const { status, body } = await api('GET', `${PUBLISHER}/log/?${query}`);
    assert.deepEqual([status, body.code], [400, 'invalid_request'], query);
    assert.ok(body.errors[0].message.length > 10);
  }
  const { body } = await api('GET', `${PARTNER}/log/?date=2020-01-01`);
  assert.match(body.errors[0].message, new RegExp(`from \\d{4}-\\d\\d-\\d\\d to ${TODAY}`));
});

test('an error in the middle of a log cuts the connection; the place of who left is free again', async (t) => {
  let begun = 0;
  let closed = 0;
  const server = await open(t, {
    log: async function* broken(owner) {
      begun += 1;
      try {
        yield [{ type: 'bid' }];
        if (owner.side === 'supply') {
          if (begun > 1) await delay(50);
          throw new Error('the store is gone');
        }
        for (;;) {
          yield [{ type: 'bid', text: 'x'.repeat(100_000) }];
          await delay(1);
        }
      } finally {
        closed += 1;
      }
    },
  });
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
  const operator = `Bearer ${await tokenOf(server.db, 'operator@example.com')}`;
  const ask = () =>
    fetch(new URL(`/api${PUBLISHER}/log/?date=${TODAY}`, url), {
      headers: { authorization: operator },
    });
  const early = await ask();
  assert.deepEqual([early.status, Object(await early.json()).code], [500, 'internal']);
  const cut = await ask();
  assert.equal(cut.status, 200);
  await assert.rejects(cut.text());

  // Who takes nothing holds back who reads; who goes ends it.
  for (let each = 0; each < 6; each += 1) {
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `GET /api${PARTNER}/log/?date=${TODAY} HTTP/1.1\r\nhost: x\r\nauthorization: ${operator}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.destroy();
    await until('the log is not read any more', 5_000, () => closed === begun);
  }
  assert.equal(begun, 8);
});

test('a few exports of one account may be under way, the next is 429', async (t) => {
  const waiting: (() => void)[] = [];
  const server = await open(t, {
    daySums: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [];
    },
  });
  const api = await apiOf(server, 'engineer@acme.example');
  const month = TODAY.slice(0, 7);
  const ask = () => api('GET', `${PARTNER}/statement/?month=${month}`);
  const first = [ask(), ask(), ask(), ask()];
  await until('four are under way', 5_000, () => waiting.length === 4);
  const fifth = await ask();
  assert.deepEqual(
    [fifth.status, fifth.body.code, fifth.headers['retry-after']],
    [429, 'too_many_exports', '1'],
  );
  for (const resolve of waiting.splice(0)) resolve();
  for (const { status } of await Promise.all(first)) assert.equal(status, 200);
});

test('reports are those of the reporting API, as JSON and as CSV', async (t) => {
  const questions: unknown[] = [];
  const server = await open(t, {
    demandReport: async (question) => {
      questions.push(question);
      return { columns: ['country_code', 'bids'], rows: rowsOf({ country_code: '=A', bids: 3 }) };
    },
  });
  const api = await apiOf(server, 'engineer@acme.example');
  const dates = `start_date=${TODAY}&end_date=${TODAY}`;
  const json = await api('GET', `${PARTNER}/report/?${dates}&group_by=country_code`);
  assert.deepEqual(json.body, {
    status: 'success',
    data: [{ country_code: '=A', bids: 3 }],
    result_count: 1,
  });
  const csv = await api('GET', `${PARTNER}/report/?${dates}&format=csv`);
  assert.equal(csv.body, "country_code,bids\r\n'=A,3\r\n");
  assert.deepEqual(questions, [
    {
      startDate: TODAY,
      endDate: TODAY,
      format: 'json',
      groupBy: ['country_code'],
      accountId: 1001,
    },
    { startDate: TODAY, endDate: TODAY, format: 'csv', groupBy: ['date'], accountId: 1001 },
  ]);
  const wrong = await api('GET', `${PARTNER}/report/?${dates}&group_by=os`);
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.errors[0].pointer, '/group_by');
  assert.equal((await api('GET', `${PARTNER}/report/?${dates}&account_auth_token=x`)).status, 400);
});

test('what is another account’s is not found, and the other kind may not ask', async (t) => {
  const server = await open(t);
  const partner = await apiOf(server, 'engineer@acme.example');
  const dates = `start_date=${TODAY}&end_date=${TODAY}`;
  const month = `month=${TODAY.slice(0, 7)}`;
  for (const [method, tail, body] of [
    ['GET', `log/?date=${TODAY}`, undefined],
    ['GET', `report/?${dates}`, undefined],
    ['GET', `statement/?${month}`, undefined],
    ['POST', `comparison/?${month}`, 'date,wins\n'],
  ] as const) {
    const csv = body === undefined ? {} : { 'content-type': 'text/csv' };
    assert.equal((await partner(method, `${PARTNER}/${tail}`, body, csv)).status, 200, tail);
    const foreign = await partner(method, `/demand-partners/1002/${tail}`, body, csv);
    const missing = await partner(method, `/demand-partners/99/${tail}`, body, csv);
    assert.deepEqual([foreign.status, foreign.body], [404, missing.body]);
    assert.equal((await partner(method, `${PUBLISHER}/${tail}`, body, csv)).status, 403);
    const publisher = await apiOf(server, 'ads@planet.example', ['read']);
    assert.equal((await publisher(method, `${PUBLISHER}/${tail}`, body, csv)).status, 200);
    assert.equal((await publisher(method, `${PARTNER}/${tail}`, body, csv)).status, 403);
  }
});

test('a comparison takes CSV alone, and tells what is wrong in which line', async (t) => {
  const server = await open(t);
  const api = await apiOf(server, 'engineer@acme.example');
  const month = TODAY.slice(0, 7);
  const csv = { 'content-type': 'text/csv; charset=utf-8' };
  const post = (body: string, query = `month=${month}`, headers = csv) =>
    api('POST', `${PARTNER}/comparison/?${query}`, body, headers);
  const wrong = await post(`imps;Day\r\n12;${TODAY}\r\nx;${TODAY}\r\n1;2020-01-01\r\n`);
  assert.equal(wrong.status, 400);
  assert.deepEqual(
    wrong.body.errors.map(({ message }: { message: string }) => message.split(';')[0]),
    ['line 3 has impressions "x"', 'line 4 has the date "2020-01-01"'],
  );
  for (const body of [
    '',
    '\n',
    'date\n',
    'a,b\n',
    'date,wins\n"',
    `date,wins\n${TODAY}\n`,
    'date,wins,imps,impressions\n',
  ]) {
    assert.equal((await post(body)).status, 400, JSON.stringify(body));
  }
  for (const query of [
    '',
    'month=2020-01',
    `month=${month}&start_date=${TODAY}`,
    `start_date=${TODAY}`,
    `start_date=${TODAY}&end_date=2020-01-01`,
  ]) {
    assert.equal((await post('date,wins\n', query)).status, 400, query);
  }
  assert.equal(
    (await post('{}', `month=${month}`, { 'content-type': 'application/xml' })).status,
    415,
  );
  const large = await post(`date,wins\n${`${TODAY},1\n`.repeat(180_000)}`);
  assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
  const elsewhere = await api('PATCH', `${PARTNER}/line-items/xch/501/`, 'a,b', csv);
  assert.equal(elsewhere.status, 415);
});

test('examples are of their own schemas', async (t) => {
  const { db } = await open(t);
  const endpoints = new Endpoints(fastify(), null);
  registerExports(endpoints, {
    db,
    exports: NOTHING_TO_EXPORT,
    slots: new ExportSlots(),
    now: Date.now,
  });
  assert.equal(endpoints.all.length, 8);
  for (const { id, answer } of endpoints.all) {
    assert.ok(answer.schema !== null && Compile(answer.schema).Check(answer.example), id);
  }
});
