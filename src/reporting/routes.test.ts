import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { registerReporting, type ReportQuota, type ReportingParts } from './routes.ts';

const NOW = Date.UTC(2026, 10, 20);
const DATES = 'start_date=2026-11-19&end_date=2026-11-20';

const QUOTA: ReportQuota = {
  isAllowed: true,
  limit: 100,
  windowSeconds: 3_600,
  remaining: 99,
  moreInSeconds: 3_600,
};

function server(differs: Partial<ReportingParts> = {}): FastifyInstance {
  const app = fastify();
  registerReporting(app, {
    findAccount: async (token) => {
      if (token === 'demand') return { demandPartnerId: 1001, publisherId: null };
      return token === 'supply' ? { demandPartnerId: null, publisherId: 2001 } : null;
    },
    demandReport: (id, { groupBy }) => ({
      columns: [...groupBy, 'bids'],
      rows: Readable.from([[{ date: '2026-11-20', bids: id }]]),
    }),
    supplyReport: (id) => ({
      columns: ['date'],
      rows: Readable.from([[{ date: '2026-11-20', requests: id }]]),
    }),
    takeReport: async () => QUOTA,
    onCutOff: (error) => assert.fail(error),
    now: () => NOW,
    ...differs,
  });
  return app;
}

async function get(url: string, app = server()) {
  const answer = await app.inject({ url });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

test("a report is the account's own, in the documented envelope, with both forms of the path", async () => {
  for (const slash of ['', '/']) {
    const demand = await get(`/reporting/brand/demand${slash}?account_auth_token=demand&${DATES}`);
    assert.equal(demand.status, 200);
    assert.equal(demand.headers['cache-control'], 'no-store');
    assert.deepEqual(JSON.parse(demand.body), {
      status: 'success',
      data: [{ date: '2026-11-20', bids: 1001 }],
      result_count: 1,
    });
  }
  const supply = await get(`/reporting/brand/supply?account_auth_token=supply&${DATES}`);
  assert.deepEqual(JSON.parse(supply.body).data, [{ date: '2026-11-20', requests: 2001 }]);
});

test('as CSV it has no envelope', async () => {
  const answer = await get(`/reporting/brand/demand?account_auth_token=demand&${DATES}&format=csv`);
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(answer.body, 'date,bids\r\n2026-11-20,1001\r\n');
});

test('a token is missing, unknown, or of the other kind of account: 401, 401, 403', async () => {
  const refusals = [
    ['/reporting/brand/demand', 401, 'invalid_account_token'],
    ['/reporting/brand/demand?account_auth_token=x', 401, 'invalid_account_token'],
    [
      '/reporting/brand/demand?account_auth_token=a&account_auth_token=demand',
      401,
      'invalid_account_token',
    ],
    [`/reporting/brand/demand?account_auth_token=supply&${DATES}`, 403, 'wrong_account'],
    [`/reporting/brand/supply?account_auth_token=demand&${DATES}`, 403, 'wrong_account'],
  ] as const;
  for (const [url, status, code] of refusals) {
    const answer = await get(url);
    const { message, ...rest } = JSON.parse(answer.body);
    assert.equal(answer.status, status, url);
    assert.deepEqual(rest, { status: 'error', code, data: [], result_count: 0 });
    assert.ok(message.length > 10);
  }
});

test('another method is 405 in the form of the reports, and OPTIONS tells which there are', async () => {
  const url = '/reporting/brand/demand/';
  const posted = await server().inject({ method: 'POST', url, payload: '{' });
  assert.deepEqual([posted.statusCode, posted.headers.allow], [405, 'GET, HEAD, OPTIONS']);
  const { message, ...rest } = posted.json();
  assert.equal(message, 'This address does not answer to this method.');
  assert.deepEqual(rest, {
    status: 'error',
    code: 'method_not_allowed',
    data: [],
    result_count: 0,
  });
  const told = await server().inject({ method: 'OPTIONS', url });
  assert.deepEqual([told.statusCode, told.headers.allow], [204, 'GET, HEAD, OPTIONS']);
});

test('a wrong parameter is 400 with what is allowed, in one line of text for CSV', async () => {
  const url = `/reporting/brand/demand?account_auth_token=demand&${DATES}&group_by=moon`;
  const answer = await get(url);
  assert.equal(answer.status, 400);
  assert.match(
    JSON.parse(answer.body).message,
    /group_by: has "moon"; use one or several of date,/,
  );
  const text = await get(`${url}&format=csv`);
  assert.equal(text.status, 400);
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(text.body.split('\n').length, 2);
});

test('a report without rows has its envelope, or its header', async () => {
  const app = server({ demandReport: () => ({ columns: ['date'], rows: Readable.from([]) }) });
  const url = `/reporting/brand/demand?account_auth_token=demand&${DATES}`;
  const json = await get(url, app);
  assert.equal(json.body, '{"status":"success","data":[],"result_count":0}');
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal((await get(`${url}&format=csv`, app)).body, 'date\r\n');
});

test('an unforeseen failure is left to the server, which does not show it', async () => {
  const rows = async function* () {
    yield [{ date: '2026-11-20' }];
    throw new Error('secret detail');
  };
  const app = server({ demandReport: () => ({ columns: ['date'], rows: rows() }) });
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('logged'));
  const answer = await get(`/reporting/brand/demand?account_auth_token=demand&${DATES}`, app);
  assert.deepEqual([answer.status, answer.body], [500, 'logged']);
});

test('a report is counted once its parameters are right, and says what is left', async () => {
  const counted: string[] = [];
  const app = server({
    takeReport: async (account) => {
      counted.push(account);
      return QUOTA;
    },
  });
  const made = await get(`/reporting/brand/supply?account_auth_token=supply&${DATES}`, app);
  assert.equal(made.headers['ratelimit-policy'], '"hour";q=100;w=3600');
  assert.equal(made.headers['ratelimit'], '"hour";r=99;t=3600');
  const url = '/reporting/brand/demand?account_auth_token=demand';
  assert.equal((await get(`${url}&start_date=x&end_date=x`, app)).status, 400);
  assert.equal(
    (await get(`/reporting/brand/demand?account_auth_token=x&${DATES}`, app)).status,
    401,
  );
  assert.deepEqual(counted, ['publisher 2001']);
});

test('beyond the limit it is 429 with the time to wait, in either form, and no report is made', async () => {
  const refused: ReportQuota = { ...QUOTA, isAllowed: false, remaining: 0, moreInSeconds: 17 };
  const app = server({
    takeReport: async () => refused,
    demandReport: () => assert.fail('a report was made'),
  });
  const url = `/reporting/brand/demand?account_auth_token=demand&${DATES}`;
  const json = await get(url, app);
  assert.equal(json.status, 429);
  assert.equal(json.headers['retry-after'], '17');
  assert.equal(json.headers['ratelimit'], '"hour";r=0;t=17');
  const { status, code, result_count: count } = JSON.parse(json.body);
  assert.deepEqual([status, code, count], ['error', 'too_many_reports', 0]);
  const csv = await get(`${url}&format=csv`, app);
  assert.equal(csv.status, 429);
  assert.match(csv.body, /^This account has reached[^\n]*\n$/);
});
