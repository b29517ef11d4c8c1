import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import Type from 'typebox';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import type { KpiQuestion, KpiRow } from '../../analytics/kpi.ts';
import { KpiSchema } from './schema.ts';

const KPI = '/demand-partners/1001/line-items/xch/kpi/';
const TODAY = new Date().toISOString().slice(0, 10);
const DAY = { start_date: TODAY, end_date: TODAY };

function row(lineitem_id: number): KpiRow {
  return {
    lineitem_id,
    date: TODAY,
    dsp_requests: 4,
    responses: 1,
    no_bids: 1,
    timeouts: 1,
    errors: 1,
    throttled: 0,
    bids: 1,
    bids_in_auction: 1,
    wins: 1,
    impressions: 1,
    clicks: 0,
    gross_revenue: 0.001,
  };
}

/** The API over a store that answers every line item with a row, and keeps what it was asked. */
async function openKpi(t: Parameters<typeof openManagement>[0]) {
  const asked: KpiQuestion[] = [];
  const server = await openManagement(t, undefined, {
    readKpis: async function* (question) {
      asked.push(question);
      yield question.lineItemIds.map((id) => row(id));
    },
  });
  return { asked, server, api: await apiOf(server, 'engineer@acme.example', ['read']) };
}

// Management API, "KPI request": start_date, end_date (YYYY-MM-DD), lineitems (optional, ids).
test('a KPI request as the spec has it is answered, for all line items where none is named', async (t) => {
  const { asked, api, server } = await openKpi(t);
  const { body: items } = await api('GET', '/demand-partners/1001/line-items/xch/');
  const ids: number[] = items.map(({ id }: { id: number }) => id);
  const [first = 0] = ids;
  const archived = await (
    await apiOf(server, 'operator@example.com')
  )('PATCH', `/demand-partners/1001/line-items/xch/${first}/`, { status: 'ARCHIVED' });
  assert.equal(archived.status, 200);
  const all = await api('POST', KPI, DAY);
  assert.equal(all.status, 200);
  assert.ok(Compile(Type.Array(KpiSchema)).Check(all.body));
  const expected = { demandPartnerId: 1001, startDate: TODAY, endDate: TODAY };
  assert.deepEqual(asked, [{ ...expected, lineItemIds: ids }]);
  const one = await api('POST', KPI, { ...DAY, lineitems: [first] });
  assert.deepEqual(one.body, [row(first)]);
  const none = await api('POST', KPI, { ...DAY, lineitems: [] });
  assert.deepEqual([none.status, none.body], [200, []]);
});

const WRONG: readonly [
  name: string,
  body: unknown,
  pointers: readonly string[],
  message: RegExp,
][] = [
  ['no dates', {}, ['/start_date', '/end_date'], /is missing; it must be a day/],
  ['a day that is none', { ...DAY, end_date: '2026-02-30' }, ['/end_date'], /must be a day/],
  ['a time', { ...DAY, start_date: `${TODAY}T00:00:00Z` }, ['/start_date'], /must be a day/],
  ['a day before', { start_date: '2020-01-01', end_date: TODAY }, ['/start_date'], /can be had/],
  [
    'days in reverse',
    { start_date: '2999-01-02', end_date: '2999-01-01' },
    ['/start_date'],
    /earlier day first/,
  ],
  ['an unknown key', { ...DAY, line_items: [1] }, ['/line_items'], /did you mean|is not a key/],
  ['a word for an id', { ...DAY, lineitems: ['501'] }, ['/lineitems/0'], /whole number/],
  ['half an id', { ...DAY, lineitems: [501.5] }, ['/lineitems/0'], /whole number/],
  ['no list', { ...DAY, lineitems: 501 }, ['/lineitems'], /a list/],
  ['no object', [], [''], /start_date/],
];

test('what is wrong with a KPI request is told where it stands', async (t) => {
  const { asked, api } = await openKpi(t);
  for (const [name, body, pointers, message] of WRONG) {
    const answer = await api('POST', KPI, body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], name);
    const errors: { pointer: string; message: string }[] = answer.body.errors;
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      pointers,
      name,
    );
    assert.match(errors[0]?.message ?? '', message, name);
  }
  assert.deepEqual(asked, []);
});

test("another partner's line item is told like one that is not there, and so is its address", async (t) => {
  const { asked, api, server } = await openKpi(t);
  const other = await apiOf(server, 'engineer@bolt.example');
  const { body: items } = await other('GET', '/demand-partners/1002/line-items/xch/');
  const [{ id }] = items;
  const foreign = await api('POST', KPI, { ...DAY, lineitems: [id] });
  const missing = await api('POST', KPI, { ...DAY, lineitems: [1_999_999_999] });
  assert.deepEqual([foreign.status, foreign.body], [missing.status, missing.body]);
  assert.deepEqual(foreign.body.errors, [
    { pointer: '/lineitems/0', message: 'is no line item of this demand partner' },
  ]);
  const elsewhere = await api('POST', KPI.replace('1001', '1002'), DAY);
  const nowhere = await api('POST', KPI.replace('1001', '1999'), DAY);
  assert.deepEqual([elsewhere.status, elsewhere.body], [nowhere.status, nowhere.body]);
  assert.equal(elsewhere.status, 404);
  const publisher = await apiOf(server, 'ads@planet.example');
  assert.equal((await publisher('POST', KPI, DAY)).status, 403);
  assert.deepEqual(asked, []);
});

test('days come one after the other, and a fault between them cuts the answer off', async (t) => {
  let isFaulty = false;
  const server = await openManagement(t, undefined, {
    readKpis: async function* () {
      yield [row(501), row(502)];
      yield [];
      if (isFaulty) throw new Error('the store has gone');
      yield [row(501)];
    },
  });
  const api = await apiOf(server, 'engineer@acme.example', ['read']);
  const whole = await api('POST', KPI, DAY);
  assert.deepEqual(whole.body, [row(501), row(502), row(501)]);
  isFaulty = true;
  await assert.rejects(api('POST', KPI, DAY), /destroyed|aborted|gone/);
});

test('without the analytics store KPIs and discovery say when to come again', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'engineer@acme.example', ['read']);
  for (const [path, body] of [
    [KPI, DAY],
    ['/inventory/discovery/', {}],
  ] as const) {
    const { status, body: problem, headers } = await api('POST', path, body);
    assert.deepEqual([status, problem.code], [503, 'analytics_unavailable']);
    assert.equal(headers['retry-after'], '1');
  }
});
