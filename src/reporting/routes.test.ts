import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import { registerReporting, type ReportingParts } from './routes.ts';

const NOW = Date.UTC(2026, 10, 20);
const DATES = 'start_date=2026-11-19&end_date=2026-11-20';

function server(differs: Partial<ReportingParts> = {}): FastifyInstance {
  const app = fastify();
  registerReporting(app, {
    findAccount: async (token) => {
      if (token === 'demand') return { demandPartnerId: 1001, publisherId: null };
      return token === 'supply' ? { demandPartnerId: null, publisherId: 2001 } : null;
    },
    demandReport: async (id, { groupBy }) => ({
      columns: [...groupBy, 'bids'],
      rows: [{ date: '2026-11-20', bids: id }],
    }),
    supplyReport: async (id) => ({
      columns: ['date'],
      rows: [{ date: '2026-11-20', requests: id }],
    }),
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

test('an unforeseen failure is left to the server, which does not show it', async () => {
  const app = server({ demandReport: () => Promise.reject(new Error('secret detail')) });
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('logged'));
  const answer = await get(`/reporting/brand/demand?account_auth_token=demand&${DATES}`, app);
  assert.deepEqual([answer.status, answer.body], [500, 'logged']);
});
